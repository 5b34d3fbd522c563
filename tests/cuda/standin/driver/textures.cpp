// Arrays, texture objects and surface objects. An array is a block of memory without gaps; a texture's handle is the
// address of what kernels read (device/textures.hpp).
#include <cstring>

#include "state.hpp"

namespace standin {
namespace {

struct ArrayShape {  // CUDA_ARRAY3D_DESCRIPTOR
    std::size_t width, height, depth;
    unsigned format, channels, flags;
};

struct Array {
    ArrayShape shape;
    std::uintptr_t data;
    std::size_t element, pitch, rows, planes;
};

std::set<Array*> arrays;
std::set<TextureView*> views;

std::size_t bytes_of(unsigned format) {
    switch (format) {
        case 0x01: case 0x08: return 1;
        case 0x02: case 0x09: case 0x10: return 2;
        case 0x03: case 0x0a: case 0x20: return 4;
        default: return 0;
    }
}

bool are_texels(unsigned format, unsigned channels) {
    return bytes_of(format) && (channels == 1 || channels == 2 || channels == 4);
}

std::size_t one(std::size_t size) { return size ? size : 1; }

struct ResourceWords {  // CUDA_RESOURCE_DESC
    unsigned kind;
    std::uint64_t words[16];
    unsigned flags;
};

struct Reading {  // CUDA_TEXTURE_DESC
    unsigned beyond[3], filter, flags, anisotropy, mipmap_filter;
    float levels[3], border[4];
    int reserved[12];
};

constexpr unsigned of_array = 0, of_linear = 2, of_pitched = 3;

// What a resource shows; false where it is none.
bool show(const ResourceWords& resource, TextureView* view) {
    if (resource.kind == of_array) {
        auto* array = reinterpret_cast<Array*>(resource.words[0]);
        if (!arrays.count(array)) return false;
        view->data = reinterpret_cast<unsigned char*>(array->data);
        view->width = array->shape.width, view->height = array->rows, view->depth = array->planes;
        view->pitch = array->pitch, view->plane = array->pitch * array->rows;
        view->format = array->shape.format, view->channels = array->shape.channels;
        return true;
    }
    if (resource.kind != of_linear && resource.kind != of_pitched) return false;
    view->data = reinterpret_cast<unsigned char*>(resource.words[0]);
    view->format = static_cast<unsigned>(resource.words[1]);
    view->channels = static_cast<unsigned>(resource.words[1] >> 32);
    if (!are_texels(view->format, view->channels)) return false;
    std::size_t element = bytes_of(view->format) * view->channels;
    bool linear = resource.kind == of_linear;
    view->width = linear ? resource.words[2] / element : resource.words[2];
    view->height = linear ? 1 : resource.words[3];
    view->depth = 1;
    view->pitch = linear ? resource.words[2] : resource.words[4];
    view->plane = 0;
    if (!linear && (view->pitch % 32 || view->pitch < view->width * element)) return false;
    return reinterpret_cast<std::uintptr_t>(view->data) % 512 == 0 &&
           check_device_range("cuTexObjectCreate", resource.words[0], linear ? resource.words[2] : view->pitch * (view->height - 1) + view->width * element);
}

}  // namespace
}  // namespace standin

using namespace standin;

EXPORT int cuArray3DCreate_v2(Array** array, const ArrayShape* shape) {
    ENTER();
    if (int code = refuse_while_capturing()) return code;
    constexpr unsigned surface = 2;
    if (!shape->width || !are_texels(shape->format, shape->channels) || (shape->flags & ~surface)) return invalid_value;
    if (shape->depth && !shape->height) return invalid_value;
    Array made{*shape, 0, bytes_of(shape->format) * shape->channels, 0, one(shape->height), one(shape->depth)};
    made.pitch = made.element * shape->width;
    if (int code = new_block(&made.data, made.pitch * made.rows * made.planes, Place_of_memory::device, call.context)) return code;
    *array = new Array(made);
    arrays.insert(*array);
    return success;
}

EXPORT int cuArrayDestroy(Array* array) {
    ENTER();
    if (!arrays.count(array)) return invalid_handle;
    drain_all(call.context);
    int code = free_block("cuArrayDestroy", array->data, Place_of_memory::device);
    arrays.erase(array);
    delete array;
    return code;
}

EXPORT int cuTexObjectCreate(TextureView** texture, const ResourceWords* resource, const Reading* reading, const void* part) {
    ENTER();
    if (part) return not_supported;
    TextureView view{};
    if (!show(*resource, &view)) return invalid_value;
    constexpr unsigned as_integer = 1, normalized = 2;
    std::memcpy(view.beyond, reading->beyond, sizeof view.beyond);
    std::memcpy(view.border, reading->border, sizeof view.border);
    view.linear = reading->filter == 1;
    view.as_integer = (reading->flags & as_integer) != 0;
    view.normalized = (reading->flags & normalized) != 0;
    bool whole = view.format == 0x03 || view.format == 0x0a || (view.as_integer && view.format < 0x10);
    if (view.linear && whole) return invalid_value;
    *texture = new TextureView(view);
    views.insert(*texture);
    return success;
}

EXPORT int cuTexObjectDestroy(TextureView* texture) {
    ENTER();
    if (!views.erase(texture)) return invalid_value;
    drain_all(call.context);
    delete texture;
    return success;
}

EXPORT int cuSurfObjectCreate(TextureView** surface, const ResourceWords* resource) {
    ENTER();
    auto* array = reinterpret_cast<Array*>(resource->words[0]);
    if (resource->kind != of_array || !arrays.count(array) || !(array->shape.flags & 2)) return invalid_value;
    TextureView view{};
    show(*resource, &view);
    *surface = new TextureView(view);
    views.insert(*surface);
    return success;
}

EXPORT int cuSurfObjectDestroy(TextureView* surface) { return cuTexObjectDestroy(surface); }

namespace {

struct CopySide {
    std::size_t x, y, z, level;
    unsigned kind;
    std::uintptr_t host, device;
    Array* array;
    void* reserved;
    std::size_t pitch, rows;
};

struct Copy3D {  // CUDA_MEMCPY3D
    CopySide from, to;
    std::size_t width, height, depth;
};

struct Begin {
    std::uintptr_t at;
    std::size_t pitch, plane;
    bool checked;  // it is the device's memory
};

bool begin_of(const CopySide& side, const Copy3D& copy, Begin* begin) {
    constexpr unsigned host = 1, array = 3;
    if (side.kind == array) {
        if (!arrays.count(side.array)) return false;
        const Array& a = *side.array;
        if (side.x + copy.width > a.pitch || side.y + copy.height > a.rows || side.z + copy.depth > a.planes) return false;
        *begin = {a.data, a.pitch, a.pitch * a.rows, true};
    } else {
        std::size_t pitch = side.pitch ? side.pitch : side.x + copy.width;
        if (side.x + copy.width > pitch || (copy.depth > 1 && side.rows < side.y + copy.height)) return false;
        *begin = {side.kind == host ? side.host : side.device, pitch, pitch * side.rows, side.kind == 2};
    }
    begin->at += side.z * begin->plane + side.y * begin->pitch + side.x;
    return true;
}

}  // namespace

EXPORT int cuMemcpy3DAsync_v2(const Copy3D* given, void* handle) {
    ENTER();
    Stream* stream = stream_of(handle, call.context);
    if (!stream) return invalid_handle;
    Copy3D copy = *given;
    Begin from, to;
    if (!begin_of(copy.from, copy, &from) || !begin_of(copy.to, copy, &to)) return invalid_value;
    auto rows = [=](auto act) {
        for (std::size_t z = 0; z < copy.depth; z++)
            for (std::size_t y = 0; y < copy.height; y++) {
                auto target = to.at + z * to.plane + y * to.pitch, source = from.at + z * from.plane + y * from.pitch;
                if (!act(target, source)) return false;
            }
        return true;
    };
    auto check = [=](std::uintptr_t target, std::uintptr_t source) {
        return (!to.checked || check_device_range("cuMemcpy3DAsync", target, copy.width)) &&
               (!from.checked || check_device_range("cuMemcpy3DAsync", source, copy.width));
    };
    if (!rows(check)) return invalid_value;
    int code = submit(stream, [=]() -> int {
        bool done = rows([&](std::uintptr_t target, std::uintptr_t source) {
            if (!check(target, source)) return false;
            std::memcpy(reinterpret_cast<void*>(target), reinterpret_cast<void*>(source), copy.width);
            return true;
        });
        return done ? success : illegal_address;
    });
    // Ordinary memory of the host is read and written before the call returns.
    bool ordinary = !allocation_at(reinterpret_cast<void*>(from.at), 1) || !allocation_at(reinterpret_cast<void*>(to.at), 1);
    if (!stream->capture && ordinary) drain(stream);
    return code;
}
