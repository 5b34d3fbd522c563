#include "source.hpp"

#include <cctype>
#include <set>

namespace standin {
namespace {

struct Token {
    std::size_t begin, end;
    char kind;  // 'i' identifier, 's' string, 'n' number, or the character itself
};

struct Reader {
    const std::string& text;
    std::vector<Token> tokens;

    explicit Reader(const std::string& source) : text(source) { split(); }

    std::string at(std::size_t i) const {
        return i < tokens.size() ? text.substr(tokens[i].begin, tokens[i].end - tokens[i].begin) : "";
    }
    char kind(std::size_t i) const { return i < tokens.size() ? tokens[i].kind : '\0'; }

    // Comments are gone by now; lines that begin with # are line markers and pragmas.
    void split() {
        std::size_t i = 0, n = text.size();
        bool line_start = true;
        while (i < n) {
            char c = text[i];
            if (c == '\n') {
                line_start = true;
                i++;
            } else if (std::isspace(static_cast<unsigned char>(c))) {
                i++;
            } else if (c == '#' && line_start) {
                while (i < n && text[i] != '\n') i++;
            } else {
                line_start = false;
                std::size_t begin = i;
                char kind = c;
                if (std::isalpha(static_cast<unsigned char>(c)) || c == '_') {
                    kind = 'i';
                    while (i < n && (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_')) i++;
                } else if (std::isdigit(static_cast<unsigned char>(c))) {
                    kind = 'n';
                    while (i < n && (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '.' || text[i] == '\''))
                        i++;
                } else if (c == '"' || c == '\'') {
                    kind = 's';
                    i++;
                    while (i < n && text[i] != c) i += text[i] == '\\' ? 2 : 1;
                    i++;
                } else {
                    i++;
                }
                tokens.push_back({begin, i, kind});
            }
        }
    }

    // The index behind the group that opens at `i`.
    std::size_t past_group(std::size_t i) const {
        char open = kind(i), close = open == '(' ? ')' : open == '[' ? ']' : open == '{' ? '}' : '>';
        int depth = 0;
        for (; i < tokens.size(); i++) {
            if (kind(i) == open) depth++;
            if (kind(i) == close && --depth == 0) return i + 1;
        }
        return i;
    }
};

bool takes_group(const std::string& word) {
    static const std::set<std::string> words = {"__attribute__", "alignas",          "__align__",
                                                "__maxnreg__",   "__cluster_dims__", "__block_size__"};
    return words.count(word) != 0;
}

// The first argument of the group at `i`.
std::string first_argument(const Reader& r, std::size_t i) {
    std::size_t end = r.past_group(i);
    int depth = 0;
    std::string argument;
    for (std::size_t k = i + 1; k + 1 < end; k++) {
        char kind = r.kind(k);
        if (kind == '(' || kind == '<') depth++;
        if (kind == ')' || kind == '>') depth--;
        if (kind == ',' && depth == 0) break;
        argument += r.at(k) + " ";
    }
    return argument.empty() ? "0" : argument;
}

struct Scope {
    std::string name;
    bool c_linkage;
};

// The kernel whose `__global__` is token `i`; without a name where it is a template, a mere declaration or
// has C++ linkage (such kernels are reached by name expressions).
KernelFound kernel_at(const Reader& r, std::size_t i, const std::vector<Scope>& scopes) {
    bool c_linkage = !scopes.empty() && scopes.back().c_linkage;
    for (std::size_t k = i; k-- > 0;) {
        char kind = r.kind(k);
        if (kind == ';' || kind == '}' || kind == '{') break;
        if (r.at(k) == "template") return {};
        if (r.at(k) == "extern" && r.at(k + 1) == "\"C\"") c_linkage = true;
    }
    if (!c_linkage) return {};
    KernelFound found;
    found.bounds = "0";
    for (std::size_t k = i + 1; k < r.tokens.size(); k++) {
        std::string word = r.at(k);
        if (word == "__launch_bounds__") {
            found.bounds = first_argument(r, k + 1);
            k = r.past_group(k + 1) - 1;
        } else if (takes_group(word)) {
            k = r.past_group(k + 1) - 1;
        } else if (r.kind(k) == 'i' && r.kind(k + 1) == '(') {
            if (r.kind(r.past_group(k + 1)) != '{') return {};
            found.name = word;
            break;
        }
    }
    for (const Scope& scope : scopes)
        if (!scope.name.empty()) found.qualified += scope.name + "::";
    found.qualified += found.name;
    return found;
}

// `extern __shared__ T name[];` that starts at token `i` becomes `T* const name = (T*)...;`.
std::string dynamic_shared_at(const Reader& r, std::size_t i, std::size_t end) {
    std::string type, name;
    std::size_t k = i;
    while (k < end) {
        std::string word = r.at(k);
        if (word == "extern" || word == "__shared__") {
            k++;
        } else if (takes_group(word)) {
            k = r.past_group(k + 1);
        } else if (r.kind(k) == 'i' && r.kind(k + 1) == '[') {
            name = word;
            break;
        } else {
            type += word + (r.kind(k) == 'i' ? " " : "");
            k++;
        }
    }
    return type + "* const " + name + " = reinterpret_cast<" + type + "*>(standin::dynamic_shared);";
}

}  // namespace

SourceRead read_source(const std::string& preprocessed) {
    Reader r(preprocessed);
    SourceRead result;
    std::vector<Scope> scopes;
    std::set<std::string> seen;
    std::size_t copied = 0;
    for (std::size_t i = 0; i < r.tokens.size(); i++) {
        std::string word = r.at(i);
        if (word == "namespace" || (word == "extern" && r.at(i + 1) == "\"C\"")) {
            std::size_t k = i + 1;
            std::string name;
            bool c_linkage = word == "extern";
            while (k < r.tokens.size() && (r.kind(k) == 'i' || r.kind(k) == ':')) name += r.at(k++);
            if (c_linkage) name = "", k = i + 2;
            if (r.kind(k) == '{') {
                scopes.push_back({name, c_linkage});
                i = k;
            }
        } else if (word == "}" && !scopes.empty()) {
            scopes.pop_back();
        } else if (word == "{") {
            // A body or a class: nothing in it opens a namespace, but it may hold dynamic shared memory.
            scopes.push_back({"", false});
        } else if (word == "__global__") {
            KernelFound found = kernel_at(r, i, scopes);
            if (!found.name.empty() && seen.insert(found.name).second) result.kernels.push_back(found);
        } else if ((word == "extern" && r.at(i + 1) == "__shared__") || (word == "__shared__" && r.at(i + 1) == "extern")) {
            std::size_t end = i;
            while (end < r.tokens.size() && r.kind(end) != ';') end++;
            if (end == r.tokens.size()) break;
            result.text += preprocessed.substr(copied, r.tokens[i].begin - copied);
            result.text += dynamic_shared_at(r, i, end);
            copied = r.tokens[end].end;
            i = end;
        } else if (word == "__shared__" && r.at(i + 1) == "alignas") {
            // g++ wants it first.
            std::size_t end = r.past_group(i + 2);
            std::size_t group = r.tokens[i + 1].begin, behind = r.tokens[end - 1].end;
            result.text += preprocessed.substr(copied, r.tokens[i].begin - copied);
            result.text += preprocessed.substr(group, behind - group) + " __shared__";
            copied = behind;
            i = end - 1;
        }
    }
    result.text += preprocessed.substr(copied);
    return result;
}

}  // namespace standin
