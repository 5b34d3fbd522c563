//! Users' texts to machine code. What was compiled before comes from the disk, where the text says all of it.

use std::path::PathBuf;

use cuprum_core::{Error, Result};

use super::includes::{include_folders, is_self_contained};
use super::link::{RELOCATABLE, asks_for_linking, link};
use crate::compile::{cache, nvrtc};
use crate::context::Gpu;

/// A text in CUDA C, with all that its compilation depends on.
pub struct KernelText<'a> {
    /// Its file name in messages.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
    /// The compiler's options, as the user wrote them.
    pub options: &'a [String],
    /// Headers that are not files: the name to include them by, and their text.
    pub headers: &'a [(String, String)],
    /// Name expressions: kernels named by C++ expressions, such as `scale<float>`.
    pub expressions: &'a [String],
}

/// Machine code, and the names in it of the kernels that were asked for by name expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltModule {
    /// A cubin.
    pub code: Vec<u8>,
    /// Each name expression with its lowered name: the one in the machine code.
    pub lowered: Vec<(String, String)>,
    /// The compiler's log.
    pub log: String,
}

/// Why a text did not become code.
#[derive(Clone, Debug)]
pub enum BuildError {
    /// The compiler refuses it: its messages.
    Refused(String),
    /// Anything else.
    Failed(Error),
}

impl From<Error> for BuildError {
    fn from(error: Error) -> BuildError {
        BuildError::Failed(error)
    }
}

/// The code of a text for a GPU: from the disk where it was compiled before, else compiled now.
pub fn build(gpu: &Gpu, text: &KernelText<'_>) -> std::result::Result<BuiltModule, BuildError> {
    let target = format!("sm_{}{}", gpu.capability.0, gpu.capability.1);
    let folders = include_folders();
    let key = is_self_contained(text, &folders).then(|| key(text, &folders));
    let identity = cache::identity(&target)?;
    if let Some(built) = key.as_ref().and_then(|key| unpack(&cache::read(&identity, key)?)) {
        return Ok(built);
    }
    let mut options: Vec<String> = text.options.to_vec();
    if !names_target(&options) {
        options.push(format!("--gpu-architecture={}", nvrtc::target_for(gpu.capability)?));
    }
    options.extend(folders.iter().map(|folder| format!("--include-path={}", folder.display())));
    let built = compile_and_link(gpu, text, options)?;
    if let Some(key) = key {
        cache::write(&identity, &key, &pack(&built));
    }
    Ok(built)
}

/// Compiles a text, and links it if its kernels launch kernels. Since `<<<` may also stand in host code and comments, a
/// text is compiled as linkable code only after compiling it as it is has failed.
fn compile_and_link(
    gpu: &Gpu,
    text: &KernelText<'_>,
    mut options: Vec<String>,
) -> std::result::Result<BuiltModule, BuildError> {
    let compiled = nvrtc::compile_user(text, &options);
    if asks_for_linking(&options) {
        let built = compiled?;
        return Ok(BuiltModule { code: link(gpu, &built.code)?, ..built });
    }
    let texts = || std::iter::once(text.text).chain(text.headers.iter().map(|(_, header)| header.as_str()));
    match compiled {
        Err(BuildError::Refused(_)) if texts().any(|text| text.contains("<<<")) => {
            options.push(RELOCATABLE.to_string());
            let built = nvrtc::compile_user(text, &options)?;
            Ok(BuiltModule { code: link(gpu, &built.code)?, ..built })
        }
        compiled => compiled,
    }
}

/// The PTX of a text for GPUs of a compute capability. No GPU is needed, but NVRTC is.
pub fn ptx(text: &KernelText<'_>, capability: (u32, u32)) -> std::result::Result<String, BuildError> {
    let mut options: Vec<String> = text.options.to_vec();
    options.push(format!("--gpu-architecture=compute_{}{}", capability.0, capability.1));
    options.extend(include_folders().iter().map(|folder| format!("--include-path={}", folder.display())));
    let built = nvrtc::compile_user(text, &options)?;
    Ok(String::from_utf8_lossy(&built.code).trim_end_matches('\0').to_string())
}

fn names_target(options: &[String]) -> bool {
    ["--gpu-architecture", "-arch"].iter().any(|name| options.iter().any(|option| option.starts_with(name)))
}

/// Everything that the code depends on beside the compiler: texts with their lengths, so that none runs into another.
fn key(text: &KernelText<'_>, folders: &[PathBuf]) -> String {
    let mut key = String::from("user\n");
    let mut add = |part: &str| {
        key.push_str(&part.len().to_string());
        key.push(':');
        key.push_str(part);
    };
    add(text.text);
    add(text.name);
    text.options.iter().for_each(|option| add(option));
    add("expressions");
    text.expressions.iter().for_each(|expression| add(expression));
    add("headers");
    text.headers.iter().for_each(|(name, header)| {
        add(name);
        add(header);
    });
    folders.iter().for_each(|folder| add(&folder.display().to_string()));
    key
}

fn pack(built: &BuiltModule) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(built.code.len() + 64);
    let mut add = |part: &[u8]| {
        bytes.extend((part.len() as u64).to_le_bytes());
        bytes.extend(part);
    };
    add(&built.code);
    add(built.log.as_bytes());
    for (expression, lowered) in &built.lowered {
        add(expression.as_bytes());
        add(lowered.as_bytes());
    }
    bytes
}

fn unpack(bytes: &[u8]) -> Option<BuiltModule> {
    let mut parts = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let (length, after) = rest.split_at_checked(8)?;
        let length = usize::try_from(u64::from_le_bytes(length.try_into().ok()?)).ok()?;
        let (part, after) = after.split_at_checked(length)?;
        parts.push(part);
        rest = after;
    }
    let text = |part: &[u8]| String::from_utf8(part.to_vec()).ok();
    let [code, log, names @ ..] = parts.as_slice() else { return None };
    let lowered: Option<Vec<_>> =
        names.chunks(2).map(|pair| Some((text(pair[0])?, text(pair.get(1)?)?))).collect();
    Some(BuiltModule { code: code.to_vec(), lowered: lowered?, log: text(log)? })
}

/// A C string of a part of the request.
pub(crate) fn c_string(text: &str, what: &str) -> Result<std::ffi::CString> {
    std::ffi::CString::new(text).map_err(|_| Error::value("RawModule", format!("the {what} holds a NUL")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_names_and_messages_come_back_from_the_disk() {
        let built = BuiltModule {
            code: vec![1, 2, 3],
            lowered: vec![("f<int>".into(), "_Z1fIiE".into()), ("g".into(), "g".into())],
            log: "a warning".into(),
        };
        assert_eq!(unpack(&pack(&built)), Some(built.clone()));
        let packed = pack(&built);
        assert_eq!(unpack(&packed[..packed.len() - 1]), None);
    }

    #[test]
    fn every_part_of_a_request_is_in_its_key() {
        let options = ["-DN=1".to_string()];
        let plain = KernelText { name: "a.cu", text: "x", options: &[], headers: &[], expressions: &[] };
        let with = KernelText { options: &options, ..plain };
        let named = KernelText { expressions: &options, ..plain };
        let keys = [key(&plain, &[]), key(&with, &[]), key(&named, &[])];
        assert!(keys[0] != keys[1] && keys[1] != keys[2] && keys[0] != keys[2]);
    }
}
