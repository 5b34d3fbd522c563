// The C interface of NVRTC, over g++. Options are checked against those that NVRTC has.
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <string>

#include "../common/image.hpp"
#include "compile.hpp"

#define EXPORT extern "C" __attribute__((visibility("default")))

using standin::Request;

namespace {

enum Result {
    success = 0,
    out_of_memory = 1,
    program_creation_failure = 2,
    invalid_input = 3,
    invalid_program = 4,
    invalid_option = 5,
    compilation = 6,
    builtin_operation_failure = 7,
    no_name_expressions_after_compilation = 8,
    no_lowered_names_before_compilation = 9,
    name_expression_not_valid = 10,
};

struct Program {
    Request request;
    std::string log, image;
    std::vector<std::string> lowered;
    bool compiled = false;
};

std::mutex programs_lock;
std::set<Program*> programs;

bool known(Program* program) {
    std::lock_guard<std::mutex> guard(programs_lock);
    return programs.count(program) != 0;
}

bool begins(const std::string& word, const char* with) { return word.rfind(with, 0) == 0; }

// Options that change nothing here. Those that end in '=' take a value.
const char* const ignored[] = {
    "--gpu-architecture=", "-arch=", "--std=", "-std=", "--fmad=", "-fmad=", "--use_fast_math", "-use_fast_math",
    "--ftz=", "-ftz=", "--prec-sqrt=", "-prec-sqrt=", "--prec-div=", "-prec-div=", "--extra-device-vectorization",
    "-extra-device-vectorization", "--device-as-default-execution-space", "-default-device", "--maxrregcount=",
    "-maxrregcount=", "--relocatable-device-code=", "-rdc=", "-dc", "-dw", "--device-c", "--device-w",
    "--device-debug", "-G", "--generate-line-info", "-lineinfo", "--dopt", "-dopt", "--restrict", "-restrict",
    "--disable-warnings", "-w", "--source-in-ptx", "-src-in-ptx", "--diag-suppress=", "-diag-suppress=",
    "--diag-error=", "-diag-error=", "--diag-warn=", "-diag-warn=", "--display-error-number", "-err-no",
    "--no-display-error-number", "-no-err-no", "--ptxas-options=", "-Xptxas=", "--extra-device-vectorization",
    "--modify-stack-limit=", "--dlink-time-opt", "-dlto", "--builtin-move-forward=", "--builtin-initializer-list=",
    "--minimal", "-minimal", "--no-source-include", "-no-source-include", "--split-compile=", "-split-compile=",
    "--fdevice-time-trace=", "--time=", "--device-float128", "--pch", "-pch", "--jump-table-density=",
    "--no-cache", "-no-cache", "--device-stack-protector=", "-opt-info=", "--extensible-whole-program", "-ewp",
};

// NVRTC takes the value of these in a word of its own as well.
const char* const separate[] = {"-Xptxas", "--ptxas-options", "-arch", "--gpu-architecture", "-std", "--std",
                                "-maxrregcount", "--maxrregcount"};

// Fills `request` from the options; the first one that NVRTC does not have is returned.
std::string read_options(int count, const char* const* options, Request& request) {
    for (int i = 0; i < count; i++) {
        std::string option = options[i];
        auto value = [&](std::size_t head) { return option.size() > head || ++i >= count ? option.substr(head) : options[i]; };
        bool taken = false;
        for (auto [long_form, short_form] : {std::pair<const char*, const char*>{"--define-macro=", "-D"},
                                             {"--undefine-macro=", "-U"},
                                             {"--include-path=", "-I"}}) {
            if (begins(option, long_form)) {
                request.preprocessor.push_back(short_form + option.substr(std::strlen(long_form)));
                taken = true;
            } else if (begins(option, short_form)) {
                request.preprocessor.push_back(short_form + value(2));
                taken = true;
            }
        }
        for (const char* word : separate)
            if (option == word) taken = ++i < count;
        for (const char* word : ignored)
            taken = taken || (word[std::strlen(word) - 1] == '=' ? begins(option, word) : option == word);
        if (!taken) return option;
    }
    return "";
}

}  // namespace

EXPORT int nvrtcVersion(int* major, int* minor) {
    if (!major || !minor) return invalid_input;
    *major = 13, *minor = 0;
    return success;
}

EXPORT const char* nvrtcGetErrorString(int result) {
    static const char* const names[] = {
        "NVRTC_SUCCESS", "NVRTC_ERROR_OUT_OF_MEMORY", "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
        "NVRTC_ERROR_INVALID_INPUT", "NVRTC_ERROR_INVALID_PROGRAM", "NVRTC_ERROR_INVALID_OPTION",
        "NVRTC_ERROR_COMPILATION", "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
        "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION", "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
        "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID", "NVRTC_ERROR_INTERNAL_ERROR"};
    return result >= 0 && result < 12 ? names[result] : "NVRTC_ERROR unknown";
}

EXPORT int nvrtcGetNumSupportedArchs(int* count) {
    if (!count) return invalid_input;
    *count = 3;
    return success;
}

EXPORT int nvrtcGetSupportedArchs(int* archs) {
    if (!archs) return invalid_input;
    archs[0] = 80, archs[1] = 89, archs[2] = 90;
    return success;
}

EXPORT int nvrtcCreateProgram(Program** program, const char* source, const char* name, int header_count,
                              const char* const* headers, const char* const* include_names) {
    if (!program || !source || header_count < 0 || (header_count && (!headers || !include_names))) return invalid_input;
    auto* made = new Program;
    made->request.name = name && *name ? name : "default_program";
    made->request.source = source;
    for (int i = 0; i < header_count; i++) made->request.headers.emplace_back(include_names[i], headers[i]);
    std::lock_guard<std::mutex> guard(programs_lock);
    programs.insert(made);
    *program = made;
    return success;
}

EXPORT int nvrtcDestroyProgram(Program** program) {
    if (!program || !known(*program)) return invalid_program;
    std::lock_guard<std::mutex> guard(programs_lock);
    programs.erase(*program);
    delete *program;
    *program = nullptr;
    return success;
}

EXPORT int nvrtcAddNameExpression(Program* program, const char* expression) {
    if (!known(program)) return invalid_program;
    if (!expression) return invalid_input;
    if (program->compiled) return no_name_expressions_after_compilation;
    program->request.expressions.push_back(expression);
    return success;
}

EXPORT int nvrtcGetLoweredName(Program* program, const char* expression, const char** lowered) {
    if (!known(program)) return invalid_program;
    if (!expression || !lowered) return invalid_input;
    if (!program->compiled) return no_lowered_names_before_compilation;
    for (std::size_t i = 0; i < program->lowered.size(); i++)
        if (program->request.expressions[i] == expression) {
            *lowered = program->lowered[i].c_str();
            return success;
        }
    return name_expression_not_valid;
}

namespace {

// Whether a text holds all words, parted by commas, that the setting names: a compiler that fails at some kernels.
bool is_refused(const std::string& source) {
    const char* words = std::getenv("CUPRUM_STANDIN_REFUSE");
    if (!words || !*words) return false;
    std::stringstream list(words);
    for (std::string word; std::getline(list, word, ',');)
        if (source.find(word) == std::string::npos) return false;
    return true;
}

}  // namespace

EXPORT int nvrtcCompileProgram(Program* program, int option_count, const char* const* options) {
    if (!known(program)) return invalid_program;
    if (option_count < 0 || (option_count && !options)) return invalid_input;
    program->request.preprocessor.clear();
    if (std::string unknown = read_options(option_count, options, program->request); !unknown.empty()) {
        program->log = "nvrtc: error: unrecognized option " + unknown + " found\n";
        return invalid_option;
    }
    if (is_refused(program->request.source)) {
        program->log = program->request.name + ": error: CUPRUM_STANDIN_REFUSE says so\n";
        return compilation;
    }
    standin::Compiled compiled = standin::compile(program->request);
    program->log = compiled.log;
    if (!compiled.ok) return compilation;
    program->compiled = true;
    program->image = standin::image_of(compiled.object);
    for (std::size_t i = 0; i < program->request.expressions.size(); i++) program->lowered.push_back(standin::lowered_name(i));
    return success;
}

namespace {

int size_of(Program* program, std::size_t* size) {
    if (!known(program)) return invalid_program;
    if (!size) return invalid_input;
    *size = program->image.size();
    return success;
}

int bytes_of(Program* program, char* into) {
    if (!known(program)) return invalid_program;
    if (!into || program->image.empty()) return invalid_input;
    std::memcpy(into, program->image.data(), program->image.size());
    return success;
}

}  // namespace

// One image serves as cubin and as PTX: the driver takes either.
EXPORT int nvrtcGetCUBINSize(Program* program, std::size_t* size) { return size_of(program, size); }
EXPORT int nvrtcGetCUBIN(Program* program, char* cubin) { return bytes_of(program, cubin); }
EXPORT int nvrtcGetPTXSize(Program* program, std::size_t* size) { return size_of(program, size); }
EXPORT int nvrtcGetPTX(Program* program, char* ptx) { return bytes_of(program, ptx); }

EXPORT int nvrtcGetProgramLogSize(Program* program, std::size_t* size) {
    if (!known(program)) return invalid_program;
    if (!size) return invalid_input;
    *size = program->log.size() + 1;
    return success;
}

EXPORT int nvrtcGetProgramLog(Program* program, char* log) {
    if (!known(program)) return invalid_program;
    if (!log) return invalid_input;
    std::memcpy(log, program->log.c_str(), program->log.size() + 1);
    return success;
}
