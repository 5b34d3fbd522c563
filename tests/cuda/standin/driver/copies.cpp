// Copies and fills. The device's side of each is checked to lie within one block.
#include <cstring>

#include "state.hpp"

namespace standin {
namespace {

enum Side { host, device, either };

struct Transfer {
    const char* name;
    std::uintptr_t to, from;
    std::size_t size;
};

bool pageable(std::uintptr_t address) { return allocation_at(reinterpret_cast<void*>(address), 1) == nullptr; }

bool check(const Transfer& t, Side to, Side from) {
    return (to != device || check_device_range(t.name, t.to, t.size)) &&
           (from != device || check_device_range(t.name, t.from, t.size));
}

// Checked again when it runs, for its memory may have been freed between (lazy streams, graphs).
Work work_of(Transfer t, Side to, Side from) {
    return [=]() -> int {
        if (!check(t, to, from)) return illegal_address;
        std::memmove(reinterpret_cast<void*>(t.to), reinterpret_cast<void*>(t.from), t.size);
        return success;
    };
}

int copy_async(Transfer t, Side to, Side from, void* handle, Context* context) {
    Stream* stream = stream_of(handle, context);
    if (!stream) return invalid_handle;
    if (!check(t, to, from)) return invalid_value;
    if (t.size == 0) return success;
    bool lazy = driver().settings.lazy && !stream->capture;
    if (lazy && from != device && pageable(t.from)) {
        // As the driver does: ordinary memory is read before the call returns.
        auto held = std::make_shared<std::vector<unsigned char>>(
            reinterpret_cast<unsigned char*>(t.from), reinterpret_cast<unsigned char*>(t.from) + t.size);
        return submit(stream, [=]() -> int {
            if (!check({t.name, t.to, 0, t.size}, to, host)) return illegal_address;
            std::memcpy(reinterpret_cast<void*>(t.to), held->data(), t.size);
            return success;
        });
    }
    int code = submit(stream, work_of(t, to, from));
    if (lazy && to != device && pageable(t.to)) drain(stream);  // and written before it returns
    return code;
}

int copy_now(Transfer t, Side to, Side from, Context* context) {
    if (int code = refuse_while_capturing()) return code;
    if (int code = copy_async(t, to, from, nullptr, context)) return code;
    drain(stream_of(nullptr, context));
    return take_error(context);
}

int fill_async(const char* name, std::uintptr_t to, unsigned value, std::size_t count, std::size_t width, void* handle,
               Context* context) {
    Stream* stream = stream_of(handle, context);
    if (!stream) return invalid_handle;
    if (to % width || !check_device_range(name, to, count * width)) return invalid_value;
    return submit(stream, [=]() -> int {
        if (!check_device_range(name, to, count * width)) return illegal_address;
        for (std::size_t i = 0; i < count; i++) std::memcpy(reinterpret_cast<char*>(to) + i * width, &value, width);
        return success;
    });
}

int fill_now(const char* name, std::uintptr_t to, unsigned value, std::size_t count, std::size_t width, Context* context) {
    if (int code = refuse_while_capturing()) return code;
    if (int code = fill_async(name, to, value, count, width, nullptr, context)) return code;
    drain(stream_of(nullptr, context));
    return take_error(context);
}

std::uintptr_t number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

}  // namespace
}  // namespace standin

using namespace standin;

EXPORT int cuMemcpy(std::uintptr_t to, std::uintptr_t from, std::size_t size) {
    ENTER();
    return copy_now({"cuMemcpy", to, from, size}, either, either, call.context);
}

EXPORT int cuMemcpyAsync(std::uintptr_t to, std::uintptr_t from, std::size_t size, void* stream) {
    ENTER();
    return copy_async({"cuMemcpyAsync", to, from, size}, either, either, stream, call.context);
}

EXPORT int cuMemcpyHtoD_v2(std::uintptr_t to, const void* from, std::size_t size) {
    ENTER();
    return copy_now({"cuMemcpyHtoD", to, number(from), size}, device, host, call.context);
}

EXPORT int cuMemcpyDtoH_v2(void* to, std::uintptr_t from, std::size_t size) {
    ENTER();
    return copy_now({"cuMemcpyDtoH", number(to), from, size}, host, device, call.context);
}

EXPORT int cuMemcpyDtoD_v2(std::uintptr_t to, std::uintptr_t from, std::size_t size) {
    ENTER();
    return copy_now({"cuMemcpyDtoD", to, from, size}, device, device, call.context);
}

EXPORT int cuMemcpyHtoDAsync_v2(std::uintptr_t to, const void* from, std::size_t size, void* stream) {
    ENTER();
    return copy_async({"cuMemcpyHtoDAsync", to, number(from), size}, device, host, stream, call.context);
}

EXPORT int cuMemcpyDtoHAsync_v2(void* to, std::uintptr_t from, std::size_t size, void* stream) {
    ENTER();
    return copy_async({"cuMemcpyDtoHAsync", number(to), from, size}, host, device, stream, call.context);
}

EXPORT int cuMemcpyDtoDAsync_v2(std::uintptr_t to, std::uintptr_t from, std::size_t size, void* stream) {
    ENTER();
    return copy_async({"cuMemcpyDtoDAsync", to, from, size}, device, device, stream, call.context);
}

EXPORT int cuMemcpyPeerAsync(std::uintptr_t to, Context* to_context, std::uintptr_t from, Context* from_context,
                             std::size_t size, void* stream) {
    ENTER();
    const Allocation* target = allocation_at(reinterpret_cast<void*>(to), size);
    const Allocation* source = allocation_at(reinterpret_cast<void*>(from), size);
    if (!to_context || !from_context) return invalid_context;
    if (target && source && (target->device != to_context->device || source->device != from_context->device)) {
        complain("cuMemcpyPeerAsync: the memory is not of the contexts named");
        return invalid_value;
    }
    return copy_async({"cuMemcpyPeerAsync", to, from, size}, device, device, stream, call.context);
}

namespace {

struct Copy2D {  // CUDA_MEMCPY2D
    std::size_t from_x, from_y;
    unsigned from_type;
    const void* from_host;
    std::uintptr_t from_device;
    void* from_array;
    std::size_t from_pitch;
    std::size_t to_x, to_y;
    unsigned to_type;
    void* to_host;
    std::uintptr_t to_device;
    void* to_array;
    std::size_t to_pitch;
    std::size_t width, height;
};

constexpr unsigned type_host = 1, type_array = 3;

}  // namespace

EXPORT int cuMemcpy2DAsync_v2(const Copy2D* copy, void* stream) {
    ENTER();
    if (!copy || copy->from_type == type_array || copy->to_type == type_array) return not_supported;
    if (copy->height && (copy->from_pitch < copy->from_x + copy->width || copy->to_pitch < copy->to_x + copy->width))
        return invalid_value;
    bool from_host = copy->from_type == type_host, to_host = copy->to_type == type_host;
    std::uintptr_t from = (from_host ? number(copy->from_host) : copy->from_device) + copy->from_y * copy->from_pitch;
    std::uintptr_t to = (to_host ? number(copy->to_host) : copy->to_device) + copy->to_y * copy->to_pitch;
    for (std::size_t row = 0; row < copy->height; row++) {
        Transfer t{"cuMemcpy2DAsync", to + row * copy->to_pitch + copy->to_x, from + row * copy->from_pitch + copy->from_x,
                   copy->width};
        if (int code = copy_async(t, to_host ? host : device, from_host ? host : device, stream, call.context)) return code;
    }
    return success;
}

EXPORT int cuMemsetD8_v2(std::uintptr_t to, unsigned char value, std::size_t count) {
    ENTER();
    return fill_now("cuMemsetD8", to, value, count, 1, call.context);
}

EXPORT int cuMemsetD8Async(std::uintptr_t to, unsigned char value, std::size_t count, void* stream) {
    ENTER();
    return fill_async("cuMemsetD8Async", to, value, count, 1, stream, call.context);
}

EXPORT int cuMemsetD16Async(std::uintptr_t to, unsigned short value, std::size_t count, void* stream) {
    ENTER();
    return fill_async("cuMemsetD16Async", to, value, count, 2, stream, call.context);
}

EXPORT int cuMemsetD32Async(std::uintptr_t to, unsigned value, std::size_t count, void* stream) {
    ENTER();
    return fill_async("cuMemsetD32Async", to, value, count, 4, stream, call.context);
}
