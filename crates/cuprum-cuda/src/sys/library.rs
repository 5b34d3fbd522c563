//! Finding shared libraries: the system's loader path, a CUDA toolkit, or the `nvidia-*` wheels.

use std::ffi::CStr;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::loader;

/// Folders like `site-packages` that may hold an `nvidia` package.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Adds a folder that may hold NVIDIA's wheels, such as an entry of Python's `sys.path`.
///
/// ```
/// cuprum_cuda::sys::add_search_folder("/nowhere/site-packages");
/// ```
pub fn add_search_folder(folder: impl Into<PathBuf>) {
    let folder = folder.into();
    let mut folders = FOLDERS.lock().unwrap_or_else(|e| e.into_inner());
    if !folders.contains(&folder) {
        folders.push(folder);
    }
}

/// The folders added so far.
pub fn search_folders() -> Vec<PathBuf> {
    FOLDERS.lock().unwrap_or_else(|e| e.into_inner()).clone()
}

/// A shared library that is loaded for good.
#[derive(Clone)]
pub struct Library {
    handle: *mut libc::c_void,
    /// Where it came from.
    pub path: PathBuf,
}

// SAFETY: a handle of the loader may be used from any thread.
unsafe impl Send for Library {}
// SAFETY: as above.
unsafe impl Sync for Library {}

impl Library {
    /// Loads the first candidate that exists.
    pub fn open(candidates: &[PathBuf]) -> Option<Library> {
        candidates.iter().find_map(|path| Library::open_one(path))
    }

    fn open_one(path: &Path) -> Option<Library> {
        // A path that does not exist is not worth the loader's error; a bare name is the loader's to find.
        if path.parent().is_some_and(|p| !p.as_os_str().is_empty()) && !path.exists() {
            return None;
        }
        loader::open(path).map(|handle| Library { handle, path: path.to_path_buf() })
    }

    /// The address of a function; `name` ends in a NUL.
    pub fn symbol(&self, name: &'static str) -> Result<*mut libc::c_void, String> {
        let c_name = CStr::from_bytes_with_nul(name.as_bytes()).expect("a name ends in NUL");
        // SAFETY: the library is loaded for good.
        let address = unsafe { loader::symbol(self.handle, c_name) };
        if address.is_null() {
            return Err(format!("{} has no function {}", self.path.display(), name.trim_end_matches('\0')));
        }
        Ok(address)
    }

    /// The library's file with links resolved, so that the name has the full version.
    pub fn file(&self) -> PathBuf {
        // SAFETY: the library is loaded for good.
        let Some(path) = (unsafe { loader::file(self.handle) }) else { return self.path.clone() };
        path.canonicalize().unwrap_or(path)
    }
}

/// Where a library of CUDA's may be, best first: what `variable` names, the folders of `LD_LIBRARY_PATH`, the toolkit that
/// `CUDA_HOME` or `CUDA_PATH` names, the wheels, a toolkit in its usual place, and what else the loader finds. Only the
/// last is a name without a folder: what is found before it is known without being loaded. `stem` is `cublas`, `versions`
/// its major versions, the one to look for first ahead.
pub(crate) fn candidates(stem: &str, versions: &[u32], variable: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        std::env::var_os(variable).filter(|v| !v.is_empty()).map(PathBuf::from).into_iter().collect();
    let names: Vec<String> = versions.iter().map(|v| loader::file_name(stem, *v)).collect();
    let named = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    for name in &names {
        let folders = std::env::split_paths(&named).filter(|folder| folder.is_absolute());
        found.extend(folders.chain(named_toolkit_folders()).map(|folder| folder.join(name)));
        for folder in search_folders() {
            let nvidia = folder.join("nvidia");
            found.push(nvidia.join("cu13").join(loader::WHEEL_OF_13).join(name));
            let Ok(packages) = std::fs::read_dir(&nvidia) else { continue };
            let mut packages: Vec<PathBuf> = packages.flatten().map(|entry| entry.path()).collect();
            packages.sort();
            found.extend(packages.into_iter().map(|package| package.join(loader::WHEEL_OF_12).join(name)));
        }
        found.extend(usual_toolkit_folders().map(|folder| folder.join(name)));
        found.push(PathBuf::from(name));
    }
    found
}

/// The versions of a library of CUDA 13 and of CUDA 12 in the order to look for them: what the driver is too old for
/// comes last.
pub(crate) fn suited(of_13: u32, of_12: u32) -> [u32; 2] {
    const CUDA_13: i32 = 13000;
    let mut version = CUDA_13;
    if let Ok(driver) = super::driver() {
        // SAFETY: writes one integer.
        unsafe { (driver.cuDriverGetVersion)(&mut version) };
    }
    if version >= CUDA_13 { [of_13, of_12] } else { [of_12, of_13] }
}

fn named_toolkit_folders() -> impl Iterator<Item = PathBuf> {
    let named = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(std::env::var_os);
    named.filter(|root| !root.is_empty()).map(PathBuf::from).flat_map(toolkit_folders)
}

fn usual_toolkit_folders() -> impl Iterator<Item = PathBuf> {
    ["/usr/local/cuda", "/opt/cuda"].into_iter().map(PathBuf::from).flat_map(toolkit_folders)
}

fn toolkit_folders(root: PathBuf) -> impl Iterator<Item = PathBuf> {
    loader::TOOLKIT.iter().map(move |folder| root.join(folder))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::{add_search_folder, candidates};

    #[test]
    fn wheels_of_either_cuda_are_found_and_the_loader_comes_last() {
        let folder = std::env::temp_dir().join(format!("cuprum-wheels-{}", std::process::id()));
        for package in ["cu13", "cublas", "cuda_nvrtc"] {
            std::fs::create_dir_all(folder.join("nvidia").join(package).join("lib")).unwrap();
        }
        add_search_folder(&folder);
        let found = candidates("cublas", &[13, 12], "NO_SUCH_VARIABLE");
        let place = |part: &str| found.iter().position(|path| path.ends_with(part)).expect(part);
        let of_13 = place("nvidia/cu13/lib/libcublas.so.13");
        let of_12 = place("nvidia/cublas/lib/libcublas.so.12");
        let bare = |name: &str| found.iter().position(|path| path.as_os_str() == name).expect(name);
        assert!(of_13 < bare("libcublas.so.13") && bare("libcublas.so.13") < of_12);
        assert_eq!(bare("libcublas.so.12"), found.len() - 1);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
