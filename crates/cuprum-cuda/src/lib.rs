//! The CUDA device: Programs become CUDA C, compiled by NVRTC when they are first run; library calls are kernels of our
//! own or NVIDIA's libraries. Driver and libraries are found at run time: the crate builds and loads without CUDA.

mod calls;
mod capture;
mod check;
pub mod codegen;
mod compile;
mod context;
mod device;
mod exit;
mod faults;
mod handles;
mod ipc;
mod launch;
mod libraries;
mod library_handles;
mod memory;
pub mod ops;
mod programs;
mod queue;
mod raw;
mod session;
mod stream;
pub mod sys;
mod texture;
mod transfer;
pub mod user;

pub use calls::{PlanFacts, PlanLimits, clear_fft_plans, fft_plans, limit_fft_plans};
pub use capture::keep_for_graph;
pub use compile::{cache_folder, compile, compiler_version, finish_compiling, quick_options};
pub use context::{Gpu, current_stream, driver_version, gpu, gpu_count, set_current_stream};
pub use device::{Cuda, check_compiler, device, is_available};
pub use exit::finish_work;
pub use ipc::{close_memory, event_handle, memory_handle, open_event, open_memory};
pub use libraries::{LibraryFacts, libraries};
pub use library_handles::{HandleKind, library_handle};
pub use memory::{
    PinnedBlock, PinnedPool, Pool, allocate_ordered, block_of, create_pool, current_pool_handle,
    default_pool_handle, destroy_pool, expose, free_ordered, pool_attribute, set_current_pool,
    set_pool_attribute, touch, trim_pool,
};
pub use raw::{
    HostFunction, PointerFacts, advise, call_after, copy_async, limit, owner_of, pointer_facts, prefetch,
    profile, register_host, set_async, set_limit, set_peer_access, unregister_host,
};
pub use stream::{Event, Graph, Stream, follow, priority_range, resolve_stream};
pub use texture::{
    ArrayShape, CopyPlace, Resource, Texels, TextureReading, copy_box, create_array, create_surface,
    create_texture, destroy_array, destroy_surface, destroy_texture,
};
pub use transfer::is_pinned;
