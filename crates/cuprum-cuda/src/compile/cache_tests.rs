//! The cache answers for its own texts alone, trusts nobody else's files, and touches none but its own.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use super::{PARTIAL, WHOLE, is_own, name, pack, read_in, shrink, unpack, write_in};

/// An empty folder that goes when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("cuprum-cache-{test}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        super::own::create_folder(&path).unwrap();
        Folder(path)
    }

    /// A file of 100 bytes that was last used some seconds ago.
    fn put(&self, name: &str, age: u64) {
        let file = super::own::create(&self.0.join(name)).unwrap();
        file.set_len(100).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A name of the cache, told from others by its first digit.
fn own_name(digit: char) -> String {
    format!("cuprum-{digit}{}{WHOLE}", "0".repeat(31))
}

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
    let folder = Folder::new("oldest");
    for (age, digit) in [(300, 'a'), (200, 'b'), (100, 'c')] {
        folder.put(&own_name(digit), age);
    }
    shrink(&folder.0, 299);
    assert_eq!(folder.names(), [own_name('b'), own_name('c')]);
}

#[test]
fn nobody_elses_files_go() {
    let folder = Folder::new("others");
    let partial = format!("cuprum-{}-{}{PARTIAL}", "0".repeat(32), "1".repeat(16));
    let others = [
        "thesis.tex",
        "00000000000000000000000000000000.bin",
        "cuprum-notes.bin",
        "cuprum-0000000000000000000000000000000g.bin",
        "1234.5.partial",
        &partial,
    ];
    for other in others {
        folder.put(other, if other == partial { 10 } else { 100_000 });
    }
    std::fs::create_dir(folder.0.join(own_name('d'))).unwrap();
    folder.put(&own_name('a'), 100);
    let abandoned = partial.replace('1', "2");
    folder.put(&abandoned, 10_000);
    shrink(&folder.0, 1);
    let mut left: Vec<String> = others.map(str::to_owned).to_vec();
    left.push(own_name('d'));
    left.sort();
    assert_eq!(folder.names(), left);
    assert!(is_own(&folder.0.join(&abandoned), PARTIAL) && !is_own(&folder.0.join(&abandoned), WHOLE));
}

#[test]
fn what_is_written_is_read() {
    let folder = Folder::new("written");
    let inner = folder.0.join("a/b");
    write_in(&inner, "sm_90", "text", b"code").unwrap();
    assert_eq!(read_in(&inner, "sm_90", "text").unwrap(), b"code");
    write_in(&inner, "sm_90", "text", b"other").unwrap();
    assert_eq!(read_in(&inner, "sm_90", "text").unwrap(), b"other");
    assert!(read_in(&inner, "sm_90", "another text").is_err());
    assert_eq!(std::fs::read_dir(&inner).unwrap().count(), 1);
}

#[cfg(unix)]
mod unix {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn mode(path: &std::path::Path) -> u32 {
        std::fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn nobody_else_reads_or_writes_what_is_written() {
        let folder = Folder::new("modes");
        let inner = folder.0.join("a/b");
        // SAFETY: it only sets what later files of this process are not allowed.
        let before = unsafe { libc::umask(0) };
        let written = write_in(&inner, "sm_90", "text", b"code");
        // SAFETY: as above.
        unsafe { libc::umask(before) };
        written.unwrap();
        assert_eq!((mode(&folder.0.join("a")), mode(&inner)), (0o700, 0o700));
        assert_eq!(mode(&inner.join(name("sm_90", "text", WHOLE))), 0o600);
    }

    #[test]
    fn what_somebody_else_may_write_is_refused() {
        let folder = Folder::new("shared");
        write_in(&folder.0, "sm_90", "text", b"code").unwrap();
        let file = folder.0.join(name("sm_90", "text", WHOLE));
        for (path, usual) in [(&folder.0, 0o700), (&file, 0o600)] {
            for open in [0o020, 0o002, 0o022] {
                set_permissions(path, Permissions::from_mode(usual | open)).unwrap();
                assert!(read_in(&folder.0, "sm_90", "text").is_err(), "{path:?} {open:o}");
                assert!(path == &file || write_in(&folder.0, "sm_90", "new", b"code").is_err());
            }
            set_permissions(path, Permissions::from_mode(usual)).unwrap();
            assert!(read_in(&folder.0, "sm_90", "text").is_ok());
        }
        assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 1);
    }

    #[test]
    fn somebody_elses_files_and_folders_are_refused() {
        // SAFETY: it takes nothing and cannot fail.
        if unsafe { libc::geteuid() } != 0 {
            // Only root can give files away; `/` is somebody else's to all others.
            assert!(write_in(std::path::Path::new("/"), "sm_90", "text", b"code").is_err());
            return;
        }
        let folder = Folder::new("owner");
        write_in(&folder.0, "sm_90", "text", b"code").unwrap();
        let file = folder.0.join(name("sm_90", "text", WHOLE));
        for path in [&file, &folder.0] {
            std::os::unix::fs::chown(path, Some(12345), None).unwrap();
            assert!(read_in(&folder.0, "sm_90", "text").is_err());
            std::os::unix::fs::chown(path, Some(0), None).unwrap();
            assert!(read_in(&folder.0, "sm_90", "text").is_ok());
        }
        std::os::unix::fs::chown(&file, Some(12345), None).unwrap();
        shrink(&folder.0, 0);
        assert!(file.exists());
    }

    #[test]
    fn links_are_not_followed() {
        let folder = Folder::new("links");
        let file = folder.0.join(name("sm_90", "text", WHOLE));
        let elsewhere = folder.0.join("elsewhere");
        std::fs::write(&elsewhere, pack("sm_90", "text", b"planted")).unwrap();
        symlink(&elsewhere, &file).unwrap();
        assert!(read_in(&folder.0, "sm_90", "text").is_err());
        // The link is replaced; what it led to stays.
        write_in(&folder.0, "sm_90", "text", b"code").unwrap();
        assert!(file.symlink_metadata().unwrap().is_file());
        assert_eq!(std::fs::read(&elsewhere).unwrap(), pack("sm_90", "text", b"planted"));
        // Nor does shrinking remove what a link of the cache's name leads to, or count it.
        symlink(&elsewhere, folder.0.join(own_name('e'))).unwrap();
        shrink(&folder.0, 0);
        assert!(elsewhere.exists() && !file.exists());
    }

    #[test]
    fn a_file_that_is_there_is_not_written_into() {
        let folder = Folder::new("there");
        let victim = folder.0.join("victim");
        std::fs::write(&victim, "mine").unwrap();
        let planted = folder.0.join("planted");
        symlink(&victim, &planted).unwrap();
        assert!(super::super::own::create(&planted).is_err() && super::super::own::create(&victim).is_err());
        assert_eq!(std::fs::read(&victim).unwrap(), b"mine");
    }

    #[test]
    fn a_pipe_is_not_waited_for() {
        let folder = Folder::new("pipe");
        let path = folder.0.join(name("sm_90", "text", WHOLE));
        let path = std::ffi::CString::new(path.into_os_string().into_encoded_bytes()).unwrap();
        // SAFETY: the path is a C string.
        assert_eq!(unsafe { libc::mkfifo(path.as_ptr(), 0o600) }, 0);
        assert!(read_in(&folder.0, "sm_90", "text").is_err());
    }
}
