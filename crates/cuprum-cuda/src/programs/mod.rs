//! Running Programs: the kernel of each structure is compiled once; while one compiles, work goes on step by step with
//! kernels that are there already.

mod split;

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Arc, Mutex, RwLock};

use cuprum_core::{Error, Result};
use cuprum_graph::{Buffer, Program};
use smallvec::SmallVec;

use crate::codegen::{Key, Plan};
use crate::compile::{self, Kernel};
use crate::launch::{Args, launch};
use crate::session::Session;

use split::has_steps;

/// The kernels of Programs on one GPU.
#[derive(Default)]
pub(crate) struct Programs {
    kernels: RwLock<HashMap<Key, Kernel, BuildHasherDefault<KeyHash>>>,
    /// Structures that a thread is compiling.
    under_way: Mutex<HashSet<Key>>,
    /// Structures whose text the compiler has refused: they run in steps.
    refused: Mutex<HashSet<Key>>,
}

/// Takes a key's own hash as it is.
#[derive(Default)]
struct KeyHash(u64);

impl Hasher for KeyHash {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0000_0100_0000_01b3));
    }
    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
    fn finish(&self) -> u64 {
        self.0
    }
}

/// Addresses of a Program's buffers.
type Addresses = SmallVec<[usize; 8]>;

fn addresses(buffers: &[Buffer]) -> Addresses {
    buffers.iter().map(Buffer::address).collect()
}

impl Programs {
    fn ready(&self, key: &Key) -> Option<Kernel> {
        self.kernels.read().unwrap_or_else(|e| e.into_inner()).get(key).copied()
    }

    fn is_refused(&self, key: &Key) -> bool {
        self.refused.lock().unwrap_or_else(|e| e.into_inner()).contains(key)
    }

    fn refuse(&self, key: Key) {
        self.refused.lock().unwrap_or_else(|e| e.into_inner()).insert(key);
    }

    fn keep(&self, key: Key, kernel: Kernel) {
        self.kernels.write().unwrap_or_else(|e| e.into_inner()).insert(key, kernel);
    }

    /// Runs a Program in the session's stream.
    pub(crate) fn run(
        self: &Arc<Programs>,
        session: &Session,
        program: &Program,
        inputs: &[Buffer],
        outputs: &[Buffer],
    ) -> Result<()> {
        let Some(plan) = Plan::of(program, &addresses(inputs), &addresses(outputs)) else { return Ok(()) };
        let kernel = match self.ready(&plan.key) {
            Some(kernel) => kernel,
            None => {
                let source = plan.key.source();
                match compile::load_known(session.gpu(), &source)? {
                    Some(module) => self.loaded(&plan.key, module)?,
                    None if self.is_refused(&plan.key) => {
                        return self.run_in_steps(session, program, inputs, outputs);
                    }
                    None if self.runs_in_steps(program) => {
                        self.compile_aside(session, plan.key.clone(), source);
                        match self.run_in_steps(session, program, inputs, outputs) {
                            // Steps need memory that the fused kernel does not; nothing is stored before they have it.
                            Err(Error::Memory { .. }) => self.compiled(session, &plan.key)?,
                            outcome => return outcome,
                        }
                    }
                    None => match self.compiled(session, &plan.key) {
                        // What cannot be compiled as a whole may still be compiled in parts.
                        Err(error @ Error::Device { .. }) if has_steps(program) => {
                            self.run_in_steps(session, program, inputs, outputs).map_err(|_| error)?;
                            self.refuse(plan.key);
                            return Ok(());
                        }
                        outcome => outcome?,
                    },
                }
            }
        };
        self.launch(session, kernel, plan)
    }

    fn compiled(&self, session: &Session, key: &Key) -> Result<Kernel> {
        self.loaded(key, compile::load(session.gpu(), &key.source())?)
    }

    fn loaded(&self, key: &Key, module: compile::Module) -> Result<Kernel> {
        let kernel = module.kernel("program")?;
        self.keep(key.clone(), kernel);
        Ok(kernel)
    }

    fn launch(&self, session: &Session, kernel: Kernel, mut plan: Plan) -> Result<()> {
        let bytes = plan.scratch_bytes();
        let scratch = if bytes > 0 { Some(session.scratch(bytes)?) } else { None };
        let tickets = if bytes > 0 { session.tickets()? } else { 0 };
        let geometry = plan.geometry;
        let mut args = Args::new();
        args.bytes(plan.args(scratch.as_ref().map_or(0, Buffer::address), tickets));
        launch(kernel, geometry.grid, geometry.block, geometry.shared, session.stream(), &args)
    }

    /// Compiles a kernel on a thread of its own; until it is there, Programs of its structure run in steps.
    fn compile_aside(self: &Arc<Programs>, session: &Session, key: Key, source: String) {
        if !self.under_way.lock().unwrap_or_else(|e| e.into_inner()).insert(key.clone()) {
            return;
        }
        let (programs, gpu) = (self.clone(), session.gpu());
        compile::run_aside(move || {
            match compile::load(gpu, &source).and_then(|module| module.kernel("program")) {
                Ok(kernel) => programs.keep(key.clone(), kernel),
                Err(_) => programs.refuse(key.clone()),
            }
            programs.under_way.lock().unwrap_or_else(|e| e.into_inner()).remove(&key);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_with_equal_hashes_have_kernels_of_their_own() {
        let programs = Programs::default();
        for pack in 1..=4 {
            programs.keep(Key::colliding(pack), Kernel { function: pack.into(), name: "program" });
        }
        for pack in 1..=4 {
            let kernel = programs.ready(&Key::colliding(pack)).expect("it was kept");
            assert_eq!(kernel.function, usize::from(pack));
        }
        assert!(programs.ready(&Key::colliding(5)).is_none());
        programs.refuse(Key::colliding(5));
        assert!(programs.is_refused(&Key::colliding(5)) && !programs.is_refused(&Key::colliding(6)));
    }
}
