//! Compiled kernels on disk. A file holds the text it was compiled from, which is compared whole: a name that two texts
//! share, a torn file or one of another version is a miss, never a wrong kernel.
//!
//! What is read from there runs, so it must have been written by this user: folders and files of somebody else, or that
//! somebody else may write, are misses too. Only files by the cache's own names are ever written or removed.

use std::fs::{File, Metadata, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{Error, Read, Result as IoResult, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use cuprum_core::Result;

use super::nvrtc;
use super::sha256::{Digest, sha256};
use crate::sys::nvrtc_identity;

const MAGIC: &[u8; 8] = b"cuprum\x00\x02";
/// How the names of files begin and end, around 32 digits.
const PREFIX: &str = "cuprum-";
const WHOLE: &str = ".bin";
const PARTIAL: &str = ".partial";
/// How many bytes the folder may hold, unless `CUPRUM_CACHE_SIZE` says otherwise.
const DEFAULT_MAX_BYTES: u64 = 1 << 30;
/// The folder is measured at the first write and then once in so many.
const WRITES_PER_MEASUREMENT: usize = 512;
/// A file that is larger is not of this cache.
const MAX_FILE_BYTES: u64 = 1 << 30;
/// After this long, a file that is not whole belongs to a process that has ended.
const ABANDONED_AFTER: Duration = Duration::from_secs(3600);

/// Where compiled kernels are kept: `CUPRUM_CACHE_DIR`, or `cuprum/kernels` in the user's cache folder.
///
/// ```
/// println!("{:?}", cuprum_cuda::cache_folder());
/// ```
pub fn folder() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("CUPRUM_CACHE_DIR") {
        return (!folder.is_empty()).then(|| PathBuf::from(folder));
    }
    let user = std::env::var_os("XDG_CACHE_HOME").filter(|f| !f.is_empty()).map(PathBuf::from);
    let user = user.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")));
    user.map(|folder| folder.join("cuprum/kernels"))
}

/// Whether nothing is kept yet.
pub(super) fn is_empty() -> bool {
    let entries = folder().and_then(|folder| std::fs::read_dir(folder).ok());
    entries.is_none_or(|entries| !entries.flatten().any(|entry| is_own(&entry.path(), WHOLE)))
}

/// Counts the ways in which texts became code: code that was made in another way is made anew.
const REVISION: u32 = 2;

/// What code depends on beside its text: the compiler, the target, and how we call one for the other.
pub(crate) fn identity(target: &str) -> Result<String> {
    let compiler = match nvrtc_identity() {
        Some(identity) => identity,
        None => format!("{:?}", nvrtc::version()?),
    };
    Ok(format!("{target}|{compiler}|{}|{REVISION}", env!("CARGO_PKG_VERSION")))
}

/// The code of a text, if it is there and whole.
pub(crate) fn read(identity: &str, source: &str) -> Option<Vec<u8>> {
    read_in(&folder()?, identity, source).ok()
}

fn read_in(folder: &Path, identity: &str, source: &str) -> IoResult<Vec<u8>> {
    check_owner(&std::fs::metadata(folder)?)?;
    let file = own::open(&folder.join(name(identity, source, WHOLE)))?;
    let about = file.metadata()?;
    check_owner(&about)?;
    if !about.is_file() || about.len() > MAX_FILE_BYTES {
        return Err(Error::other("this is not a file of the cache"));
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(about.len() as usize)?;
    (&file).take(about.len()).read_to_end(&mut bytes)?;
    let code = unpack(&bytes, identity, source).ok_or_else(|| Error::other("this is another text's"))?;
    // What is used stays: the oldest files go first.
    let _ = file.set_modified(SystemTime::now());
    Ok(code.to_vec())
}

/// Keeps the code of a text; where that fails it is compiled again next time.
pub(crate) fn write(identity: &str, source: &str, code: &[u8]) {
    static WRITTEN: AtomicUsize = AtomicUsize::new(0);
    let Some(folder) = folder() else { return };
    let _ = write_in(&folder, identity, source, code);
    if WRITTEN.fetch_add(1, Ordering::Relaxed).is_multiple_of(WRITES_PER_MEASUREMENT) {
        shrink(&folder, allowed());
    }
}

fn write_in(folder: &Path, identity: &str, source: &str, code: &[u8]) -> IoResult<()> {
    own::create_folder(folder)?;
    check_owner(&std::fs::metadata(folder)?)?;
    // A name that nobody can foresee; should it be taken all the same, nothing is written.
    let random = RandomState::new().hash_one(std::process::id());
    let partial = folder.join(name(identity, source, &format!("-{random:016x}{PARTIAL}")));
    let mut file = own::create(&partial)?;
    let written = file
        .write_all(&pack(identity, source, code))
        .and_then(|()| std::fs::rename(&partial, folder.join(name(identity, source, WHOLE))));
    if written.is_err() {
        let _ = std::fs::remove_file(&partial);
    }
    written
}

fn allowed() -> u64 {
    static ALLOWED: OnceLock<u64> = OnceLock::new();
    *ALLOWED.get_or_init(|| {
        std::env::var("CUPRUM_CACHE_SIZE").ok().and_then(|s| s.parse().ok()).unwrap_or(DEFAULT_MAX_BYTES)
    })
}

/// Removes the least recently used files until the cache has three quarters of its allowed size, and unfinished files of
/// processes that have ended.
fn shrink(folder: &Path, allowed: u64) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut files: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
    for entry in entries.flatten() {
        // Of a link itself, not of what it leads to.
        let Ok(about) = entry.metadata() else { continue };
        let (path, Ok(modified)) = (entry.path(), about.modified()) else { continue };
        if !about.is_file() || check_owner(&about).is_err() {
            continue;
        }
        if is_own(&path, WHOLE) {
            files.push((modified, about.len(), path));
        } else if is_own(&path, PARTIAL) && modified.elapsed().is_ok_and(|age| age > ABANDONED_AFTER) {
            let _ = std::fs::remove_file(path);
        }
    }
    let mut total: u64 = files.iter().map(|f| f.1).sum();
    if total <= allowed {
        return;
    }
    files.sort();
    for (_, bytes, path) in files {
        if total <= allowed / 4 * 3 {
            break;
        }
        if std::fs::remove_file(path).is_ok() {
            total -= bytes;
        }
    }
}

/// Whether a name is one that the cache gives: the prefix, 32 digits, for unfinished files 16 more, and the end.
fn is_own(path: &Path, end: &str) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let Some(digits) = name.and_then(|n| n.strip_prefix(PREFIX)).and_then(|n| n.strip_suffix(end)) else {
        return false;
    };
    let is_number = |text: &str, length: usize| {
        text.len() == length && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    };
    match (end, digits.split_once('-')) {
        (PARTIAL, Some((text, random))) => is_number(text, 32) && is_number(random, 16),
        (WHOLE, None) => is_number(digits, 32),
        _ => false,
    }
}

fn name(identity: &str, source: &str, end: &str) -> String {
    let digest = sha256(&[identity.as_bytes(), &[0], source.as_bytes()]);
    let digits: String = digest[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{PREFIX}{digits}{end}")
}

/// The magic number, the digest of what follows, and the parts, each with its length.
fn pack(identity: &str, source: &str, code: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    for part in [identity.as_bytes(), source.as_bytes(), code] {
        body.extend((part.len() as u64).to_le_bytes());
        body.extend(part);
    }
    [&MAGIC[..], &sha256(&[&body]), &body].concat()
}

fn unpack<'a>(bytes: &'a [u8], identity: &str, source: &str) -> Option<&'a [u8]> {
    let (digest, mut rest) = bytes.strip_prefix(MAGIC)?.split_at_checked(size_of::<Digest>())?;
    if sha256(&[rest]) != digest {
        return None;
    }
    let mut part = || {
        let (length, after) = rest.split_at_checked(8)?;
        let length = usize::try_from(u64::from_le_bytes(length.try_into().ok()?)).ok()?;
        let (part, after) = after.split_at_checked(length)?;
        rest = after;
        Some(part)
    };
    let same = part()? == identity.as_bytes() && part()? == source.as_bytes();
    let code = part()?;
    same.then_some(code)
}

/// An error where somebody else owns a file or a folder, or may write it.
fn check_owner(about: &Metadata) -> IoResult<()> {
    if own::is_ours_alone(about) { Ok(()) } else { Err(Error::other("somebody else may have written this")) }
}

/// Files that nobody else writes, and that lead nowhere else.
#[cfg(unix)]
mod own {
    use std::fs::DirBuilder;
    use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};

    use super::{File, IoResult, Metadata, OpenOptions, Path};

    /// Opens a file to be read: neither through a link, nor waiting for somebody at the other end of a pipe.
    pub fn open(path: &Path) -> IoResult<File> {
        OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(path)
    }

    /// Makes a file that was not there.
    pub fn create(path: &Path) -> IoResult<File> {
        OpenOptions::new().write(true).create_new(true).mode(0o600).custom_flags(libc::O_NOFOLLOW).open(path)
    }

    pub fn create_folder(path: &Path) -> IoResult<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(path)
    }

    pub fn is_ours_alone(about: &Metadata) -> bool {
        // SAFETY: it takes nothing and cannot fail.
        let user = unsafe { libc::geteuid() };
        about.uid() == user && about.mode() & 0o022 == 0
    }
}

/// Elsewhere the user's folders are the user's own.
#[cfg(not(unix))]
mod own {
    use super::{File, IoResult, Metadata, OpenOptions, Path};

    pub fn open(path: &Path) -> IoResult<File> {
        File::open(path)
    }

    pub fn create(path: &Path) -> IoResult<File> {
        OpenOptions::new().write(true).create_new(true).open(path)
    }

    pub fn create_folder(path: &Path) -> IoResult<()> {
        std::fs::create_dir_all(path)
    }

    pub fn is_ours_alone(_: &Metadata) -> bool {
        true
    }
}

#[cfg(test)]
#[path = "cache_tests.rs"]
mod tests;
