//! Kernel IR to Cranelift's: one function for each region (or group of regions) of a kernel, and one for each device
//! function that is called rather than inlined.

mod arithmetic;
mod atomics;
mod control;
mod divergence;
mod emitter;
mod exchange;
mod lane_variation;
mod lanes;
mod memory;
mod order;
mod region;
mod suspend;
mod thunks;
mod unit;
mod vector;
mod vector_ops;

pub(crate) use control::FUEL;
pub(crate) use unit::{CheckSubject, Code, Layout, Sources, compile};
