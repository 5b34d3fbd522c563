//! What C++ says of a kernel's text: types and their layout, conversions, constants.

#[allow(missing_docs, reason = "C++ says what they are")]
pub mod constant;
#[allow(missing_docs, reason = "C++ says what they are")]
pub mod convert;
#[allow(missing_docs, reason = "C++ says what they are")]
pub mod layout;
#[allow(missing_docs, reason = "C++ says what they are")]
pub mod types;
