//! The system's loader, and where NVIDIA's libraries lie on each system: the only part of `sys` that differs between them.

#[cfg(unix)]
pub(super) use unix::{TOOLKIT, WHEEL_OF_12, WHEEL_OF_13, file, file_name, open, symbol};
#[cfg(windows)]
pub(super) use windows::{TOOLKIT, WHEEL_OF_12, WHEEL_OF_13, file, file_name, open, symbol};

#[cfg(unix)]
mod unix {
    use std::ffi::{CStr, CString, c_void};
    use std::os::unix::ffi::OsStrExt;
    use std::path::{Path, PathBuf};

    /// A toolkit's folders of libraries.
    #[cfg(not(target_arch = "aarch64"))]
    pub const TOOLKIT: &[&str] = &["lib64", "lib", "targets/x86_64-linux/lib"];
    /// A toolkit's folders of libraries.
    #[cfg(target_arch = "aarch64")]
    pub const TOOLKIT: &[&str] = &["lib64", "lib", "targets/sbsa-linux/lib", "targets/aarch64-linux/lib"];
    /// The folder of libraries in a package of NVIDIA's wheels.
    pub const WHEEL_OF_13: &str = "lib";
    /// The same for CUDA 12.
    pub const WHEEL_OF_12: &str = "lib";

    pub fn file_name(stem: &str, version: u32) -> String {
        format!("lib{stem}.so.{version}")
    }

    pub fn open(path: &Path) -> Option<*mut c_void> {
        let name = CString::new(path.as_os_str().as_bytes()).ok()?;
        // SAFETY: the name is a C string; running a library's initialisers is what loading it means.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        (!handle.is_null()).then_some(handle)
    }

    /// The address of a function, or null.
    ///
    /// # Safety
    /// The handle is open.
    pub unsafe fn symbol(handle: *mut c_void, name: &CStr) -> *mut c_void {
        // SAFETY: the caller's promise, and a C string.
        unsafe { libc::dlsym(handle, name.as_ptr()) }
    }

    /// The file that a library was loaded from.
    ///
    /// # Safety
    /// The handle is open.
    #[cfg(target_os = "linux")]
    pub unsafe fn file(handle: *mut c_void) -> Option<PathBuf> {
        let mut map: *mut LinkMap = std::ptr::null_mut();
        // SAFETY: the caller's promise; RTLD_DI_LINKMAP writes one pointer.
        let code = unsafe { dlinfo(handle, RTLD_DI_LINKMAP, (&raw mut map).cast()) };
        if code != 0 || map.is_null() {
            return None;
        }
        // SAFETY: the loader's own record of an open library, its name a C string.
        let name = unsafe { CStr::from_ptr((*map).name) };
        Some(PathBuf::from(std::ffi::OsStr::from_bytes(name.to_bytes())))
    }

    /// The file that a library was loaded from: this system's loader does not tell.
    ///
    /// # Safety
    /// None is needed; the other systems' form needs an open handle.
    #[cfg(not(target_os = "linux"))]
    pub unsafe fn file(_handle: *mut c_void) -> Option<PathBuf> {
        None
    }

    #[cfg(target_os = "linux")]
    const RTLD_DI_LINKMAP: libc::c_int = 2;

    /// The beginning of the loader's `struct link_map`.
    #[cfg(target_os = "linux")]
    #[repr(C)]
    struct LinkMap {
        address: usize,
        name: *const libc::c_char,
    }

    #[cfg(target_os = "linux")]
    unsafe extern "C" {
        fn dlinfo(handle: *mut c_void, request: libc::c_int, info: *mut c_void) -> libc::c_int;
    }
}

#[cfg(windows)]
mod windows {
    use std::ffi::{CStr, OsString, c_char, c_void};
    use std::os::windows::ffi::{OsStrExt, OsStringExt};
    use std::path::{Path, PathBuf};

    /// A toolkit's folders of libraries.
    pub const TOOLKIT: &[&str] = &["bin/x64", "bin"];
    /// The folder of libraries in a package of NVIDIA's wheels.
    pub const WHEEL_OF_13: &str = "bin/x86_64";
    /// The same for CUDA 12.
    pub const WHEEL_OF_12: &str = "bin";

    /// Looks for what a library needs in the library's own folder first.
    const LOAD_WITH_ALTERED_SEARCH_PATH: u32 = 8;

    // SAFETY: the signatures are those of the system's <libloaderapi.h>.
    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn LoadLibraryExW(name: *const u16, file: *mut c_void, flags: u32) -> *mut c_void;
        fn GetProcAddress(handle: *mut c_void, name: *const c_char) -> *mut c_void;
        fn GetModuleFileNameW(handle: *mut c_void, name: *mut u16, size: u32) -> u32;
    }

    pub fn file_name(stem: &str, version: u32) -> String {
        if stem == "nvrtc" { format!("nvrtc64_{version}0_0.dll") } else { format!("{stem}64_{version}.dll") }
    }

    pub fn open(path: &Path) -> Option<*mut c_void> {
        let name: Vec<u16> = path.as_os_str().encode_wide().chain([0]).collect();
        // The flag is for whole paths only.
        let flags = if path.is_absolute() { LOAD_WITH_ALTERED_SEARCH_PATH } else { 0 };
        // SAFETY: the name ends in a zero; running a library's initialisers is what loading it means.
        let handle = unsafe { LoadLibraryExW(name.as_ptr(), std::ptr::null_mut(), flags) };
        (!handle.is_null()).then_some(handle)
    }

    /// The address of a function, or null.
    ///
    /// # Safety
    /// The handle is open.
    pub unsafe fn symbol(handle: *mut c_void, name: &CStr) -> *mut c_void {
        // SAFETY: the caller's promise, and a C string.
        unsafe { GetProcAddress(handle, name.as_ptr()) }
    }

    /// The file that a library was loaded from.
    ///
    /// # Safety
    /// The handle is open.
    pub unsafe fn file(handle: *mut c_void) -> Option<PathBuf> {
        let mut name = vec![0u16; 32768];
        // SAFETY: the caller's promise; the system writes at most as many units as the buffer has.
        let length = unsafe { GetModuleFileNameW(handle, name.as_mut_ptr(), name.len() as u32) } as usize;
        (0 < length && length < name.len()).then(|| PathBuf::from(OsString::from_wide(&name[..length])))
    }
}
