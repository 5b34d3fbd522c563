// A compiled module as the product sees it: a header, then the bytes of a shared object. The driver is given
// no length, so the header carries it.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

namespace standin {

struct ImageHeader {
    char magic[16];
    std::uint64_t size;
    std::uint64_t checksum;
};

constexpr char image_magic[16] = "cuprum stand-in";

inline std::uint64_t checksum(const void* data, std::size_t size, std::uint64_t seed = 0xcbf29ce484222325u) {
    auto bytes = static_cast<const unsigned char*>(data);
    std::uint64_t hash = seed;
    for (std::size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

inline std::string image_of(const std::string& object) {
    ImageHeader header{};
    std::memcpy(header.magic, image_magic, sizeof header.magic);
    header.size = object.size();
    header.checksum = checksum(object.data(), object.size());
    return std::string(reinterpret_cast<const char*>(&header), sizeof header) + object;
}

}  // namespace standin
