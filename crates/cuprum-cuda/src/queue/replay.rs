//! A sequence of launches as one graph of the driver's, submitted again with other arguments.

use std::ffi::c_void;

use super::batch::Batch;
use crate::sys::Driver;

/// `CUDA_KERNEL_NODE_PARAMS_v2`.
#[repr(C)]
struct KernelNodeParams {
    function: usize,
    grid: [u32; 3],
    block: [u32; 3],
    shared: u32,
    arguments: *mut *mut c_void,
    extra: *mut *mut c_void,
    kernel: usize,
    context: usize,
}

/// Calls `act` with what the driver takes for a launch of a batch.
fn with_params(batch: &Batch, number: usize, act: impl FnOnce(*const c_void) -> i32) -> i32 {
    let (geometry, mut arguments) = (batch.geometry(number), batch.arguments(number));
    let params = KernelNodeParams {
        function: batch.kernel(number).function,
        grid: geometry.grid,
        block: geometry.block,
        shared: geometry.shared,
        arguments: arguments.as_mut_ptr(),
        extra: std::ptr::null_mut(),
        kernel: 0,
        context: 0,
    };
    act((&raw const params).cast())
}

/// A graph whose kernels run one after the other.
pub(super) struct Replay {
    graph: usize,
    executable: usize,
    nodes: Vec<usize>,
    /// The launches as the graph has them.
    set: Batch,
    /// When it was submitted last, in submissions.
    pub(super) when: u64,
}

impl Replay {
    /// The graph of these launches, or the driver's code. The context of their functions is the current one.
    pub(super) fn new(driver: &'static Driver, batch: &Batch) -> Result<Replay, i32> {
        let mut replay =
            Replay { graph: 0, executable: 0, nodes: Vec::new(), set: Batch::default(), when: 0 };
        match replay.build(driver, batch) {
            Ok(()) => Ok(replay),
            Err(code) => {
                replay.destroy(driver);
                Err(code)
            }
        }
    }

    fn build(&mut self, driver: &'static Driver, batch: &Batch) -> Result<(), i32> {
        // SAFETY: writes one handle.
        done(unsafe { (driver.cuGraphCreate)(&mut self.graph, 0) })?;
        for number in 0..batch.len() {
            let (mut node, before) = (0, self.nodes.last().copied());
            let (first, count) =
                (before.as_ref().map_or(std::ptr::null(), std::ptr::from_ref), before.iter().len());
            // SAFETY: the graph is alive and so is the node before; the parameters are those of a launch, which the
            // driver copies.
            let code = with_params(batch, number, |params| unsafe {
                (driver.cuGraphAddKernelNode_v2)(&mut node, self.graph, first, count, params)
            });
            done(code)?;
            self.nodes.push(node);
        }
        // SAFETY: the graph is alive; one handle is written.
        done(unsafe { (driver.cuGraphInstantiateWithFlags)(&mut self.executable, self.graph, 0) })?;
        Ok(())
    }

    /// Submits the graph with the arguments of these launches, which have the functions that it was built from. The
    /// launches are kept, so that the next ones can be compared with them. If a call fails, nothing is submitted, and the
    /// graph must not be used again.
    ///
    /// # Safety
    /// The arguments are those of the functions, and the stream is one of the current context that is alive.
    pub(super) unsafe fn submit(
        &mut self,
        driver: &'static Driver,
        batch: &mut Batch,
        stream: usize,
    ) -> Result<(), i32> {
        // A graph that is new has the arguments of the launches it was made of.
        let is_new = self.set.is_empty();
        for (number, &node) in self.nodes.iter().enumerate() {
            if is_new || batch.is_equal(&self.set, number) {
                continue;
            }
            // SAFETY: node and graph belong together; launches under way keep the arguments that they have.
            let code = with_params(batch, number, |params| unsafe {
                (driver.cuGraphExecKernelNodeSetParams_v2)(self.executable, node, params)
            });
            done(code)?;
        }
        // SAFETY: the graph is alive; the caller vouches for the rest.
        done(unsafe { (driver.cuGraphLaunch)(self.executable, stream) })?;
        std::mem::swap(&mut self.set, batch);
        Ok(())
    }

    /// Gives the graph back to the driver, which keeps it until work under way is done.
    pub(super) fn destroy(self, driver: &'static Driver) {
        // SAFETY: the handles are ours, or null where they were not made, and not used any more.
        unsafe {
            if self.executable != 0 {
                (driver.cuGraphExecDestroy)(self.executable);
            }
            if self.graph != 0 {
                (driver.cuGraphDestroy)(self.graph);
            }
        }
    }
}

fn done(code: i32) -> Result<(), i32> {
    if code == 0 { Ok(()) } else { Err(code) }
}
