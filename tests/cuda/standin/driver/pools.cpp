// CUDA's own pools: memory that comes at the call and goes in the order of a stream. Pools keep counts alone: what is
// let go of is freed, so that its use afterwards is seen.
#include <algorithm>

#include "state.hpp"

namespace standin {

struct MemPool {
    int device;
    std::size_t most;
    int reuse[3] = {1, 1, 1};
    std::uint64_t threshold = 0, reserved = 0, reserved_high = 0, used = 0, used_high = 0;
};

namespace {

std::set<MemPool*> pools;
std::map<int, MemPool*> defaults, current;
std::map<std::uintptr_t, MemPool*> owners;  // of blocks in use

MemPool* default_of(int device) {
    MemPool*& pool = defaults[device];
    if (!pool) {
        pool = new MemPool{device, 0};
        pools.insert(pool);
    }
    return pool;
}

MemPool* current_of(int device) {
    auto it = current.find(device);
    return it == current.end() ? default_of(device) : it->second;
}

int allocate(std::uintptr_t* address, std::size_t size, MemPool* pool, void* handle, Context* context) {
    Stream* stream = stream_of(handle, context);
    if (!stream || !pools.count(pool)) return invalid_handle;
    if (stream->capture) return not_supported;
    if (pool->most && pool->used + size > pool->most) return out_of_memory;
    if (int code = new_block(address, size, Place_of_memory::device, context)) return code;
    owners[*address] = pool;
    pool->used += size;
    pool->used_high = std::max(pool->used_high, pool->used);
    pool->reserved = std::max(pool->reserved, pool->used);
    pool->reserved_high = std::max(pool->reserved_high, pool->reserved);
    return success;
}

}  // namespace

int free_ordered(std::uintptr_t address) {
    auto it = owners.find(address);
    if (it == owners.end()) return not_found;
    it->second->used -= driver().allocations[address].size;
    owners.erase(it);
    return free_block("cuMemFreeAsync", address, Place_of_memory::device);
}

}  // namespace standin

using namespace standin;

EXPORT int cuDeviceGetDefaultMemPool(MemPool** pool, int device) {
    Call call(false);
    if (device < 0 || device >= driver().settings.devices) return invalid_device;
    *pool = default_of(device);
    return success;
}

EXPORT int cuDeviceGetMemPool(MemPool** pool, int device) {
    Call call(false);
    if (device < 0 || device >= driver().settings.devices) return invalid_device;
    *pool = current_of(device);
    return success;
}

EXPORT int cuDeviceSetMemPool(int device, MemPool* pool) {
    Call call(false);
    if (!pools.count(pool) || pool->device != device) return invalid_value;
    current[device] = pool;
    return success;
}

namespace {

struct PoolProperties {  // CUmemPoolProps
    int kind, handles, place, device;
    void* security;
    std::size_t most;
    unsigned char reserved[56];
};

}  // namespace

EXPORT int cuMemPoolCreate(MemPool** pool, const PoolProperties* properties) {
    ENTER();
    constexpr int pinned = 1, on_device = 1;
    if (properties->kind != pinned || properties->place != on_device) return invalid_value;
    if (properties->device < 0 || properties->device >= driver().settings.devices) return invalid_device;
    *pool = new MemPool{properties->device, properties->most};
    pools.insert(*pool);
    return success;
}

EXPORT int cuMemPoolDestroy(MemPool* pool) {
    Call call(false);
    if (!pools.count(pool)) return invalid_value;
    for (auto& [device, first] : defaults)
        if (first == pool) return invalid_value;
    for (auto it = current.begin(); it != current.end();) it = it->second == pool ? current.erase(it) : std::next(it);
    pools.erase(pool);
    // What is still in use stays, as the driver has it; the counts go with the pool's object.
    for (auto it = owners.begin(); it != owners.end(); ++it)
        if (it->second == pool) it->second = default_of(pool->device), it->second->used += driver().allocations[it->first].size;
    delete pool;
    return success;
}

static std::uint64_t* long_attribute(MemPool* pool, int which) {
    switch (which) {
        case 4: return &pool->threshold;
        case 5: return &pool->reserved;
        case 6: return &pool->reserved_high;
        case 7: return &pool->used;
        case 8: return &pool->used_high;
        default: return nullptr;
    }
}

EXPORT int cuMemPoolGetAttribute(MemPool* pool, int which, void* value) {
    Call call(false);
    if (!pools.count(pool)) return invalid_value;
    if (which >= 1 && which <= 3) {
        *static_cast<int*>(value) = pool->reuse[which - 1];
        return success;
    }
    std::uint64_t* found = long_attribute(pool, which);
    if (!found) return invalid_value;
    *static_cast<std::uint64_t*>(value) = *found;
    return success;
}

EXPORT int cuMemPoolSetAttribute(MemPool* pool, int which, void* value) {
    Call call(false);
    if (!pools.count(pool)) return invalid_value;
    if (which >= 1 && which <= 3) {
        pool->reuse[which - 1] = *static_cast<int*>(value);
        return success;
    }
    std::uint64_t wanted = *static_cast<std::uint64_t*>(value);
    if (which == 4) {
        pool->threshold = wanted;
    } else if (which == 6 && wanted == 0) {
        pool->reserved_high = pool->reserved;
    } else if (which == 8 && wanted == 0) {
        pool->used_high = pool->used;
    } else {
        return invalid_value;
    }
    return success;
}

EXPORT int cuMemPoolTrimTo(MemPool* pool, std::size_t least) {
    Call call(false);
    if (!pools.count(pool)) return invalid_value;
    pool->reserved = std::max<std::uint64_t>(pool->used, std::min<std::uint64_t>(pool->reserved, least));
    return success;
}

EXPORT int cuMemAllocAsync(std::uintptr_t* address, std::size_t size, void* stream) {
    ENTER();
    return allocate(address, size, current_of(call.context->device), stream, call.context);
}

EXPORT int cuMemAllocFromPoolAsync(std::uintptr_t* address, std::size_t size, MemPool* pool, void* stream) {
    ENTER();
    return allocate(address, size, pool, stream, call.context);
}

EXPORT int cuMemFreeAsync(std::uintptr_t address, void* handle) {
    ENTER();
    Stream* stream = stream_of(handle, call.context);
    if (!stream) return invalid_handle;
    if (!owners.count(address)) return invalid_value;
    return submit(stream, [=]() -> int { return free_ordered(address); });
}
