// Running g++ over a kernel text.
#pragma once

#include <string>
#include <vector>

namespace standin {

struct Request {
    std::string name, source;
    std::vector<std::pair<std::string, std::string>> headers;  // include name, text
    std::vector<std::string> preprocessor;                     // -D, -U and -I options for g++
    std::vector<std::string> expressions;                      // name expressions
};

struct Compiled {
    bool ok;
    std::string log, object;
};

Compiled compile(const Request& request);

// The entry that stands for the name expression `index`.
std::string lowered_name(std::size_t index);

}  // namespace standin
