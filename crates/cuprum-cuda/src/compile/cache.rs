//! Compiled kernels on disk. A file holds the text it was compiled from, which is compared whole: a name that two texts
//! share, a torn file or one of another version is a miss, never a wrong kernel.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

use cuprum_core::Result;

use super::nvrtc;
use crate::sys::nvrtc_identity;

const MAGIC: &[u8; 8] = b"cuprum\x00\x01";
/// How many bytes the folder may hold, unless `CUPRUM_CACHE_SIZE` says otherwise.
const SIZE: u64 = 1 << 30;
/// The folder is measured at the first write and then once in so many.
const MEASURED_EVERY: usize = 512;

/// Where compiled kernels are kept: `CUPRUM_CACHE_DIR`, or `cuprum` in the user's cache folder.
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
    folder()
        .and_then(|folder| std::fs::read_dir(folder).ok())
        .is_none_or(|mut entries| entries.next().is_none())
}

/// What code depends on beside its text: the compiler and the target.
pub(crate) fn identity(target: &str) -> Result<String> {
    let compiler = match nvrtc_identity() {
        Some(identity) => identity,
        None => format!("{:?}", nvrtc::version()?),
    };
    Ok(format!("{target}|{compiler}|{}", env!("CARGO_PKG_VERSION")))
}

/// The code of a text, if it is there and whole.
pub(crate) fn read(identity: &str, source: &str) -> Option<Vec<u8>> {
    let path = place(identity, source)?;
    let bytes = std::fs::read(&path).ok()?;
    let code = unpack(&bytes, identity, source)?.to_vec();
    // What is used stays: the oldest files go first.
    let _ = std::fs::File::options().append(true).open(&path).and_then(|f| f.set_modified(SystemTime::now()));
    Some(code)
}

/// Keeps the code of a text; where that fails it is compiled again next time.
pub(crate) fn write(identity: &str, source: &str, code: &[u8]) {
    static WRITTEN: AtomicUsize = AtomicUsize::new(0);
    let Some(path) = place(identity, source) else { return };
    let Some(folder) = path.parent() else { return };
    let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
    let partial = folder.join(format!("{}.{number}.partial", std::process::id()));
    let attempt = || {
        std::fs::create_dir_all(folder)?;
        std::fs::File::create(&partial)?.write_all(&pack(identity, source, code))?;
        std::fs::rename(&partial, &path)
    };
    if attempt().is_err() {
        let _ = std::fs::remove_file(&partial);
    }
    if number.is_multiple_of(MEASURED_EVERY) {
        shrink(folder, allowed());
    }
}

fn allowed() -> u64 {
    static ALLOWED: OnceLock<u64> = OnceLock::new();
    *ALLOWED
        .get_or_init(|| std::env::var("CUPRUM_CACHE_SIZE").ok().and_then(|s| s.parse().ok()).unwrap_or(SIZE))
}

/// Removes the files that were not used for longest until what is left is three quarters of what is allowed.
fn shrink(folder: &Path, allowed: u64) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut files: Vec<(SystemTime, u64, PathBuf)> = entries
        .flatten()
        .filter_map(|entry| {
            let facts = entry.metadata().ok()?;
            Some((facts.modified().ok()?, facts.len(), entry.path()))
        })
        .collect();
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

fn place(identity: &str, source: &str) -> Option<PathBuf> {
    Some(folder()?.join(format!("{:016x}{:016x}.bin", hash(identity, source, 1), hash(identity, source, 2))))
}

/// FNV-1a from two seeds: stable from one build to the next, which the standard library's hashes are not.
fn hash(identity: &str, source: &str, seed: u64) -> u64 {
    let bytes = identity.bytes().chain([0]).chain(source.bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15), |h, b| {
        (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

fn pack(identity: &str, source: &str, code: &[u8]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    for part in [identity.as_bytes(), source.as_bytes(), code] {
        bytes.extend((part.len() as u64).to_le_bytes());
        bytes.extend(part);
    }
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

fn unpack<'a>(bytes: &'a [u8], identity: &str, source: &str) -> Option<&'a [u8]> {
    let (body, sum) = bytes.split_at_checked(bytes.len().checked_sub(8)?)?;
    if checksum(body) != u64::from_le_bytes(sum.try_into().ok()?) {
        return None;
    }
    let mut rest = body.strip_prefix(MAGIC)?;
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

/// Words at a time: a kernel's file is read on the way to the first result.
fn checksum(bytes: &[u8]) -> u64 {
    let words = bytes.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    });
    words.fold(bytes.len() as u64, |sum, word| {
        (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
    })
}

#[cfg(test)]
mod tests {
    use super::{pack, shrink, unpack};

    #[test]
    fn a_file_answers_for_its_own_text_alone() {
        let packed = pack("sm_90|x", "text", b"code");
        assert_eq!(unpack(&packed, "sm_90|x", "text"), Some(&b"code"[..]));
        assert_eq!(unpack(&packed, "sm_80|x", "text"), None);
        assert_eq!(unpack(&packed, "sm_90|x", "texu"), None);
    }

    #[test]
    fn a_file_that_is_torn_or_changed_anywhere_is_a_miss() {
        let packed = pack("sm_90|x", "text", b"some code");
        for end in 0..packed.len() {
            assert_eq!(unpack(&packed[..end], "sm_90|x", "text"), None, "cut at {end}");
        }
        for at in 0..packed.len() {
            let mut changed = packed.clone();
            changed[at] ^= 0x10;
            assert_eq!(unpack(&changed, "sm_90|x", "text"), None, "changed at {at}");
        }
    }

    #[test]
    fn the_oldest_files_go_first() {
        let folder = std::env::temp_dir().join(format!("cuprum-cache-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for (age, name) in [(300, "old"), (200, "middle"), (100, "new")] {
            let file = std::fs::File::create(folder.join(name)).unwrap();
            file.set_len(100).unwrap();
            file.set_modified(std::time::SystemTime::now() - std::time::Duration::from_secs(age)).unwrap();
        }
        shrink(&folder, 299);
        let mut left: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["middle", "new"]);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
