// Memory and events that processes share: a block's pages become a file in memory, which others open and map.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>

#include "state.hpp"

namespace standin {

struct SharedCounts {
    std::atomic<std::uint64_t> recorded, done;
    int file;  // the owner's
};

namespace {

struct Handle {
    char mark[8];
    int process, file, device;
    std::size_t bytes, offset, size;
    char rest[64 - 8 - 3 * 4 - 4 - 3 * 8];
};
static_assert(sizeof(Handle) == 64, "as CUDA's");

constexpr char memory_mark[8] = "memory", event_mark[8] = "event";

// Files by the block that they hold, and the pages of blocks that were opened.
std::map<std::uintptr_t, int> files;
std::map<std::uintptr_t, std::size_t> opened;

void* map_file(int file, std::size_t bytes, void* at = nullptr) {
    void* base = mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | (at ? MAP_FIXED : 0), file, 0);
    return base == MAP_FAILED ? nullptr : base;
}

int file_of_bytes(std::size_t bytes) {
    int file = memfd_create("cuprum-standin", MFD_CLOEXEC);
    if (file >= 0 && ftruncate(file, static_cast<off_t>(bytes)) != 0) {
        close(file);
        return -1;
    }
    return file;
}

// Opens and maps what another process names; null where it is not there.
void* open_pages(const Handle& handle) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/fd/%d", handle.process, handle.file);
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return nullptr;
    void* base = map_file(file, handle.bytes);
    close(file);
    return base;
}

}  // namespace

void forget_file(std::uintptr_t begin) {
    auto it = files.find(begin);
    if (it == files.end()) return;
    close(it->second);
    files.erase(it);
}

int share_event(Event* event) {
    int file = file_of_bytes(sizeof(SharedCounts));
    if (file < 0) return out_of_memory;
    event->shared = static_cast<SharedCounts*>(map_file(file, sizeof(SharedCounts)));
    if (!event->shared) return out_of_memory;
    event->shared->file = file;
    return success;
}

void note_recorded(Event* event, std::uint64_t record) {
    if (event->shared) event->shared->recorded = record;
}

void note_done(Event* event, std::uint64_t record) {
    if (event->shared) event->shared->done = record;
}

std::uint64_t recorded_elsewhere(const Event* event) { return event->shared->recorded; }

bool done_elsewhere(const Event* event, std::uint64_t record) { return event->shared->done >= record; }

void forget_event(Event* event) {
    if (!event->shared) return;
    if (!event->opened) close(event->shared->file);
    munmap(event->shared, sizeof(SharedCounts));
}

}  // namespace standin

using namespace standin;

EXPORT int cuIpcGetMemHandle(Handle* handle, std::uintptr_t address) {
    ENTER();
    std::uintptr_t begin = 0;
    const Allocation* allocation = allocation_at(reinterpret_cast<void*>(address), 1, &begin);
    if (!allocation || allocation->place != Place_of_memory::device) return invalid_value;
    BlockPages pages = pages_at(begin, allocation->size);
    auto* base = reinterpret_cast<void*>(pages.base);
    if (!files.count(begin)) {
        int file = file_of_bytes(pages.bytes);
        if (file < 0) return out_of_memory;
        if (pwrite(file, base, pages.bytes, 0) != static_cast<ssize_t>(pages.bytes) || !map_file(file, pages.bytes, base)) {
            close(file);
            return out_of_memory;
        }
        files[begin] = file;
    }
    *handle = {};
    std::memcpy(handle->mark, memory_mark, 8);
    handle->process = getpid(), handle->file = files[begin], handle->device = allocation->device;
    handle->bytes = pages.bytes, handle->offset = pages.offset, handle->size = allocation->size;
    return success;
}

EXPORT int cuIpcOpenMemHandle_v2(std::uintptr_t* address, Handle handle, unsigned flags) {
    ENTER();
    if (std::memcmp(handle.mark, memory_mark, 8) || flags > 1) return invalid_value;
    if (handle.process == getpid()) return invalid_context;
    void* base = open_pages(handle);
    if (!base) return invalid_value;
    *address = reinterpret_cast<std::uintptr_t>(base) + handle.offset;
    opened[*address] = handle.bytes;
    driver().allocations[*address] = {handle.size, Place_of_memory::opened, call.context->device};
    return success;
}

EXPORT int cuIpcCloseMemHandle(std::uintptr_t address) {
    ENTER();
    auto it = opened.find(address);
    if (it == opened.end()) return invalid_value;
    drain_all(call.context);
    driver().allocations.erase(address);
    munmap(reinterpret_cast<void*>(address / 4096 * 4096), it->second);
    opened.erase(it);
    return success;
}

EXPORT int cuIpcGetEventHandle(Handle* handle, Event* event) {
    ENTER();
    if (!known_event(event)) return invalid_handle;
    if (!event->shared || event->opened) return invalid_value;
    *handle = {};
    std::memcpy(handle->mark, event_mark, 8);
    handle->process = getpid(), handle->file = event->shared->file, handle->bytes = sizeof(SharedCounts);
    return success;
}

EXPORT int cuIpcOpenEventHandle(Event** event, Handle handle) {
    ENTER();
    if (std::memcmp(handle.mark, event_mark, 8)) return invalid_value;
    if (handle.process == getpid()) return invalid_context;
    void* counts = open_pages(handle);
    if (!counts) return invalid_value;
    auto* made = new Event{};
    made->context = call.context;
    made->flags = 2 | 4;
    made->shared = static_cast<SharedCounts*>(counts);
    made->opened = true;
    driver().events.insert(made);
    *event = made;
    return success;
}
