#include "compile.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "../common/image.hpp"
#include "source.hpp"

extern char** environ;

namespace standin {
namespace {

std::string read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream all;
    all << in.rdbuf();
    return all.str();
}

bool write_file(const std::string& path, const std::string& text) {
    std::ofstream out(path, std::ios::binary);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    return bool(out);
}

// The folder this library lies in, where build.py has put the header and the options beside it.
const std::string& own_folder() {
    static const std::string folder = [] {
        Dl_info info{};
        dladdr(reinterpret_cast<void*>(&read_file), &info);
        char* real = realpath(info.dli_fname, nullptr);
        std::string path = real ? real : info.dli_fname;
        free(real);
        return path.substr(0, path.rfind('/'));
    }();
    return folder;
}

// The compiler, then its options, a line each.
const std::vector<std::string>& command() {
    static const std::vector<std::string> words = [] {
        std::vector<std::string> lines;
        std::istringstream in(read_file(own_folder() + "/command"));
        for (std::string line; std::getline(in, line);) lines.push_back(line);
        return lines;
    }();
    return words;
}

// A folder that goes with its contents.
struct Workspace {
    std::string path;
    std::vector<std::string> files;

    Workspace() {
        const char* base = std::getenv("TMPDIR");
        std::string pattern = std::string(base && *base ? base : "/tmp") + "/cuprum-standin-XXXXXX";
        if (mkdtemp(pattern.data())) path = pattern;
    }
    ~Workspace() {
        for (auto it = files.rbegin(); it != files.rend(); ++it) ::remove(it->c_str());
        if (!path.empty()) rmdir(path.c_str());
    }
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    std::string file(const std::string& name) {
        for (std::size_t slash = name.find('/'); slash != std::string::npos; slash = name.find('/', slash + 1)) {
            std::string folder = path + "/" + name.substr(0, slash);
            if (mkdir(folder.c_str(), 0700) == 0) files.push_back(folder);
        }
        files.push_back(path + "/" + name);
        return files.back();
    }
};

// Runs a program with its output in `log_path`; true when it ends well.
bool run(const std::vector<std::string>& words, const std::string& log_path) {
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, log_path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    pid_t child = 0;
    int failed = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed) {
        write_file(log_path, words[0] + " could not be started: " + std::strerror(failed) + "\n");
        return false;
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Everything the result depends on, in two independent hashes.
std::string cache_key(const Request& request) {
    std::string all = read_file(own_folder() + "/stamp");
    auto add = [&all](const std::string& part) { all += std::to_string(part.size()) + ":" + part; };
    add(request.name);
    add(request.source);
    for (const auto& [name, text] : request.headers) add(name), add(text);
    for (const auto& option : request.preprocessor) add(option);
    add("|");
    for (const auto& expression : request.expressions) add(expression);
    char key[40];
    std::snprintf(key, sizeof key, "%016llx%016llx",
                  static_cast<unsigned long long>(checksum(all.data(), all.size())),
                  static_cast<unsigned long long>(checksum(all.data(), all.size(), 0x9e3779b97f4a7c15u)));
    return key;
}

// Includes outside the request's own cannot be part of the key.
bool may_cache(const Request& request) {
    for (const auto& option : request.preprocessor)
        if (option.rfind("-I", 0) == 0) return false;
    return true;
}

Compiled failed(const std::string& log) { return {false, log, ""}; }

}  // namespace

std::string lowered_name(std::size_t index) { return "standin_expression_" + std::to_string(index); }

Compiled compile(const Request& request) {
    std::string key = cache_key(request), cached = own_folder() + "/cache/" + key + ".so";
    if (const char* folder = std::getenv("CUPRUM_STANDIN_KEEP"))
        write_file(std::string(folder) + "/" + key + ".cu", request.source);
    if (may_cache(request))
        if (std::string object = read_file(cached); !object.empty()) return {true, "", object};

    if (command().empty()) return failed("the folder of this library is not one that build.py has made\n");
    Workspace work;
    if (work.path.empty()) return failed("no temporary folder could be made\n");
    std::string source = work.file("kernel.cu"), expanded = work.file("kernel.ii"), text = work.file("kernel.cpp");
    std::string object = work.file("kernel.so"), log = work.file("log");
    std::string marker = "# 1 \"" + request.name + "\"\n";
    bool written = write_file(source, marker + request.source);
    for (const auto& [name, header] : request.headers) written = written && write_file(work.file(name), header);
    if (!written) return failed("the kernel's text could not be written to " + work.path + "\n");

    std::vector<std::string> expand = {command()[0],       "-E", "-x", "c++", "-std=c++17", "-w", "-DCUPRUM_STANDIN=1",
                                       "-I" + work.path};
    expand.insert(expand.end(), request.preprocessor.begin(), request.preprocessor.end());
    expand.insert(expand.end(), {source, "-o", expanded});
    if (!run(expand, log)) return failed(read_file(log));

    SourceRead read = read_source(read_file(expanded));
    std::string all = read.text + "\n# 1 \"stand-in\"\n";
    for (const KernelFound& kernel : read.kernels)
        all += "STANDIN_KERNEL(" + kernel.name + ", " + kernel.bounds + ", " + kernel.qualified + ")\n";
    for (std::size_t i = 0; i < request.expressions.size(); i++) {
        std::string expression = request.expressions[i];
        if (!expression.empty() && expression[0] == '&') expression.erase(0, 1);
        all += "STANDIN_KERNEL(" + lowered_name(i) + ", 0, " + expression + ")\n";
    }
    all += "STANDIN_MODULE\n";
    if (!write_file(text, all)) return failed("the kernel's text could not be written to " + work.path + "\n");

    std::vector<std::string> build = command();
    build.insert(build.end(), {"-include", own_folder() + "/device/standin.hpp", text, "-o", object, "-lm"});
    if (!run(build, log)) return failed(read_file(log));

    Compiled compiled{true, read_file(log), read_file(object)};
    if (may_cache(request)) {
        // Written aside and renamed, so that another process never reads half a file.
        std::string aside = cached + "." + std::to_string(getpid()) + "." + work.path.substr(work.path.size() - 6);
        if (write_file(aside, compiled.object)) std::rename(aside.c_str(), cached.c_str());
    }
    return compiled;
}

}  // namespace standin
