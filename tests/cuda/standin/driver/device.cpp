// Devices, contexts, and the driver's own state.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "state.hpp"

namespace standin {

Driver& driver() {
    // Never destroyed: the product may still call while the process ends.
    static Driver* the = new Driver;
    return *the;
}

Context*& current_context() {
    static thread_local Context* current = nullptr;
    return current;
}

Call::Call(bool needs_context) : guard(driver().lock) {
    if (!driver().initialized) {
        refused = not_initialized;
        return;
    }
    Settings& settings = driver().settings;
    if (settings.fail_after > 0 && --settings.fail_after == 0) {
        refused = settings.failure;
        return;
    }
    context = current_context();
    if (!needs_context) return;
    if (!context) {
        refused = invalid_context;
    } else if (context->retained == 0) {
        refused = context_is_destroyed;
    } else if (driver().settings.sticky) {
        refused = context->error;
    }
}

void note_error(Context* context, int code) {
    if (code && !context->error) context->error = code;
}

int take_error(Context* context) {
    int code = context->error;
    if (!driver().settings.sticky) context->error = success;
    return code;
}

static unsigned long long setting(const char* name, unsigned long long otherwise) {
    const char* text = std::getenv(name);
    return text && *text ? std::strtoull(text, nullptr, 0) : otherwise;
}

static int attribute(int which, int device, int* value) {
    switch (which) {
        case 1: *value = most_threads; break;
        case 2: case 3: *value = 1024; break;
        case 4: *value = 64; break;
        case 5: *value = 0x7fffffff; break;
        case 6: case 7: *value = 65535; break;
        case 8: *value = 48 * 1024; break;
        case 9: *value = 64 * 1024; break;
        case 10: *value = warp_lanes; break;
        case 11: *value = 0x7fffffff; break;
        case 12: case 82: *value = 65536; break;   // registers
        case 13: *value = 1980000; break;          // clock, kHz
        case 14: *value = 512; break;
        case 15: case 19: case 31: case 41: case 78: case 79: case 80: case 83: case 89: case 90: case 91: case 95: case 115: *value = 1; break;
        case 16: *value = 4; break;                // multiprocessors: few, so that launches are small
        case 33: *value = device + 1; break;       // PCI bus
        case 36: *value = 3201000; break;          // memory clock, kHz
        case 37: *value = 6144; break;             // memory bus, bits
        case 38: *value = 50 * 1024 * 1024; break; // L2
        case 39: *value = 2048; break;
        case 40: *value = 3; break;
        case 75: *value = 9; break;
        case 76: *value = 0; break;
        case 81: *value = 228 * 1024; break;
        case 97: *value = most_dynamic_shared; break;
        case 106: *value = 32; break;
        case 111: *value = 1024; break;
        default:
            if (which <= 0 || which > 200) return invalid_value;
            *value = 0;
    }
    return success;
}

static bool is_device(int device) { return device >= 0 && device < driver().settings.devices; }

}  // namespace standin

using namespace standin;

EXPORT int cuInit(unsigned flags) {
    if (flags) return invalid_value;
    Driver& d = driver();
    std::lock_guard<std::recursive_mutex> guard(d.lock);
    if (d.initialized) return success;
    d.settings.devices = static_cast<int>(setting("CUPRUM_STANDIN_DEVICES", 1));
    d.settings.memory = setting("CUPRUM_STANDIN_MEMORY", d.settings.memory);
    d.settings.lazy = setting("CUPRUM_STANDIN_LAZY", 0) != 0;
    d.settings.idle = setting("CUPRUM_STANDIN_IDLE", 0) != 0;
    d.settings.sticky = setting("CUPRUM_STANDIN_STICKY", 0) != 0;
    if (const char* endless = std::getenv("CUPRUM_STANDIN_ENDLESS")) d.settings.endless = endless;
    if (d.settings.devices <= 0) return no_device;
    for (int i = 0; i < d.settings.devices; i++) {
        d.contexts.push_back(std::make_unique<Context>());
        d.contexts.back()->device = i;
    }
    d.initialized = true;
    return success;
}

// For tests, no part of CUDA: how many kernels and how many graphs were launched.
EXPORT int standinLaunches(unsigned* kernels, unsigned* graphs) {
    std::lock_guard guard(driver().lock);
    *kernels = driver().kernel_launches;
    *graphs = driver().graph_launches;
    return success;
}

// For tests, no part of CUDA: the n-th call from now on fails with a code. Gives how many were left of the last setting.
EXPORT int standinFailAfter(int calls, int code) {
    std::lock_guard<std::recursive_mutex> guard(driver().lock);
    int left = driver().settings.fail_after;
    driver().settings.fail_after = calls;
    driver().settings.failure = code;
    return left;
}

EXPORT int cuDriverGetVersion(int* version) {
    *version = 13000;
    return success;
}

EXPORT int cuDeviceGetCount(int* count) {
    Call call(false);
    if (call.refused) return call.refused;
    *count = driver().settings.devices;
    return success;
}

EXPORT int cuDeviceGet(int* device, int ordinal) {
    Call call(false);
    if (call.refused) return call.refused;
    if (!is_device(ordinal)) return invalid_device;
    *device = ordinal;
    return success;
}

EXPORT int cuDeviceGetName(char* name, int length, int device) {
    if (!is_device(device)) return invalid_device;
    std::snprintf(name, static_cast<std::size_t>(length), "Cuprum stand-in");
    return success;
}

EXPORT int cuDeviceGetAttribute(int* value, int which, int device) {
    if (!is_device(device)) return invalid_device;
    return attribute(which, device, value);
}

EXPORT int cuDeviceTotalMem_v2(std::size_t* bytes, int device) {
    if (!is_device(device)) return invalid_device;
    *bytes = driver().settings.memory;
    return success;
}

EXPORT int cuDeviceGetUuid_v2(unsigned char* uuid, int device) {
    if (!is_device(device)) return invalid_device;
    std::memcpy(uuid, "cuprum-stand-in", 15);
    uuid[15] = static_cast<unsigned char>(device);
    return success;
}

EXPORT int cuDeviceGetPCIBusId(char* text, int length, int device) {
    if (!is_device(device)) return invalid_device;
    std::snprintf(text, static_cast<std::size_t>(length), "0000:%02x:00.0", device + 1);
    return success;
}

EXPORT int cuDeviceCanAccessPeer(int* can, int device, int peer) {
    if (!is_device(device) || !is_device(peer)) return invalid_device;
    *can = device != peer;
    return success;
}

EXPORT int cuDevicePrimaryCtxRetain(Context** context, int device) {
    Call call(false);
    if (call.refused) return call.refused;
    if (!is_device(device)) return invalid_device;
    *context = driver().contexts[static_cast<std::size_t>(device)].get();
    (*context)->retained++;
    return success;
}

EXPORT int cuDevicePrimaryCtxRelease_v2(int device) {
    Call call(false);
    if (call.refused) return call.refused;
    if (!is_device(device)) return invalid_device;
    Context& context = *driver().contexts[static_cast<std::size_t>(device)];
    if (context.retained == 0) return invalid_context;
    context.retained--;
    return success;
}

EXPORT int cuDevicePrimaryCtxGetState(int device, unsigned* flags, int* active) {
    if (!is_device(device)) return invalid_device;
    *flags = 0;
    *active = driver().contexts[static_cast<std::size_t>(device)]->retained != 0;
    return success;
}

static bool is_context(Context* context) {
    for (auto& known : driver().contexts)
        if (known.get() == context) return true;
    return false;
}

EXPORT int cuCtxSetCurrent(Context* context) {
    Call call(false);
    if (call.refused) return call.refused;
    if (context && !is_context(context)) return invalid_context;
    current_context() = context;
    return success;
}

EXPORT int cuCtxGetCurrent(Context** context) {
    Call call(false);
    if (call.refused) return call.refused;
    *context = current_context();
    return success;
}

EXPORT int cuCtxGetDevice(int* device) {
    ENTER();
    *device = call.context->device;
    return success;
}

EXPORT int cuCtxSynchronize() {
    ENTER();
    if (int code = refuse_while_capturing()) return code;
    drain_all(call.context);
    note_error(call.context, check_red_zones("cuCtxSynchronize"));
    return take_error(call.context);
}

EXPORT int cuCtxGetStreamPriorityRange(int* least, int* greatest) {
    ENTER();
    *least = 0, *greatest = -5;
    return success;
}

EXPORT int cuCtxEnablePeerAccess(Context* peer, unsigned flags) {
    ENTER();
    if (flags) return invalid_value;
    if (!is_context(peer) || peer == call.context) return invalid_context;
    return call.context->peers.insert(peer->device).second ? success : peer_access_already_enabled;
}

EXPORT int cuCtxDisablePeerAccess(Context* peer) {
    ENTER();
    if (!is_context(peer)) return invalid_context;
    return call.context->peers.erase(peer->device) ? success : peer_access_not_enabled;
}

EXPORT int cuCtxGetLimit(std::size_t* value, int which) {
    ENTER();
    if (which < 0 || which > 3) return unsupported_limit;
    *value = call.context->limits[which];
    return success;
}

EXPORT int cuCtxSetLimit(int which, std::size_t value) {
    ENTER();
    if (which < 0 || which > 3) return unsupported_limit;
    call.context->limits[which] = value;
    return success;
}

EXPORT int cuProfilerStart() { return success; }
EXPORT int cuProfilerStop() { return success; }

// The newest form of a function, as the driver gives it: cuMemAlloc stands for cuMemAlloc_v2.
EXPORT int cuGetProcAddress_v2(const char* symbol, void** address, int, std::uint64_t, int* status) {
    Dl_info info{};
    dladdr(reinterpret_cast<void*>(&cuInit), &info);
    void* self = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    std::string name = symbol;
    *address = nullptr;
    for (const char* suffix : {"_v2", ""})
        if (self && !*address) *address = dlsym(self, (name + suffix).c_str());
    if (self) dlclose(self);
    if (status) *status = *address ? 0 : 1;
    return *address ? success : not_found;
}
