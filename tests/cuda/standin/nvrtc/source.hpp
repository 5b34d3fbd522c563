// Reading a kernel text, after the preprocessor: which kernels it has, and what g++ must see in place of it.
#pragma once

#include <string>
#include <vector>

namespace standin {

struct KernelFound {
    std::string name;       // as the driver is asked for it
    std::string qualified;  // as C++ names it
    std::string bounds;     // the first argument of __launch_bounds__, "0" where there is none
};

struct SourceRead {
    std::string text;  // with what g++ would not take rewritten
    std::vector<KernelFound> kernels;
};

SourceRead read_source(const std::string& preprocessed);

}  // namespace standin
