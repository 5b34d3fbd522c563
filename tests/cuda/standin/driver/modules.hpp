// A module the driver has loaded: the shared object, and what it says of itself.
#pragma once

#include <map>
#include <memory>

#include "state.hpp"

namespace standin {

struct LoadedModule {
    Context* context;
    void* library;
    const Module* module;
    std::map<std::string, std::unique_ptr<Function>> functions;
    std::vector<std::pair<unsigned char*, std::size_t>> shared;  // where `__shared__` variables lie
    std::size_t shared_bytes = 0;
    std::set<std::uintptr_t> variables;  // that were asked for, and so are known as memory
};

}  // namespace standin
