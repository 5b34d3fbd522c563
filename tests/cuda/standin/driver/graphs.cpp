// Capturing a stream's work and running it again.
#include <fstream>

#include "state.hpp"

using namespace standin;

namespace {

// CUDA_KERNEL_NODE_PARAMS_v2.
struct KernelNodeParams {
    Function* function;
    unsigned grid[3], block[3], shared;
    void **parameters, **extra;
    void *kernel, *context;
};

LaunchShape shape_of(const KernelNodeParams& of) {
    return {{of.grid[0], of.grid[1], of.grid[2]}, {of.block[0], of.block[1], of.block[2]}, of.shared};
}

// Nodes as late as their edges allow, the last one first: an edge that is missing shows.
std::vector<std::size_t> order_of(const Graph& graph) {
    std::vector<std::size_t> order;
    if (graph.built.empty()) {
        for (std::size_t i = 0; i < graph.nodes.size(); i++) order.push_back(i);
        return order;
    }
    std::set<std::size_t> done;
    while (order.size() < graph.nodes.size()) {
        for (std::size_t i = graph.nodes.size(); i-- > 0;) {
            bool ready = !done.count(i);
            for (std::size_t before : graph.built[i]->after) ready &= done.count(before) > 0;
            if (!ready) continue;
            done.insert(i);
            order.push_back(i);
            break;
        }
    }
    return order;
}

}  // namespace

EXPORT int cuGraphCreate(Graph** graph, unsigned flags) {
    ENTER();
    if (flags) return invalid_value;
    *graph = new Graph{};
    driver().graphs.insert(*graph);
    return success;
}

EXPORT int cuGraphAddKernelNode_v2(GraphNode** made, Graph* graph, GraphNode* const* before, std::size_t count,
                                   const KernelNodeParams* wish) {
    ENTER();
    if (!driver().graphs.count(graph)) return invalid_handle;
    if (graph->built.size() != graph->nodes.size()) return not_supported;
    if (int code = check_kernel(wish->function, shape_of(*wish), wish->parameters, wish->extra, call.context)) return code;
    auto node = std::make_unique<GraphNode>(GraphNode{graph, graph->nodes.size(), {}});
    for (std::size_t i = 0; i < count; i++) {
        if (before[i]->graph != graph) return invalid_value;
        node->after.push_back(before[i]->number);
    }
    graph->nodes.push_back(kept_kernel(wish->function, shape_of(*wish), wish->parameters));
    *made = node.get();
    graph->built.push_back(std::move(node));
    return success;
}

EXPORT int cuGraphExecKernelNodeSetParams_v2(GraphExec* exec, GraphNode* node, const KernelNodeParams* wish) {
    ENTER();
    if (!driver().execs.count(exec)) return invalid_handle;
    auto found = exec->built.find(node);
    if (found == exec->built.end()) return invalid_value;
    if (int code = check_kernel(wish->function, shape_of(*wish), wish->parameters, wish->extra, exec->context)) return code;
    exec->nodes[found->second] = kept_kernel(wish->function, shape_of(*wish), wish->parameters);
    return success;
}

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
    auto* made = new Graph{std::move(capture->nodes), {}};
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
    auto* made = new GraphExec{call.context, graph->nodes, order_of(*graph), {}};
    for (auto& node : graph->built) made->built[node.get()] = node->number;
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
    driver().graph_launches++;
    if (!stream->capture && driver().settings.idle) return success;
    for (std::size_t number : exec->order)
        if (int code = submit(stream, exec->nodes[number])) return code;
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
