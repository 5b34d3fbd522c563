//! Running Programs: the kernel of each structure is compiled once; while one compiles, work goes on step by step with
//! kernels that are there already.

mod step_by_step;

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Arc, Mutex, RwLock};

use cuprum_core::{Error, Result};
use cuprum_graph::{Buffer, DeviceCache, Program, ProgramRun};
use smallvec::SmallVec;

use crate::codegen::{CachedLaunch, JoinedLaunch, JoinedPlan, KernelKey, LaunchPlan};
use crate::compile::{self, Kernel};
use crate::launch::{LaunchArgs, launch, launch_with};
use crate::session::Session;

use step_by_step::has_steps;

/// The kernels of Programs on one GPU.
#[derive(Default)]
pub(crate) struct Programs {
    kernels: RwLock<HashMap<KernelKey, Kernel, BuildHasherDefault<KeyHash>>>,
    /// Structures that a thread is compiling.
    under_way: Mutex<HashSet<KernelKey>>,
    /// Structures whose text the compiler has refused: they run in steps.
    refused: Mutex<HashSet<KernelKey>>,
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

/// The launch that a Program had last.
struct LastLaunch {
    kernel: Kernel,
    launch: CachedLaunch,
}

impl LastLaunch {
    fn run(
        &mut self,
        session: &Session,
        program: &Program,
        inputs: &[Buffer],
        outputs: &[Buffer],
    ) -> Result<()> {
        let geometry = self.launch.geometry;
        let own = LaunchMemory::new(session, self.launch.scratch)?;
        let args = self.launch.args(program, &(inputs, outputs), own.address(), own.tickets);
        // SAFETY: the kernel's one argument is filled in with the operands of a Program, and `own` is the memory it asks for.
        unsafe { launch_with(session, self.kernel, geometry, args) }
    }
}

/// The launch that several Programs had last.
struct LastJoined {
    kernel: Kernel,
    launch: JoinedLaunch,
}

impl LastJoined {
    fn run(&mut self, session: &Session, runs: &[ProgramRun<'_>]) -> Result<()> {
        let geometry = self.launch.geometry;
        let args = self.launch.args(runs);
        // SAFETY: as for one Program.
        unsafe { launch_with(session, self.kernel, geometry, args) }
    }
}

/// Memory that a launch needs for itself.
struct LaunchMemory {
    scratch: Option<Buffer>,
    tickets: usize,
}

impl LaunchMemory {
    fn new(session: &Session, bytes: usize) -> Result<LaunchMemory> {
        if bytes == 0 {
            return Ok(LaunchMemory { scratch: None, tickets: 0 });
        }
        Ok(LaunchMemory { scratch: Some(session.scratch(bytes)?), tickets: session.tickets()? })
    }

    fn address(&self) -> usize {
        self.scratch.as_ref().map_or(0, Buffer::address)
    }
}

/// What is known of the kernel of several Programs.
enum JoinedKernel {
    Ready(Kernel),
    /// It is being compiled, and all Programs run in steps meanwhile.
    InSteps,
    /// There is none: each Program runs by itself.
    None,
}

/// Addresses of a Program's buffers.
type Addresses = SmallVec<[usize; 8]>;

fn addresses(buffers: &[Buffer]) -> Addresses {
    buffers.iter().map(Buffer::address).collect()
}

impl Programs {
    fn ready(&self, key: &KernelKey) -> Option<Kernel> {
        self.kernels.read().unwrap_or_else(|e| e.into_inner()).get(key).copied()
    }

    fn is_refused(&self, key: &KernelKey) -> bool {
        self.refused.lock().unwrap_or_else(|e| e.into_inner()).contains(key)
    }

    fn refuse(&self, key: KernelKey) {
        self.refused.lock().unwrap_or_else(|e| e.into_inner()).insert(key);
    }

    fn keep(&self, key: KernelKey, kernel: Kernel) {
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
        match self.planned(session, program, inputs, outputs)? {
            Some((kernel, plan)) => self.launch(session, kernel, plan),
            None => Ok(()),
        }
    }

    /// As [`Programs::run`], with the launch of the last time where it holds for these buffers.
    pub(crate) fn run_again(
        self: &Arc<Programs>,
        session: &Session,
        program: &Program,
        remembered: &mut DeviceCache,
        inputs: &[Buffer],
        outputs: &[Buffer],
    ) -> Result<()> {
        let last = remembered.as_mut().and_then(|last| last.downcast_mut::<LastLaunch>());
        if let Some(last) = last.filter(|last| last.launch.fits(&(inputs, outputs))) {
            return last.run(session, program, inputs, outputs);
        }
        if let Some((kernel, plan)) = self.planned(session, program, inputs, outputs)? {
            *remembered =
                Some(Box::new(LastLaunch { kernel, launch: plan.again(program, &(inputs, outputs)) }));
            self.launch(session, kernel, plan)?;
        }
        Ok(())
    }

    /// Runs Programs that do not depend on each other as one launch; `false` where there is none for them.
    pub(crate) fn run_together(
        self: &Arc<Programs>,
        session: &Session,
        runs: &[ProgramRun<'_>],
        remembered: &mut DeviceCache,
    ) -> Result<bool> {
        let last = remembered.as_mut().and_then(|last| last.downcast_mut::<LastJoined>());
        if let Some(last) = last.filter(|last| last.launch.fits(runs)) {
            return last.run(session, runs).map(|()| true);
        }
        let Some(plan) = JoinedPlan::of(runs) else { return Ok(false) };
        let kernel = match self.ready(&plan.key) {
            Some(kernel) => kernel,
            None => match self.joined_kernel(session, runs, &plan.key)? {
                JoinedKernel::Ready(kernel) => kernel,
                JoinedKernel::InSteps => {
                    for run in runs {
                        let (inputs, outputs) = (run.input_buffers(), run.output_buffers());
                        self.run_in_steps(session, run.program, &inputs, &outputs)?;
                    }
                    return Ok(true);
                }
                JoinedKernel::None => return Ok(false),
            },
        };
        let mut last = LastJoined { kernel, launch: plan.again(runs) };
        last.run(session, runs)?;
        *remembered = Some(Box::new(last));
        Ok(true)
    }

    /// The kernel of several Programs, where it is not loaded yet.
    fn joined_kernel(
        self: &Arc<Programs>,
        session: &Session,
        runs: &[ProgramRun<'_>],
        key: &KernelKey,
    ) -> Result<JoinedKernel> {
        let source = key.source();
        if let Some(module) = compile::load_cached(session.gpu(), &source)? {
            return self.loaded(key, module).map(JoinedKernel::Ready);
        }
        if self.is_refused(key) {
            return Ok(JoinedKernel::None);
        }
        if runs.iter().all(|run| self.runs_in_steps(run.program)) {
            self.compile_aside(session, key.clone(), source);
            return Ok(JoinedKernel::InSteps);
        }
        match self.compiled(session, key) {
            Ok(kernel) => Ok(JoinedKernel::Ready(kernel)),
            Err(Error::Device { .. }) => {
                self.refuse(key.clone());
                Ok(JoinedKernel::None)
            }
            Err(error) => Err(error),
        }
    }

    /// The kernel of a Program and its launch; `None` where nothing is left to do.
    fn planned(
        self: &Arc<Programs>,
        session: &Session,
        program: &Program,
        inputs: &[Buffer],
        outputs: &[Buffer],
    ) -> Result<Option<(Kernel, LaunchPlan)>> {
        let Some(plan) = LaunchPlan::of(program, &addresses(inputs), &addresses(outputs)) else {
            return Ok(None);
        };
        if let Some(kernel) = self.ready(&plan.key) {
            return Ok(Some((kernel, plan)));
        }
        let source = plan.key.source();
        let kernel = match compile::load_cached(session.gpu(), &source)? {
            Some(module) => self.loaded(&plan.key, module)?,
            None if self.is_refused(&plan.key) => {
                return self.run_in_steps(session, program, inputs, outputs).map(|()| None);
            }
            None if self.runs_in_steps(program) => {
                self.compile_aside(session, plan.key.clone(), source);
                match self.run_in_steps(session, program, inputs, outputs) {
                    // Steps need memory that the fused kernel does not; nothing is stored before they have it.
                    Err(Error::Memory { .. }) => self.compiled(session, &plan.key)?,
                    outcome => return outcome.map(|()| None),
                }
            }
            None => match self.compiled(session, &plan.key) {
                // What cannot be compiled as a whole may still be compiled in parts.
                Err(error @ Error::Device { .. }) if has_steps(program) => {
                    self.run_in_steps(session, program, inputs, outputs).map_err(|_| error)?;
                    self.refuse(plan.key);
                    return Ok(None);
                }
                outcome => outcome?,
            },
        };
        Ok(Some((kernel, plan)))
    }

    fn compiled(&self, session: &Session, key: &KernelKey) -> Result<Kernel> {
        self.loaded(key, compile::load(session.gpu(), &key.source())?)
    }

    fn loaded(&self, key: &KernelKey, module: compile::Module) -> Result<Kernel> {
        let kernel = module.kernel("program")?;
        self.keep(key.clone(), kernel);
        Ok(kernel)
    }

    fn launch(&self, session: &Session, kernel: Kernel, mut plan: LaunchPlan) -> Result<()> {
        let own = LaunchMemory::new(session, plan.scratch_bytes())?;
        let geometry = plan.geometry;
        let mut args = LaunchArgs::new();
        args.bytes(plan.args(own.address(), own.tickets));
        // SAFETY: the plan holds the kernel's arguments for the buffers of a Program, and `own` the memory that it asks for.
        unsafe { launch(session, kernel, geometry, &args) }
    }

    /// Compiles a kernel on a thread of its own; until it is there, Programs of its structure run in steps.
    fn compile_aside(self: &Arc<Programs>, session: &Session, key: KernelKey, source: String) {
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
            programs.keep(KernelKey::colliding(pack), Kernel { function: pack.into(), name: "program" });
        }
        for pack in 1..=4 {
            let kernel = programs.ready(&KernelKey::colliding(pack)).expect("it was kept");
            assert_eq!(kernel.function, usize::from(pack));
        }
        assert!(programs.ready(&KernelKey::colliding(5)).is_none());
        programs.refuse(KernelKey::colliding(5));
        assert!(
            programs.is_refused(&KernelKey::colliding(5)) && !programs.is_refused(&KernelKey::colliding(6))
        );
    }
}
