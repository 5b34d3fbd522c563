//! Calling NVRTC.

use std::ffi::{CString, c_char};
use std::sync::Once;

use cuprum_core::{Error, Result};

use cuprum_graph::{Event, EventKind, Span};

use super::background::wait_at_exit;
use super::ptx_repair;
use crate::context::driver_version;
use crate::sys::{Nvrtc, nvrtc};
use crate::user::{BuildError, BuiltModule, KernelText, c_string};

/// What every kernel is compiled with: no fused multiply-add where the text has none, exact division and roots
/// (the compiler's own default), and functions that need no annotation.
const OPTIONS: [&str; 3] = ["--std=c++17", "--fmad=false", "--device-as-default-execution-space"];

/// The version of the compiler.
pub fn version() -> Result<(i32, i32)> {
    let (mut major, mut minor) = (0, 0);
    // SAFETY: writes two numbers.
    unsafe { (library()?.nvrtcVersion)(&mut major, &mut minor) };
    Ok((major, minor))
}

/// Options for [`compile`] where only the question matters whether a text compiles: few optimisations, in a third of the time.
/// None before CUDA 13.
pub fn quick_options() -> &'static [&'static str] {
    if version().is_ok_and(|version| version >= (13, 0)) { &["--Ofast-compile=max"] } else { &[] }
}

fn library() -> Result<&'static Nvrtc> {
    static LOADED: Once = Once::new();
    let library = nvrtc().map_err(Error::device)?;
    wait_at_exit(&LOADED);
    Ok(library)
}

/// Compiles a text for a target: machine code for `sm_90`, PTX (ending in a NUL) for `compute_90`.
///
/// An error carries the compiler's messages.
pub fn compile(source: &str, target: &str, options: &[&str]) -> Result<Vec<u8>> {
    let lib = library()?;
    let text = CString::new(source).map_err(|_| Error::device("a kernel's text holds a NUL"))?;
    let mut program = NvrtcProgram { lib, handle: 0 };
    // SAFETY: the text is a C string, no headers are passed, one handle is written.
    let made = unsafe {
        (lib.nvrtcCreateProgram)(
            &mut program.handle,
            text.as_ptr(),
            c"cuprum.cu".as_ptr(),
            0,
            std::ptr::null(),
            std::ptr::null(),
        )
    };
    if made != 0 {
        return Err(Error::device(format!("nvrtcCreateProgram returned {made}")));
    }
    let span = Span::begin();
    let code = program.compile_with(&all_options(target, options))?;
    span.end(|| Event::new(EventKind::Compile, "program").bytes(source.len()));
    if code != 0 {
        return Err(Error::device(format!("a kernel did not compile for {target}:\n{}", program.log())));
    }
    program.code(&all_options(target, options))
}

/// The options of our own texts.
fn all_options(target: &str, options: &[&str]) -> Vec<String> {
    let target = format!("--gpu-architecture={target}");
    OPTIONS.iter().chain(options).map(|option| option.to_string()).chain([target]).collect()
}

/// Whether the driver assembles the PTX of this compiler: it does so for versions up to its own.
fn driver_takes_ptx() -> Result<bool> {
    let (major, minor) = version()?;
    Ok(driver_version().map_or(true, |driver| major * 1000 + minor * 10 <= driver))
}

/// What to compile for where the GPU has this capability: machine code, or PTX for the driver to translate where the
/// compiler does not know the GPU yet.
pub(crate) fn target_for(capability: (u32, u32)) -> Result<String> {
    let number = (10 * capability.0 + capability.1) as i32;
    let known = library()?.capabilities();
    if known.is_empty() || known.contains(&number) {
        return Ok(format!("sm_{number}"));
    }
    match known.iter().filter(|&&other| other < number).max() {
        Some(older) => Ok(format!("compute_{older}")),
        None => {
            let (major, minor) = version()?;
            Err(Error::device(format!(
                "NVRTC {major}.{minor} compiles for GPUs of compute capability {}.{} and later, this one has {}.{}: \
                 pip install nvidia-cuda-nvrtc-cu12",
                known[0] / 10,
                known[0] % 10,
                capability.0,
                capability.1
            )))
        }
    }
}

/// Compiles a text of the user's with the options given and no others: a cubin, or PTX where the target is a virtual one.
pub(crate) fn compile_user(
    text: &KernelText<'_>,
    options: &[String],
) -> std::result::Result<BuiltModule, BuildError> {
    let lib = library()?;
    let (source, name) = (c_string(text.text, "text")?, c_string(text.name, "file's name")?);
    let mut names = Vec::new();
    let mut headers = Vec::new();
    for (name, header) in text.headers {
        names.push(c_string(name, "header's name")?);
        headers.push(c_string(header, "header")?);
    }
    let pointers = |texts: &[CString]| texts.iter().map(|text| text.as_ptr()).collect::<Vec<_>>();
    let (name_pointers, header_pointers) = (pointers(&names), pointers(&headers));
    let mut program = NvrtcProgram { lib, handle: 0 };
    // SAFETY: all texts are C strings that outlive the call, as many names as headers are passed, one handle is written.
    let made = unsafe {
        (lib.nvrtcCreateProgram)(
            &mut program.handle,
            source.as_ptr(),
            name.as_ptr(),
            headers.len() as i32,
            header_pointers.as_ptr(),
            name_pointers.as_ptr(),
        )
    };
    if made != 0 {
        return Err(Error::device(format!("nvrtcCreateProgram returned {made}")).into());
    }
    let mut expressions = Vec::new();
    for expression in text.expressions {
        let c_expression = c_string(expression, "name expression")?;
        // SAFETY: the program is alive and not compiled yet, the expression is a C string.
        let added = unsafe { (lib.nvrtcAddNameExpression)(program.handle, c_expression.as_ptr()) };
        if added != 0 {
            return Err(Error::device(format!("nvrtcAddNameExpression returned {added}")).into());
        }
        expressions.push((expression, c_expression));
    }
    if program.compile_with(options)? != 0 {
        return Err(BuildError::Refused(program.log()));
    }
    let code = program.code(options)?;
    let mut lowered = Vec::new();
    for (expression, c_expression) in expressions {
        let mut text: *const c_char = std::ptr::null();
        // SAFETY: the program is compiled; one pointer to a text of the program's is written.
        let found = unsafe { (lib.nvrtcGetLoweredName)(program.handle, c_expression.as_ptr(), &mut text) };
        if found != 0 || text.is_null() {
            let message = format!("the name expression '{expression}' is none that the compiler knows");
            return Err(BuildError::Refused(message));
        }
        // SAFETY: a C string that lives as long as the program.
        let text = unsafe { std::ffi::CStr::from_ptr(text) }.to_string_lossy().into_owned();
        lowered.push((expression.clone(), text));
    }
    Ok(BuiltModule { code, lowered, log: program.log() })
}

/// A program of NVRTC's, destroyed when dropped.
struct NvrtcProgram {
    lib: &'static Nvrtc,
    handle: usize,
}

impl NvrtcProgram {
    /// What was compiled with these options: machine code, or PTX where the target is a virtual one and where the
    /// driver's assembler has to take a repaired text.
    fn code(&self, options: &[String]) -> Result<Vec<u8>> {
        let machine_code = self
            .output(self.lib.nvrtcGetCUBINSize, self.lib.nvrtcGetCUBIN)
            .ok()
            .filter(|code| !code.is_empty());
        if let Some(code) = &machine_code
            && version()? >= ptx_repair::FIXED_IN
        {
            return Ok(code.clone());
        }
        let ptx = self.output(self.lib.nvrtcGetPTXSize, self.lib.nvrtcGetPTX);
        let text = ptx.as_deref().ok().and_then(|ptx| std::str::from_utf8(ptx).ok());
        match (machine_code, text.and_then(ptx_repair::repaired)) {
            (Some(_), Some(repaired)) if driver_takes_ptx()? => Ok(repaired.into_bytes()),
            (Some(_), Some(_)) => {
                // Without optimisation the assembler has no defect.
                let options: Vec<String> =
                    options.iter().cloned().chain(["--ptxas-options=-O0".to_string()]).collect();
                match self.compile_with(&options)? {
                    0 => self.output(self.lib.nvrtcGetCUBINSize, self.lib.nvrtcGetCUBIN),
                    code => Err(Error::device(format!("NVRTC returned {code}: {}", self.log()))),
                }
            }
            (Some(code), None) => Ok(code),
            (None, Some(repaired)) => Ok(repaired.into_bytes()),
            (None, None) => ptx,
        }
    }

    /// Compiles with exactly these options; gives NVRTC's code.
    fn compile_with(&self, options: &[String]) -> Result<i32> {
        let all = options.iter().map(String::as_str);
        let texts: std::result::Result<Vec<CString>, _> = all.map(CString::new).collect();
        let texts = texts.map_err(|_| Error::device("a compiler option holds a NUL"))?;
        let pointers: Vec<*const c_char> = texts.iter().map(|text| text.as_ptr()).collect();
        // SAFETY: the program is alive, the options are C strings that outlive the call.
        Ok(unsafe { (self.lib.nvrtcCompileProgram)(self.handle, pointers.len() as i32, pointers.as_ptr()) })
    }

    fn log(&self) -> String {
        let text =
            self.output(self.lib.nvrtcGetProgramLogSize, self.lib.nvrtcGetProgramLog).unwrap_or_default();
        String::from_utf8_lossy(&text).trim_end_matches('\0').to_string()
    }

    fn output(
        &self,
        size: unsafe extern "C" fn(usize, *mut usize) -> i32,
        get: unsafe extern "C" fn(usize, *mut c_char) -> i32,
    ) -> Result<Vec<u8>> {
        let mut bytes = 0;
        // SAFETY: the program is alive; one number is written.
        let sized = unsafe { size(self.handle, &mut bytes) };
        let mut output = vec![0u8; bytes];
        // SAFETY: exactly so many bytes are written.
        let got = if sized == 0 { unsafe { get(self.handle, output.as_mut_ptr().cast()) } } else { sized };
        if got == 0 { Ok(output) } else { Err(Error::device(format!("NVRTC returned {got}"))) }
    }
}

impl Drop for NvrtcProgram {
    fn drop(&mut self) {
        // SAFETY: the handle is ours, or zero when it was never made, which NVRTC refuses.
        unsafe { (self.lib.nvrtcDestroyProgram)(&mut self.handle) };
    }
}

#[cfg(test)]
mod tests {
    use super::{compile, library, target_for};

    const TEXT: &str = "extern \"C\" __global__ void kernel(float *x) { x[threadIdx.x] += 1; }";

    #[test]
    #[ignore = "for NVIDIA's own compiler: make test-rust runs it"]
    fn gpus_that_the_compiler_does_not_know_yet_get_ptx() {
        let known = library().unwrap().capabilities();
        assert!(known.contains(&90), "{known:?}");
        let compiled = |capability| compile(TEXT, &target_for(capability).unwrap(), &[]).unwrap();
        assert!(compiled((9, 0)).starts_with(b"\x7fELF"));
        let ptx = compiled((99, 0));
        let target = format!(".target sm_{}", known.iter().max().unwrap());
        assert!(String::from_utf8_lossy(&ptx).contains(&target) && ptx.ends_with(&[0]));
        let negated = "extern \"C\" __global__ void kernel(const int *x, short *y, int *z) {
            z[0] = max(max(x[0], -x[1]), x[2]);
            z[1] = (short)-y[0];
        }";
        let ptx = String::from_utf8(compile(negated, "compute_90", &[]).unwrap()).unwrap();
        assert!(ptx.contains("not.b32") && ptx.contains("not.b16") && !ptx.contains("neg.s"), "{ptx}");
        let error = target_for((3, 5)).unwrap_err().to_string();
        assert!(error.contains("has 3.5: pip install"), "{error}");
    }
}
