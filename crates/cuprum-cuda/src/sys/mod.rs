//! NVIDIA's C interfaces, found at run time. Functions return plain integers: a code that is newer than these
//! declarations is a number like any other. Nothing outside this module names a C function pointer's type.

mod driver;
mod library;
mod nvrtc;

pub use driver::{Driver, driver};
pub use library::{Library, add_search_folder, search_folders};
pub use nvrtc::{Nvrtc, nvrtc, nvrtc_identity};

/// Declares a table of functions of one library: each is looked up by its name when the table is loaded.
///
/// `functions!(/** doc */ Table { name(u32) })` is `struct Table { library: Library, name: unsafe extern "C" fn(u32) -> i32 }`
/// with a `Table::load(library)` that names the first function that is missing.
macro_rules! functions {
    ($(#[$doc:meta])* $table:ident { $($name:ident($($argument:ty),* $(,)?);)* }) => {
        $(#[$doc])*
        #[allow(non_snake_case, missing_docs)]
        pub struct $table {
            pub library: crate::sys::Library,
            $(pub $name: unsafe extern "C" fn($($argument),*) -> i32,)*
        }

        impl $table {
            /// Looks up every function; an error names the one that is missing.
            pub fn load(library: crate::sys::Library) -> std::result::Result<$table, String> {
                Ok($table {
                    $($name: {
                        let address = library.symbol(concat!(stringify!($name), "\0"))?;
                        // SAFETY: the library documents the function of this name with these arguments and an int result.
                        unsafe { std::mem::transmute::<*mut libc::c_void, unsafe extern "C" fn($($argument),*) -> i32>(address) }
                    },)*
                    library,
                })
            }
        }
    };
}
pub(crate) use functions;
