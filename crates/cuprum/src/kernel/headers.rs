//! Where our front end finds headers: those that came with the text, our own, then the user's folders.

use std::borrow::Cow;
use std::cell::RefCell;
use std::path::{Path, PathBuf};

use cuprum_kernel::headers;
use cuprum_kernel::preprocess::Headers;

use super::module::ModuleSource;

/// No header of a kernel is as long.
const LONGEST: u64 = 16 << 20;

/// The headers of one text.
pub(super) struct Library<'a> {
    given: &'a [(String, String)],
    /// Folders to look into; those of headers that were found come behind, for what these include.
    folders: RefCell<Vec<PathBuf>>,
}

impl<'a> Library<'a> {
    /// The headers that a text finds: its own folder is searched first, as NVRTC does.
    pub(super) fn of(source: &'a ModuleSource, folders: &[PathBuf]) -> Library<'a> {
        let own = Path::new(&source.file).parent().unwrap_or(Path::new("")).to_path_buf();
        Library {
            given: &source.headers,
            folders: RefCell::new(std::iter::once(own).chain(folders.iter().cloned()).collect()),
        }
    }

    fn read(&self, name: &str) -> Option<String> {
        let folders = self.folders.borrow().clone();
        let path = folders.iter().map(|folder| folder.join(name)).find(|path| path.is_file())?;
        if path.metadata().ok()?.len() > LONGEST {
            return None;
        }
        let text = String::from_utf8_lossy(&std::fs::read(&path).ok()?).into_owned();
        let beside = path.parent()?.to_path_buf();
        if !folders.contains(&beside) {
            self.folders.borrow_mut().push(beside);
        }
        Some(text)
    }
}

impl Headers for Library<'_> {
    fn text(&self, name: &str, _quoted: bool) -> Option<Cow<'_, str>> {
        if let Some((_, text)) = self.given.iter().find(|(known, _)| known == name) {
            return Some(Cow::Borrowed(text));
        }
        headers::text(name).map(Cow::Borrowed).or_else(|| self.read(name).map(Cow::Owned))
    }

    fn names(&self) -> Vec<String> {
        let given = self.given.iter().map(|(name, _)| name.clone());
        given.chain(headers::names().map(String::from)).collect()
    }
}
