// Capturing a stream's work and running it again.
#include <fstream>

#include "state.hpp"

using namespace standin;

EXPORT int cuStreamBeginCapture_v2(void* handle, unsigned mode) {
    ENTER();
    Stream* stream = stream_of(handle, call.context);
    if (!stream) return invalid_handle;
    if (mode > capture_relaxed) return invalid_value;
    if (stream == driver().legacy[call.context].get()) return capture_unsupported;
    if (stream->capture) return illegal_state;
    auto capture = std::make_shared<Capture>();
    capture->origin = stream;
    capture->mode = mode;
    capture->thread = std::this_thread::get_id();
    driver().captures.insert(capture.get());
    stream->capture = capture;
    return success;
}

EXPORT int cuStreamEndCapture(void* handle, Graph** graph) {
    ENTER();
    Stream* stream = stream_of(handle, call.context);
    if (!stream) return invalid_handle;
    *graph = nullptr;
    std::shared_ptr<Capture> capture = stream->capture;
    if (!capture) return illegal_state;
    if (capture->origin != stream) return capture_unmatched;
    if (capture->mode != capture_relaxed && capture->thread != std::this_thread::get_id()) return capture_wrong_thread;
    bool unjoined = !capture->unjoined.empty();
    for (Stream* other : driver().streams)
        if (other->capture == capture) other->capture = nullptr;
    for (Event* event : driver().events)
        if (event->capture == capture) event->capture = nullptr;
    driver().captures.erase(capture.get());
    if (capture->invalid) return capture_invalidated;
    if (unjoined) return capture_unjoined;
    auto* made = new Graph{std::move(capture->nodes)};
    driver().graphs.insert(made);
    *graph = made;
    return success;
}

// 0: none, 1: capturing, 2: a capture that can no longer succeed.
EXPORT int cuStreamIsCapturing(void* handle, int* status) {
    ENTER();
    Stream* stream = stream_of(handle, call.context);
    if (!stream) return invalid_handle;
    *status = !stream->capture ? 0 : stream->capture->invalid ? 2 : 1;
    return success;
}

EXPORT int cuGraphGetNodes(Graph* graph, void** nodes, std::size_t* count) {
    ENTER();
    if (!driver().graphs.count(graph)) return invalid_handle;
    if (!nodes) {
        *count = graph->nodes.size();
        return success;
    }
    for (std::size_t i = 0; i < *count; i++) nodes[i] = i < graph->nodes.size() ? &graph->nodes[i] : nullptr;
    if (*count > graph->nodes.size()) *count = graph->nodes.size();
    return success;
}

EXPORT int cuGraphDebugDotPrint(Graph* graph, const char* path, unsigned) {
    ENTER();
    if (!driver().graphs.count(graph)) return invalid_handle;
    std::ofstream file(path);
    file << "digraph standin {\n";
    for (std::size_t i = 0; i < graph->nodes.size(); i++) file << "  node" << i << ";\n";
    file << "}\n";
    return file ? success : invalid_value;
}

EXPORT int cuGraphInstantiateWithFlags(GraphExec** exec, Graph* graph, unsigned long long) {
    ENTER();
    if (!driver().graphs.count(graph)) return invalid_handle;
    auto* made = new GraphExec{call.context, graph->nodes};
    driver().execs.insert(made);
    *exec = made;
    return success;
}

EXPORT int cuGraphUpload(GraphExec* exec, void* handle) {
    ENTER();
    if (!driver().execs.count(exec) || !stream_of(handle, call.context)) return invalid_handle;
    return success;
}

EXPORT int cuGraphLaunch(GraphExec* exec, void* handle) {
    ENTER();
    Stream* stream = stream_of(handle, call.context);
    if (!driver().execs.count(exec) || !stream) return invalid_handle;
    for (const Work& node : exec->nodes)
        if (int code = submit(stream, node)) return code;
    return success;
}

EXPORT int cuGraphDestroy(Graph* graph) {
    ENTER();
    if (!driver().graphs.erase(graph)) return invalid_handle;
    delete graph;
    return success;
}

EXPORT int cuGraphExecDestroy(GraphExec* exec) {
    ENTER();
    if (!driver().execs.erase(exec)) return invalid_handle;
    delete exec;
    return success;
}
