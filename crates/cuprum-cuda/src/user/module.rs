//! Machine code of users' kernels on a GPU.

use std::collections::HashSet;
use std::ffi::c_void;
use std::sync::{Arc, Mutex};

use cuprum_core::{Error, Result};

use super::build::{BuiltModule, c_string};
use super::function::UserFunction;
use crate::capture::was_capturing;
use crate::check::{check, cuda};
use crate::context::Gpu;

const NOT_FOUND: i32 = 500;
/// Modules that are no longer referenced: GPU and handle. They go when the next one is loaded, not at once: whoever drops
/// one must not wait for the GPU.
static LEFT: Mutex<Vec<(usize, usize)>> = Mutex::new(Vec::new());

/// Machine code on a GPU, unloaded when the last function of it goes.
pub struct UserModule {
    gpu: &'static Gpu,
    handle: usize,
    lowered: Vec<(String, String)>,
    log: String,
}

impl UserModule {
    /// Loads compiled code onto a GPU.
    pub fn load_built(gpu: &'static Gpu, built: BuiltModule) -> Result<Arc<UserModule>> {
        let handle = load(gpu, &built.code)?;
        Ok(Arc::new(UserModule { gpu, handle, lowered: built.lowered, log: built.log }))
    }

    /// Loads a cubin, a fatbin or PTX onto a GPU.
    pub fn load(gpu: &'static Gpu, code: &[u8]) -> Result<Arc<UserModule>> {
        // PTX is a C string to the driver.
        let mut code = code.to_vec();
        code.push(0);
        let handle = load(gpu, &code)?;
        Ok(Arc::new(UserModule { gpu, handle, lowered: Vec::new(), log: String::new() }))
    }

    /// The GPU that it is on.
    pub fn gpu(&self) -> &'static Gpu {
        self.gpu
    }

    /// The driver's handle.
    pub fn handle(&self) -> usize {
        self.handle
    }

    /// The name expressions that were asked for, with the names that they have in the code.
    pub fn names(&self) -> &[(String, String)] {
        &self.lowered
    }

    /// The compiler's log.
    pub fn log(&self) -> &str {
        &self.log
    }

    /// The kernel of a name or a name expression.
    pub fn function(self: &Arc<UserModule>, name: &str) -> Result<UserFunction> {
        self.gpu.enter()?;
        let wanted = c_string(self.lowered_name(name), "kernel's name")?;
        let mut function = 0;
        // SAFETY: the module is loaded, the name is a C string, one handle is written.
        match unsafe { (cuda()?.cuModuleGetFunction)(&mut function, self.handle, wanted.as_ptr()) } {
            NOT_FOUND => {
                let message = format!(
                    "there is no kernel '{name}': declare it extern \"C\" __global__, or give its C++ name in \
                     name_expressions"
                );
                Err(Error::value("get_function", message))
            }
            code => {
                check(code, "cuModuleGetFunction")?;
                Ok(UserFunction::new(self.clone(), function, intern(name)))
            }
        }
    }

    /// The address of a variable of the module, and its size in bytes.
    pub fn global(&self, name: &str) -> Result<(usize, usize)> {
        self.gpu.enter()?;
        let wanted = c_string(self.lowered_name(name), "variable's name")?;
        let (mut address, mut bytes) = (0, 0);
        // SAFETY: the module is loaded, the name is a C string, two numbers are written.
        let code =
            unsafe { (cuda()?.cuModuleGetGlobal_v2)(&mut address, &mut bytes, self.handle, wanted.as_ptr()) };
        if code == NOT_FOUND {
            let message = format!("there is no __device__ or __constant__ variable '{name}'");
            return Err(Error::value("get_global", message));
        }
        check(code, "cuModuleGetGlobal")?;
        Ok((address, bytes))
    }

    fn lowered_name<'a>(&'a self, name: &'a str) -> &'a str {
        self.lowered.iter().find(|(expression, _)| expression == name).map_or(name, |(_, lowered)| lowered)
    }
}

impl Drop for UserModule {
    fn drop(&mut self) {
        LEFT.lock().unwrap_or_else(|e| e.into_inner()).push((self.gpu.ordinal, self.handle));
    }
}

/// Unloads modules that are no longer referenced, once their work is done. Graphs may hold kernels of theirs: where there
/// ever was one, they stay.
fn unload_left(gpu: &Gpu) -> Result<()> {
    if was_capturing() {
        return Ok(());
    }
    let mut left = LEFT.lock().unwrap_or_else(|e| e.into_inner());
    let mut handles: Vec<usize> = Vec::new();
    left.retain(|(ordinal, handle)| {
        let here = *ordinal == gpu.ordinal;
        if here {
            handles.push(*handle);
        }
        !here
    });
    drop(left);
    if handles.is_empty() {
        return Ok(());
    }
    gpu.synchronize()?;
    for handle in handles {
        // SAFETY: the module is loaded, its work is done, and nobody has a function of it any more.
        check(unsafe { (cuda()?.cuModuleUnload)(handle) }, "cuModuleUnload")?;
    }
    Ok(())
}

fn load(gpu: &Gpu, code: &[u8]) -> Result<usize> {
    unload_left(gpu)?;
    gpu.enter()?;
    let mut handle = 0;
    // SAFETY: the driver reads the code, whose end it knows from its headers; PTX ends in a NUL.
    let loaded = unsafe { (cuda()?.cuModuleLoadData)(&mut handle, code.as_ptr().cast::<c_void>()) };
    check(loaded, "cuModuleLoadData")?;
    Ok(handle)
}

/// A name that lives as long as the process: the names of the last launches are kept for errors.
fn intern(name: &str) -> &'static str {
    static NAMES: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);
    let mut names = NAMES.lock().unwrap_or_else(|e| e.into_inner());
    let names = names.get_or_insert_default();
    if let Some(known) = names.get(name) {
        return known;
    }
    let made: &'static str = Box::leak(name.to_string().into_boxed_str());
    names.insert(made);
    made
}
