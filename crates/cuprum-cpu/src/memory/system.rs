//! What each operating system says about memory, and what it can be told.

use std::ptr::NonNull;

/// Tells the system that memory may lie in huge pages; a refusal changes nothing.
///
/// # Safety
/// The memory has `size` bytes.
#[cfg(target_os = "linux")]
pub unsafe fn advise_huge_pages(memory: NonNull<u8>, size: usize) {
    // SAFETY: the caller's promise; the advice changes no contents.
    unsafe { libc::madvise(memory.as_ptr().cast(), size, libc::MADV_HUGEPAGE) };
}

/// Other systems choose by themselves.
///
/// # Safety
/// None is needed; Linux's form needs memory of this size.
#[cfg(not(target_os = "linux"))]
pub unsafe fn advise_huge_pages(_memory: NonNull<u8>, _size: usize) {}

/// The machine's memory in bytes, where the system tells.
#[cfg(target_os = "linux")]
pub fn total_memory() -> Option<usize> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find(|l| l.starts_with("MemTotal:"))?;
    let kilobytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// The machine's memory in bytes, where the system tells.
#[cfg(target_os = "macos")]
pub fn total_memory() -> Option<usize> {
    let mut bytes = 0u64;
    let mut size = size_of::<u64>();
    // SAFETY: the name is a C string, and the answer is a number of eight bytes.
    let code = unsafe {
        libc::sysctlbyname(
            c"hw.memsize".as_ptr(),
            (&raw mut bytes).cast(),
            &mut size,
            std::ptr::null_mut(),
            0,
        )
    };
    (code == 0 && bytes > 0).then_some(bytes as usize)
}

/// The machine's memory in bytes, where the system tells.
#[cfg(windows)]
pub fn total_memory() -> Option<usize> {
    /// The system's `MEMORYSTATUSEX`.
    #[repr(C)]
    struct Status {
        length: u32,
        load: u32,
        total_physical: u64,
        others: [u64; 6],
    }

    // SAFETY: the signature is that of the system's <sysinfoapi.h>.
    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn GlobalMemoryStatusEx(status: *mut Status) -> i32;
    }

    let mut status =
        Status { length: size_of::<Status>() as u32, load: 0, total_physical: 0, others: [0; 6] };
    // SAFETY: the structure is the system's, and knows its length.
    let done = unsafe { GlobalMemoryStatusEx(&mut status) };
    (done != 0 && status.total_physical > 0).then_some(status.total_physical as usize)
}

/// Other systems are not asked.
#[cfg(not(any(target_os = "linux", target_os = "macos", windows)))]
pub fn total_memory() -> Option<usize> {
    None
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_system_tells_how_much_memory_it_has() {
        let total = super::total_memory().expect("this system is known");
        assert!(total > 64 << 20 && total < 1 << 50, "{total}");
    }
}
