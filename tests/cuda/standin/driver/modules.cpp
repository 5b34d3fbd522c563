// Modules and functions: an image is written to a file of its own and loaded as a shared object.
#include "modules.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "../common/image.hpp"

namespace standin {
namespace {

// A new file each time, under a name never used before: the loader takes a known name for the same library.
void* load_object(const unsigned char* object, std::size_t size) {
    const char* base = std::getenv("TMPDIR");
    std::string path = std::string(base && *base ? base : "/tmp") + "/cuprum-module-XXXXXX";
    int file = mkstemp(path.data());
    if (file < 0) return nullptr;
    std::size_t written = 0;
    while (written < size) {
        ssize_t n = write(file, object + written, size - written);
        if (n <= 0) break;
        written += static_cast<std::size_t>(n);
    }
    close(file);
    void* library = written == size ? dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) : nullptr;
    if (!library) complain("a module could not be loaded: %s", dlerror());
    unlink(path.c_str());
    return library;
}

// The variables within functions that begin as zeros: kernel texts have none but `__shared__` ones. The names tell:
// C++ encodes the function's, and in functions with C linkage a number stands behind a dot.
bool is_shared(const std::string& name) {
    return name.rfind("_ZZ", 0) == 0 || (name.find('.') != std::string::npos && name.rfind("completed.", 0) != 0);
}

void find_shared(LoadedModule& loaded, const unsigned char* object, std::size_t size) {
    link_map* map = nullptr;
    if (dlinfo(loaded.library, RTLD_DI_LINKMAP, &map) != 0) return;
    auto* header = reinterpret_cast<const ElfW(Ehdr)*>(object);
    auto* sections = reinterpret_cast<const ElfW(Shdr)*>(object + header->e_shoff);
    if (header->e_shoff + header->e_shnum * sizeof(ElfW(Shdr)) > size) return;
    for (unsigned i = 0; i < header->e_shnum; i++) {
        if (sections[i].sh_type != SHT_SYMTAB) continue;
        auto* symbols = reinterpret_cast<const ElfW(Sym)*>(object + sections[i].sh_offset);
        auto* names = reinterpret_cast<const char*>(object + sections[sections[i].sh_link].sh_offset);
        for (std::size_t k = 0; k < sections[i].sh_size / sizeof(ElfW(Sym)); k++) {
            const auto& symbol = symbols[k];
            if ((symbol.st_info & 0xf) != STT_OBJECT || symbol.st_shndx >= header->e_shnum) continue;
            bool zeroed = sections[symbol.st_shndx].sh_type == SHT_NOBITS;
            if (!zeroed || !is_shared(names + symbol.st_name)) continue;
            loaded.shared.emplace_back(reinterpret_cast<unsigned char*>(map->l_addr + symbol.st_value), symbol.st_size);
        }
    }
}

std::size_t size_of_symbol(void* address) {
    Dl_info info{};
    void* symbol = nullptr;
    if (!dladdr1(address, &info, &symbol, RTLD_DL_SYMENT) || !symbol) return 0;
    return static_cast<const ElfW(Sym)*>(symbol)->st_size;
}

}  // namespace
}  // namespace standin

using namespace standin;

EXPORT int cuModuleLoadData(LoadedModule** module, const void* image) {
    ENTER();
    if (!module || !image) return invalid_value;
    ImageHeader header;
    std::memcpy(&header, image, sizeof header.magic);
    if (std::memcmp(header.magic, image_magic, sizeof header.magic) != 0) return invalid_image;
    std::memcpy(&header, image, sizeof header);
    auto* object = static_cast<const unsigned char*>(image) + sizeof header;
    if (checksum(object, header.size) != header.checksum) return invalid_image;
    std::vector<unsigned char> aligned(object, object + header.size);
    void* library = load_object(aligned.data(), aligned.size());
    if (!library) return invalid_image;
    auto* description = static_cast<const Module*>(dlsym(library, "standin_module"));
    if (!description || description->version != abi_version) {
        dlclose(library);
        return invalid_image;
    }
    auto* loaded = new LoadedModule;
    loaded->context = call.context;
    loaded->library = library;
    loaded->module = description;
    find_shared(*loaded, aligned.data(), aligned.size());
    for (auto& [begin, size] : loaded->shared) loaded->shared_bytes += size;
    driver().modules.insert(loaded);
    *module = loaded;
    return success;
}

EXPORT int cuModuleLoadDataEx(LoadedModule** module, const void* image, unsigned, void*, void*) {
    return cuModuleLoadData(module, image);
}

// Linking joins nothing here: code of one text is whole already.
struct LinkState {
    std::vector<unsigned char> code;
};

EXPORT int cuLinkCreate_v2(unsigned, unsigned*, void**, LinkState** state) {
    ENTER();
    if (!state) return invalid_value;
    *state = new LinkState;
    return success;
}

EXPORT int cuLinkAddData_v2(LinkState* state, unsigned, void* data, std::size_t size, const char*, unsigned, unsigned*,
                            void**) {
    ENTER();
    if (!state || !data) return invalid_value;
    auto* bytes = static_cast<const unsigned char*>(data);
    state->code.assign(bytes, bytes + size);
    return success;
}

EXPORT int cuLinkAddFile_v2(LinkState* state, unsigned, const char* path, unsigned, unsigned*, void**) {
    ENTER();
    return state && path ? success : invalid_value;
}

EXPORT int cuLinkComplete(LinkState* state, void** code, std::size_t* size) {
    ENTER();
    if (!state || !code || !size) return invalid_value;
    *code = state->code.data();
    *size = state->code.size();
    return success;
}

EXPORT int cuLinkDestroy(LinkState* state) {
    delete state;
    return success;
}

EXPORT int cuModuleUnload(LoadedModule* module) {
    ENTER();
    if (!driver().modules.count(module)) return invalid_handle;
    drain_all(module->context);
    driver().modules.erase(module);
    for (auto& [name, function] : module->functions) driver().functions.erase(function.get());
    for (std::uintptr_t address : module->variables) driver().allocations.erase(address);
    dlclose(module->library);
    delete module;
    return success;
}

EXPORT int cuModuleGetFunction(Function** function, LoadedModule* module, const char* name) {
    ENTER();
    if (!driver().modules.count(module)) return invalid_handle;
    auto& slot = module->functions[name];
    if (!slot) {
        auto* kernel = static_cast<const Kernel*>(dlsym(module->library, ("standin_kernel_" + std::string(name)).c_str()));
        if (!kernel) {
            module->functions.erase(name);
            return not_found;
        }
        slot = std::make_unique<Function>();
        slot->module = module;
        slot->kernel = kernel;
        slot->name = name;
        driver().functions.insert(slot.get());
    }
    *function = slot.get();
    return success;
}

// A module's variables are device memory: copies to and from them are allowed as long as it is loaded.
EXPORT int cuModuleGetGlobal_v2(std::uintptr_t* address, std::size_t* size, LoadedModule* module, const char* name) {
    ENTER();
    if (!driver().modules.count(module)) return invalid_handle;
    void* found = dlsym(module->library, name);
    std::size_t bytes = found ? size_of_symbol(found) : 0;
    if (!bytes) return not_found;
    if (address) {
        *address = reinterpret_cast<std::uintptr_t>(found);
        module->variables.insert(*address);
        driver().allocations[*address] = {bytes, Place_of_memory::registered, module->context->device};
    }
    if (size) *size = bytes;
    return success;
}

EXPORT int cuFuncGetAttribute(int* value, int which, Function* function) {
    ENTER();
    if (!driver().functions.count(function)) return invalid_handle;
    switch (which) {
        case 0: *value = function->kernel->bounds ? function->kernel->bounds : static_cast<int>(most_threads); break;
        case 1: *value = static_cast<int>(function->module->shared_bytes); break;
        case 2: case 3: case 7: *value = 0; break;
        case 4: *value = 32; break;
        case 5: case 6: *value = 90; break;
        case 8: *value = static_cast<int>(function->dynamic_limit); break;
        case 9: *value = -1; break;
        default: return invalid_value;
    }
    return success;
}

// Parameters are passed one by one here: offsets are those that a C struct of them would have at most.
EXPORT int cuFuncGetParamInfo(Function* function, std::size_t index, std::size_t* offset, std::size_t* size) {
    ENTER();
    if (!driver().functions.count(function)) return invalid_handle;
    const Kernel& kernel = *function->kernel;
    if (index >= kernel.count) return invalid_value;
    std::size_t at = 0;
    for (std::size_t i = 0; i < index; i++) at += (kernel.sizes[i] + 15) / 16 * 16;
    if (offset) *offset = at;
    if (size) *size = kernel.sizes[index];
    return success;
}

EXPORT int cuFuncSetAttribute(Function* function, int which, int value) {
    ENTER();
    if (!driver().functions.count(function)) return invalid_handle;
    if (which == 9) return value >= -1 && value <= 100 ? success : invalid_value;
    if (which != 8 || value < 0 || value > static_cast<int>(most_dynamic_shared)) return invalid_value;
    function->dynamic_limit = static_cast<unsigned>(value);
    return success;
}

EXPORT int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Function* function, int threads, std::size_t shared) {
    ENTER();
    if (!driver().functions.count(function)) return invalid_handle;
    if (threads <= 0) return invalid_value;
    std::size_t bytes = shared + function->module->shared_bytes + 1024;
    std::size_t by_shared = std::size_t(228 * 1024) / bytes, by_threads = std::size_t(2048 / ((threads + 31) / 32 * 32));
    std::size_t least = by_shared < by_threads ? by_shared : by_threads;
    *blocks = static_cast<int>(least < 32 ? least : 32);
    return success;
}
