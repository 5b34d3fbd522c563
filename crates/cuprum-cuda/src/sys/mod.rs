//! NVIDIA's C interfaces, found at run time. Functions return plain integers: a code that is newer than these
//! declarations is a number like any other. Nothing outside this module names a C function pointer's type.

mod cublas;
mod cufft;
mod cusolver;
mod driver;
mod library;
mod loader;
mod nvrtc;
mod optional;

pub use cublas::{Cublas, CublasTyped, cublas};
pub use cufft::{Cufft, cufft};
pub use cusolver::{Cusolver, CusolverGeev, CusolverSyevBatched, CusolverTables, CusolverTyped, cusolver};
pub use driver::{Driver, IpcHandle, driver, is_forked, loaded_driver};
pub use library::{Library, add_search_folder, search_folders};
pub use nvrtc::{Nvrtc, nvrtc, nvrtc_identity};
pub use optional::{Cusparse, Nccl, cusparse, nccl};

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

/// Declares functions that a library has four times, for f32, f64, c64 and c128, as arrays in that order.
///
/// `families!(/** doc */ Table { dot(u32) = "blas" ["S" "D" "C" "Z"] "dot"; })` is `struct Table { dot: [fn; 4] }` of
/// `blasSdot` and so on, with a `Table::load(&library)` that names the first function that is missing.
macro_rules! families {
    ($(#[$doc:meta])* $table:ident {
        $($name:ident($($argument:ty),* $(,)?) = $before:literal [$s:literal $d:literal $c:literal $z:literal] $after:literal;)*
    }) => {
        $(#[$doc])*
        #[allow(missing_docs)]
        pub struct $table {
            $(pub $name: [unsafe extern "C" fn($($argument),*) -> i32; 4],)*
        }

        impl $table {
            /// Looks up every function; an error names the one that is missing.
            pub fn load(library: &crate::sys::Library) -> std::result::Result<$table, String> {
                Ok($table {
                    $($name: {
                        let find = |name: &'static str| {
                            let address = library.symbol(name)?;
                            // SAFETY: the library documents the function of this name with these arguments, addresses
                            // being of another element type in each, and an int result.
                            Ok::<_, String>(unsafe {
                                std::mem::transmute::<*mut libc::c_void, unsafe extern "C" fn($($argument),*) -> i32>(address)
                            })
                        };
                        [
                            find(concat!($before, $s, $after, "\0"))?,
                            find(concat!($before, $d, $after, "\0"))?,
                            find(concat!($before, $c, $after, "\0"))?,
                            find(concat!($before, $z, $after, "\0"))?,
                        ]
                    },)*
                })
            }
        }
    };
}
pub(crate) use families;
