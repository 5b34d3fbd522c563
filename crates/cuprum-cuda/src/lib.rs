//! The CUDA device: Programs become CUDA C, compiled by NVRTC when they are first run; library calls are kernels of our
//! own or NVIDIA's libraries. Driver and libraries are found at run time: the crate builds and loads without CUDA.

pub mod ops;
