//! The front end's entry: CUDA C to the kernel IR.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::path::PathBuf;

use crate::ir;
pub use crate::lower::module::RefusedKernel;

use crate::lower::module;
use crate::preprocess::{self, Headers};
use crate::{Diagnostic, Severity, SourceMap, headers, memory, parse};

/// What a text is compiled with.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What messages call the text; `kernel.cu` where it is empty.
    pub name: String,
    /// Macros, in order: a name, and what it stands for (1 where there is nothing).
    pub defines: Vec<(String, Option<String>)>,
    /// Macros that are taken away.
    pub undefines: Vec<String>,
    /// Kernels that are asked for by an expression: `scale<float, 4>`, `&ns::f<T>`.
    pub name_expressions: Vec<String>,
    /// Further headers by their names.
    pub headers: Vec<(String, String)>,
    /// Folders in which headers are looked for.
    pub include_dirs: Vec<PathBuf>,
    /// No warnings.
    pub quiet: bool,
}

impl Options {
    /// Options as NVRTC and nvcc take them: `-DNAME=VALUE`, `-U NAME`, `-I folder`, `-w`, with their long forms. Others
    /// say nothing to a CPU, and are accepted.
    ///
    /// ```
    /// let options = cuprum_kernel::cuda::Options::from_flags(&["-DN=4", "--std=c++17", "-I", "include", "-w"]);
    /// assert_eq!(options.defines, [("N".to_string(), Some("4".to_string()))]);
    /// assert!(options.quiet);
    /// ```
    pub fn from_flags(flags: &[&str]) -> Options {
        let mut options = Options::default();
        let mut flags = flags.iter();
        while let Some(flag) = flags.next() {
            let flag = flag.trim();
            let mut value = |short: &str, long: &str| -> Option<String> {
                if let Some(rest) = flag.strip_prefix(long) {
                    return match rest.strip_prefix('=') {
                        Some(rest) => Some(rest.to_owned()),
                        None if rest.is_empty() => flags.next().map(|next| (*next).to_owned()),
                        None => None,
                    };
                }
                let rest = flag.strip_prefix(short)?;
                if flag.starts_with("--") {
                    return None;
                }
                if rest.is_empty() {
                    return flags.next().map(|next| (*next).to_owned());
                }
                Some(rest.to_owned())
            };
            if let Some(define) = value("-D", "--define-macro") {
                match define.split_once('=') {
                    Some((name, text)) => options.defines.push((name.to_owned(), Some(text.to_owned()))),
                    None => options.defines.push((define, None)),
                }
            } else if let Some(name) = value("-U", "--undefine-macro") {
                options.undefines.push(name);
            } else if let Some(folder) = value("-I", "--include-path") {
                options.include_dirs.push(PathBuf::from(folder));
            } else if matches!(flag, "-w" | "--disable-warnings") {
                options.quiet = true;
            }
        }
        options
    }
}

/// A compiled text.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// Its kernels and what they use.
    pub module: ir::Module,
    /// What may be wrong.
    pub warnings: Vec<Diagnostic>,
    /// For each name expression, the name of its kernel.
    pub names: Vec<(String, String)>,
    /// Kernels that cannot be compiled, while others of the text can. They are not in the module.
    pub refused: Vec<RefusedKernel>,
}

/// What is wrong with a text, and the texts that it speaks of.
#[derive(Clone, Debug)]
pub struct Errors {
    /// The messages, errors and notes.
    pub diagnostics: Vec<Diagnostic>,
    /// The files.
    pub sources: SourceMap,
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, diagnostic) in self.diagnostics.iter().enumerate() {
            if at > 0 {
                writeln!(f)?;
            }
            write!(f, "{}", diagnostic.render(&self.sources))?;
        }
        Ok(())
    }
}

impl std::error::Error for Errors {}

/// Compiles a text. Every kernel that is no template is in the module, and the templates that `name_expressions` ask for.
///
/// ```
/// use cuprum_kernel::cuda::{Options, compile};
///
/// let text = "template <class T> __global__ void twice(T *x) { x[threadIdx.x] *= 2; }";
/// let options = Options { name_expressions: vec!["twice< float >".into()], ..Options::default() };
/// let compiled = compile(text, &options)?;
/// assert_eq!(compiled.names, [("twice< float >".to_string(), "twice<float>".to_string())]);
///
/// let errors = compile("__global__ void f(int *x) { *x = y; }", &Options::default()).unwrap_err();
/// assert!(errors.to_string().starts_with("kernel.cu:1:34: error: there is no variable or function `y`"));
///
/// // A kernel that cannot be compiled does not keep the others from being used.
/// let text = "__global__ void f(int *x) { *x = y; } __global__ void g(int *x) { *x = 1; }";
/// let compiled = compile(text, &Options::default())?;
/// assert_eq!(compiled.module.functions[0].name, "g");
/// assert_eq!(compiled.refused[0].name, "f");
/// # Ok::<(), cuprum_kernel::cuda::Errors>(())
/// ```
pub fn compile(text: &str, options: &Options) -> Result<Compiled, Errors> {
    on_large_stack(text, || front_end(text, options, true))
}

/// The kernels of a text with their parameters, without their bodies: for checks of a launch's arguments where another
/// compiler makes the code.
///
/// ```
/// use cuprum_kernel::cuda::{Options, signatures};
///
/// let found = signatures("__global__ void f(const float *x, int n) { asm(\"...\"); }", &Options::default())?;
/// let kernel = found.module.functions[0].kernel.as_ref().unwrap();
/// assert_eq!(kernel.params[0].type_name, "const float*");
/// # Ok::<(), cuprum_kernel::cuda::Errors>(())
/// ```
pub fn signatures(text: &str, options: &Options) -> Result<Compiled, Errors> {
    on_large_stack(text, || front_end(text, options, false))
}

/// The front end's stack.
const FRONT_END_STACK: usize = 256 << 20;
/// About the most that the front end takes for any text, and for each byte of it.
const FRONT_END_BYTES: usize = 24 << 20;
const BYTES_PER_TEXT_BYTE: usize = 1 << 10;

/// Lowering goes down trees by recursion, templates within templates: that takes more stack than a thread may have left.
fn on_large_stack<T: Send>(text: &str, then: impl FnOnce() -> Result<T, Errors> + Send) -> Result<T, Errors> {
    let because =
        |diagnostic: Diagnostic| Errors { diagnostics: vec![diagnostic], sources: SourceMap::default() };
    let failed = |message: &str| because(Diagnostic::error(crate::Span::default(), message));
    let bytes = FRONT_END_STACK + FRONT_END_BYTES + BYTES_PER_TEXT_BYTE * text.len();
    memory::check("the kernel's text and the front end's stack", bytes).map_err(because)?;
    std::thread::scope(|scope| {
        let thread =
            std::thread::Builder::new().name("cuprum front end".to_owned()).stack_size(FRONT_END_STACK);
        match thread.spawn_scoped(scope, then) {
            Ok(thread) => thread.join().unwrap_or_else(|_| Err(failed("the front end failed on this text"))),
            Err(_) => Err(because(memory::exhausted("the front end's stack", FRONT_END_STACK))),
        }
    })
}

fn front_end(text: &str, options: &Options, bodies: bool) -> Result<Compiled, Errors> {
    let mut sources = SourceMap::default();
    let name = if options.name.is_empty() { "kernel.cu" } else { &options.name };
    let defines: Vec<String> = options
        .defines
        .iter()
        .map(|(name, value)| match value {
            Some(value) => format!("{name}={value}"),
            None => name.clone(),
        })
        .collect();
    let defines: Vec<&str> = defines.iter().map(String::as_str).collect();
    let undefines: Vec<&str> = options.undefines.iter().map(String::as_str).collect();
    let found = Found { options };
    let preludes = headers::prelude(&found.with_headers(text));
    let read = preprocess::Options {
        headers: &found,
        preludes: &preludes,
        defines: &defines,
        undefines: &undefines,
    };
    let whole = with_asked(text, &options.name_expressions);
    let (unit, mut diagnostics) = parse::parse(&mut sources, name, &whole, &read);
    if diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        return Err(Errors { diagnostics, sources });
    }
    match module::lower(unit, sources, &options.name_expressions, bodies) {
        Ok(made) => {
            diagnostics.extend(made.warnings);
            if options.quiet {
                diagnostics.clear();
            }
            Ok(Compiled {
                module: made.module,
                warnings: diagnostics,
                names: made.names,
                refused: made.refused,
            })
        }
        Err((found, sources)) => {
            diagnostics.extend(found);
            Err(Errors { diagnostics, sources })
        }
    }
}

/// The text with the kernels that are asked for behind it, so that they are read with its names.
fn with_asked<'a>(text: &'a str, asked: &[String]) -> Cow<'a, str> {
    if asked.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut whole = text.to_owned();
    for (at, expression) in asked.iter().enumerate() {
        let line = expression.replace(['\n', '\r'], " ");
        whole.push_str(&format!(
            "\n#line 1 \"name expression\"\nnamespace {} {{ auto asked_{at} = ({line}); }}",
            module::NAME_EXPRESSIONS
        ));
    }
    whole.push('\n');
    Cow::Owned(whole)
}

/// So much of a text and its headers is searched for what the prelude has.
const MAX_SCANNED_BYTES: usize = 1 << 24;

/// The headers of a compilation: the prelude's, the caller's, ours, and files.
struct Found<'a> {
    options: &'a Options,
}

impl Found<'_> {
    /// A text with those of the caller's headers behind it that it includes: what they speak of, it speaks of.
    fn with_headers<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut whole = Cow::Borrowed(text);
        let mut seen = HashSet::new();
        let mut waiting = included(text);
        while let Some(name) = waiting.pop() {
            if whole.len() > MAX_SCANNED_BYTES || !seen.insert(name.clone()) {
                continue;
            }
            if let Some(header) = self.given(&name).or_else(|| self.file(&name)) {
                waiting.extend(included(&header));
                let whole = whole.to_mut();
                whole.push('\n');
                whole.push_str(&header);
            }
        }
        whole
    }

    /// A header that the caller has given.
    fn given(&self, name: &str) -> Option<Cow<'_, str>> {
        let (_, text) = self.options.headers.iter().find(|(known, _)| known == name)?;
        Some(Cow::Borrowed(text))
    }

    /// A header in one of the caller's folders, unless it is one of ours.
    fn file(&self, name: &str) -> Option<Cow<'_, str>> {
        if headers::text(name).is_some() {
            return None;
        }
        self.options.include_dirs.iter().find_map(|folder| {
            let path = folder.join(name);
            let is_small =
                std::fs::metadata(&path).is_ok_and(|about| about.is_file() && about.len() < 1 << 24);
            if is_small { std::fs::read_to_string(path).ok().map(Cow::Owned) } else { None }
        })
    }
}

/// The names of the headers that a text includes, those under false conditions among them.
fn included(text: &str) -> Vec<String> {
    let name = |line: &str| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
        let end = if rest.starts_with('<') { '>' } else { '"' };
        let (name, _) = rest.get(1..)?.split_once(end)?;
        Some(name.to_owned())
    };
    text.lines().filter_map(name).collect()
}

impl Headers for Found<'_> {
    fn text(&self, name: &str, _quoted: bool) -> Option<Cow<'_, str>> {
        self.given(name).or_else(|| headers::text(name).map(Cow::Borrowed)).or_else(|| self.file(name))
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.options.headers.iter().map(|(name, _)| name.clone()).collect();
        names.extend(headers::names().map(str::to_owned));
        names
    }
}
