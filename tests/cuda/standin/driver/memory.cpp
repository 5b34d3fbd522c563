// Memory, counted and guarded: every block lies between two red zones, fresh and freed memory holds poison, and a
// freed block is kept a while, so that a write through a stale pointer is seen.
#include <sys/mman.h>

#include <cstdlib>
#include <cstring>

#include "state.hpp"

namespace standin {
namespace {

constexpr std::size_t zone = 512;  // on either side; keeps blocks aligned as the driver aligns them
constexpr std::size_t filled_whole = std::size_t(64) << 20;
constexpr std::size_t quarantine_limit = std::size_t(64) << 20;
constexpr std::size_t page = 4096;
constexpr unsigned char zone_byte = 0x5C;

struct Freed {
    unsigned char* begin;
    std::size_t size;
};

std::deque<Freed> quarantine;
std::size_t quarantined = 0;

// Big blocks are filled at their ends only: a page that nobody touches costs nothing.
template <class F> void over_filled(unsigned char* begin, std::size_t size, F part) {
    if (size <= filled_whole) {
        part(begin, size);
    } else {
        part(begin, std::size_t(1) << 20);
        part(begin + size - (std::size_t(1) << 20), std::size_t(1) << 20);
    }
}

void fill(unsigned char* begin, std::size_t size) {
    over_filled(begin, size, [](unsigned char* at, std::size_t n) { std::memset(at, poison, n); });
}

// The offset of the first byte that differs from `byte`, or `size`.
std::size_t first_other(const unsigned char* at, std::size_t size, unsigned char byte) {
    if (size == 0 || (at[0] == byte && std::memcmp(at, at + 1, size - 1) == 0)) return size;
    std::size_t i = 0;
    while (at[i] == byte) i++;
    return i;
}

// Blocks have pages of their own, so that processes can share one (ipc.cpp).
std::size_t pages_of(std::size_t size) { return (zone + size + zone + page - 1) / page * page; }

unsigned char* allocate(std::size_t size) {
    if (size > std::size_t(1) << 46) return nullptr;
    void* base = mmap(nullptr, pages_of(size), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) return nullptr;
    auto* begin = static_cast<unsigned char*>(base) + zone;
    std::memset(base, zone_byte, zone);
    std::memset(begin + size, zone_byte, zone);
    fill(begin, size);
    return begin;
}

int release_oldest() {
    Freed freed = quarantine.front();
    quarantine.pop_front();
    quarantined -= freed.size;
    int code = success;
    over_filled(freed.begin, freed.size, [&](unsigned char* at, std::size_t n) {
        std::size_t i = first_other(at, n, poison);
        if (i == n) return;
        complain("memory was written after it was freed: byte %zu of a block of %zu", std::size_t(at - freed.begin) + i,
                 freed.size);
        code = launch_failed;
    });
    munmap(freed.begin - zone, pages_of(freed.size));
    return code;
}

int keep_freed(unsigned char* begin, std::size_t size) {
    fill(begin, size);
    quarantine.push_back({begin, size});
    quarantined += size;
    int code = success;
    while (quarantined > quarantine_limit || quarantine.size() > 1024)
        if (int found = release_oldest()) code = found;
    return code;
}

int check_block(unsigned char* begin, std::size_t size, const std::string& after) {
    struct Side {
        unsigned char* at;
        const char* name;
    };
    int code = success;
    for (Side side : {Side{begin - zone, "before"}, Side{begin + size, "behind"}}) {
        std::size_t i = first_other(side.at, zone, zone_byte);
        if (i == zone) continue;
        std::size_t distance = side.at < begin ? zone - i : i;
        complain("%s: wrote out of bounds, %zu bytes %s a block of %zu bytes", after.c_str(), distance, side.name, size);
        std::memset(side.at, zone_byte, zone);  // reported once
        code = launch_failed;
    }
    return code;
}

}  // namespace

BlockPages pages_at(std::uintptr_t begin, std::size_t size) { return {begin - zone, pages_of(size), zone}; }

const Allocation* allocation_at(const void* address, std::size_t size, std::uintptr_t* begin) {
    auto at = reinterpret_cast<std::uintptr_t>(address);
    auto it = driver().allocations.upper_bound(at);
    if (it == driver().allocations.begin()) return nullptr;
    --it;
    if (at + size > it->first + it->second.size || at >= it->first + it->second.size) return nullptr;
    if (begin) *begin = it->first;
    return &it->second;
}

bool check_device_range(const char* call, std::uintptr_t address, std::size_t size) {
    if (size == 0) return true;
    if (allocation_at(reinterpret_cast<void*>(address), size)) return true;
    complain("%s: %zu bytes at 0x%zx are not the device's memory", call, size, std::size_t(address));
    return false;
}

int check_red_zones(const std::string& after) {
    int code = success;
    for (auto& [address, allocation] : driver().allocations)
        if (allocation.place != Place_of_memory::registered)
            if (int found = check_block(reinterpret_cast<unsigned char*>(address), allocation.size, after)) code = found;
    return code;
}

int new_block(std::uintptr_t* address, std::size_t size, Place_of_memory place, Context* context) {
    if (size == 0) return invalid_value;
    bool counted = place == Place_of_memory::device || place == Place_of_memory::managed;
    std::size_t& used = driver().used[context->device];
    if (counted && size > driver().settings.memory - used) return out_of_memory;
    unsigned char* begin = allocate(size);
    if (!begin) return out_of_memory;
    if (counted) used += size;
    *address = reinterpret_cast<std::uintptr_t>(begin);
    driver().allocations[*address] = {size, place, context->device};
    return success;
}

int free_block(const char* name, std::uintptr_t address, Place_of_memory place) {
    auto it = driver().allocations.find(address);
    if (it == driver().allocations.end() || it->second.place != place) {
        complain("%s: 0x%zx is not the beginning of a block", name, std::size_t(address));
        return invalid_value;
    }
    Allocation allocation = it->second;
    driver().allocations.erase(it);
    forget_file(address);
    auto* begin = reinterpret_cast<unsigned char*>(address);
    int code = check_block(begin, allocation.size, name);
    if (int found = keep_freed(begin, allocation.size)) code = found;
    if (place == Place_of_memory::device || place == Place_of_memory::managed)
        driver().used[allocation.device] -= allocation.size;
    return code;
}

}  // namespace standin

using namespace standin;

EXPORT int cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
    ENTER();
    *total = driver().settings.memory;
    *free = *total - driver().used[call.context->device];
    return success;
}

EXPORT int cuMemAlloc_v2(std::uintptr_t* address, std::size_t size) {
    ENTER();
    if (int code = refuse_while_capturing()) return code;
    return new_block(address, size, Place_of_memory::device, call.context);
}

EXPORT int cuMemAllocManaged(std::uintptr_t* address, std::size_t size, unsigned flags) {
    ENTER();
    if (int code = refuse_while_capturing()) return code;
    if (flags != 1 && flags != 2) return invalid_value;
    return new_block(address, size, Place_of_memory::managed, call.context);
}

EXPORT int cuMemFree_v2(std::uintptr_t address) {
    ENTER();
    if (int code = refuse_while_capturing()) return code;
    if (address == 0) return success;
    drain_all(call.context);
    if (int code = free_ordered(address); code != not_found) return code;
    auto it = driver().allocations.find(address);
    bool managed = it != driver().allocations.end() && it->second.place == Place_of_memory::managed;
    return free_block("cuMemFree", address, managed ? Place_of_memory::managed : Place_of_memory::device);
}

EXPORT int cuMemHostAlloc(void** address, std::size_t size, unsigned) {
    ENTER();
    if (int code = refuse_while_capturing()) return code;
    std::uintptr_t begin = 0;
    int code = new_block(&begin, size, Place_of_memory::pinned, call.context);
    *address = reinterpret_cast<void*>(begin);
    return code;
}

EXPORT int cuMemFreeHost(void* address) {
    ENTER();
    if (int code = refuse_while_capturing()) return code;
    drain_all(call.context);
    return free_block("cuMemFreeHost", reinterpret_cast<std::uintptr_t>(address), Place_of_memory::pinned);
}

EXPORT int cuMemHostRegister_v2(void* address, std::size_t size, unsigned) {
    ENTER();
    if (!address || size == 0) return invalid_value;
    auto begin = reinterpret_cast<std::uintptr_t>(address);
    for (auto& [at, allocation] : driver().allocations)
        if (begin < at + allocation.size && at < begin + size) return host_memory_already_registered;
    driver().allocations[begin] = {size, Place_of_memory::registered, call.context->device};
    return success;
}

EXPORT int cuMemHostUnregister(void* address) {
    ENTER();
    auto it = driver().allocations.find(reinterpret_cast<std::uintptr_t>(address));
    if (it == driver().allocations.end() || it->second.place != Place_of_memory::registered)
        return host_memory_not_registered;
    drain_all(call.context);
    driver().allocations.erase(it);
    return success;
}

EXPORT int cuMemHostGetDevicePointer_v2(std::uintptr_t* device, void* host, unsigned flags) {
    ENTER();
    const Allocation* allocation = allocation_at(host, 1);
    if (flags || !allocation || allocation->place == Place_of_memory::device) return invalid_value;
    *device = reinterpret_cast<std::uintptr_t>(host);
    return success;
}

// `into` is written as the attribute's type wants it.
static int pointer_attribute(void* into, int which, std::uintptr_t address) {
    std::uintptr_t begin = 0;
    const Allocation* allocation = allocation_at(reinterpret_cast<void*>(address), 1, &begin);
    if (!allocation) return invalid_value;
    bool managed = allocation->place == Place_of_memory::managed;
    bool device = allocation->place == Place_of_memory::device;
    switch (which) {
        case 1: *static_cast<void**>(into) = driver().contexts[static_cast<std::size_t>(allocation->device)].get(); break;
        case 2: *static_cast<unsigned*>(into) = device || managed ? 2 : 1; break;
        case 3: *static_cast<std::uintptr_t*>(into) = address; break;
        case 4:
            if (device) return invalid_value;
            *static_cast<std::uintptr_t*>(into) = address;
            break;
        case 7: *static_cast<unsigned long long*>(into) = begin; break;
        case 8: *static_cast<unsigned*>(into) = managed; break;
        case 9: *static_cast<int*>(into) = allocation->device; break;
        case 11: *static_cast<std::uintptr_t*>(into) = begin; break;
        case 12: *static_cast<std::size_t*>(into) = allocation->size; break;
        case 13: *static_cast<unsigned*>(into) = 1; break;
        default: return invalid_value;
    }
    return success;
}

EXPORT int cuPointerGetAttribute(void* into, int which, std::uintptr_t address) {
    ENTER();
    return pointer_attribute(into, which, address);
}

// Unlike the single one, this leaves zeros for a pointer that is not CUDA's.
EXPORT int cuPointerGetAttributes(unsigned count, const int* which, void** into, std::uintptr_t address) {
    ENTER();
    for (unsigned i = 0; i < count; i++) {
        if (pointer_attribute(into[i], which[i], address) == success) continue;
        bool wide = which[i] == 1 || which[i] == 3 || which[i] == 4 || which[i] == 7 || which[i] == 11 || which[i] == 12;
        std::memset(into[i], 0, wide ? 8 : 4);
        if (which[i] == 9) *static_cast<int*>(into[i]) = -2;
    }
    return success;
}

static int check_managed(std::uintptr_t address, std::size_t size, int device) {
    const Allocation* allocation = allocation_at(reinterpret_cast<void*>(address), size);
    if (!allocation || allocation->place != Place_of_memory::managed) return invalid_value;
    return device >= -1 && device < driver().settings.devices ? success : invalid_device;
}

// Memory moves nowhere here: the calls are checked, and ordered.
EXPORT int cuMemPrefetchAsync(std::uintptr_t address, std::size_t size, int device, void* handle) {
    ENTER();
    Stream* stream = stream_of(handle, call.context);
    if (!stream) return invalid_handle;
    if (int code = check_managed(address, size, device)) return code;
    return submit(stream, [=]() -> int { return check_managed(address, size, device); });
}

EXPORT int cuMemAdvise(std::uintptr_t address, std::size_t size, int advice, int device) {
    ENTER();
    if (advice < 1 || advice > 6) return invalid_value;
    return check_managed(address, size, device);
}
