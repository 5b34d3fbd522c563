// What the stand-in driver holds: devices, contexts, memory, streams, events, graphs and modules, all under one
// lock. Work is a closure that runs at the call, is queued (lazy streams), or is kept in a graph.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "../device/abi.hpp"
#include "errors.hpp"

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace standin {

struct Context {
    int device;
    unsigned retained = 0;
    int error = success;  // of work that has failed and that no call has reported
    std::set<int> peers;
    std::size_t limits[4] = {1024, 7340032, 8388608, 2};  // stack, printf, heap, nesting
};

// Work on a stream: what it does, and its result code.
using Work = std::function<int()>;

enum CaptureMode : unsigned { capture_global = 0, capture_thread_local = 1, capture_relaxed = 2 };

struct Stream;

struct Capture {
    Stream* origin;
    unsigned mode;
    std::thread::id thread;
    std::vector<Work> nodes;
    std::set<Stream*> unjoined;  // streams that were drawn in and have not come back to the origin
    bool invalid = false;
};

struct Stream {
    Context* context;
    unsigned flags = 0;  // 1: does not wait for the legacy stream
    int priority = 0;
    std::shared_ptr<Capture> capture;
    std::deque<Work> queue;  // lazy streams, and what comes after a kernel that never ends
    bool stuck = false;      // such a kernel runs
};

struct Event {
    Context* context;
    unsigned flags;
    std::uint64_t recorded = 0, done = 0;  // counts of records asked for and run
    Stream* stream = nullptr;              // of the last record
    std::shared_ptr<Capture> capture;      // of the last record
    std::chrono::steady_clock::time_point when;
    struct SharedCounts* shared = nullptr;  // where processes see it: ipc.cpp
    bool opened = false;                    // it is another process's
};

struct Function;

// A node of a graph that a program built: the kernel, and the nodes that come before it by their numbers.
struct GraphNode {
    struct Graph* graph;
    std::size_t number;
    std::vector<std::size_t> after;
};

struct Graph {
    std::vector<Work> nodes;
    std::vector<std::unique_ptr<GraphNode>> built;  // none for what was captured, which runs in its order
};

struct GraphExec {
    Context* context;
    std::vector<Work> nodes;
    std::vector<std::size_t> order;
    std::map<const GraphNode*, std::size_t> built;
};

struct LoadedModule;

struct Function {
    LoadedModule* module;
    const Kernel* kernel;
    std::string name;
    unsigned dynamic_limit = 48 * 1024;
};

// Memory of the device, of both (managed), of the host for the device (pinned), of the host made known (registered),
// or of another process (opened).
enum class Place_of_memory { device, managed, pinned, registered, opened };

struct Allocation {
    std::size_t size;
    Place_of_memory place;
    int device;
};

struct Settings {
    int devices = 1;
    std::size_t memory = std::size_t(4) << 30;
    bool lazy = false;    // streams run only when somebody waits
    bool idle = false;    // launches do nothing
    bool sticky = false;  // a failed kernel takes the context with it, as on the GPU
    std::string endless;  // the kernel that never ends
    int fail_after = 0;   // calls until one fails; 0 where none does
    int failure = success;
};

struct Driver {
    std::recursive_mutex lock;
    bool initialized = false;
    Settings settings;
    std::vector<std::unique_ptr<Context>> contexts;  // one a device
    std::map<std::uintptr_t, Allocation> allocations;
    std::map<int, std::size_t> used;                 // device memory, by device
    std::set<Stream*> streams;
    std::map<Context*, std::unique_ptr<Stream>> legacy;
    std::set<Event*> events;
    std::set<Graph*> graphs;
    std::set<GraphExec*> execs;
    std::set<LoadedModule*> modules;
    std::set<Function*> functions;
    std::set<Capture*> captures;
    unsigned kernel_launches = 0, graph_launches = 0;
};

Driver& driver();
Context*& current_context();  // of this thread

// Holds the driver's lock for a call, after checking that it may be made.
struct Call {
    std::unique_lock<std::recursive_mutex> guard;
    Context* context = nullptr;
    int refused = success;

    explicit Call(bool needs_context = true);
};

#define ENTER()                        \
    standin::Call call;                \
    if (call.refused) return call.refused

// Errors of work that ran earlier are reported by the next call that waits.
void note_error(Context* context, int code);
int take_error(Context* context);

// streams.cpp
Stream* stream_of(void* handle, Context* context);  // null where the handle is none
int submit(Stream* stream, Work work);
void drain(Stream* stream);
void drain_all(Context* context);
bool known_event(Event* event);
int refuse_while_capturing();  // for calls that a capture in progress forbids

// memory.cpp
const Allocation* allocation_at(const void* address, std::size_t size, std::uintptr_t* begin = nullptr);
bool check_device_range(const char* call, std::uintptr_t address, std::size_t size);
int check_red_zones(const std::string& after);
int new_block(std::uintptr_t* address, std::size_t size, Place_of_memory place, Context* context);
int free_block(const char* name, std::uintptr_t address, Place_of_memory place);

// The pages that a block lies in, and where in them it begins.
struct BlockPages {
    std::uintptr_t base;
    std::size_t bytes, offset;
};
BlockPages pages_at(std::uintptr_t begin, std::size_t size);

// pools.cpp
struct MemPool;
int free_ordered(std::uintptr_t address);  // a block that came from a pool; not_found where it did not

// ipc.cpp: what processes share of a block, and the counts of an event.
void forget_file(std::uintptr_t begin);
int share_event(Event* event);
void note_recorded(Event* event, std::uint64_t record);
void note_done(Event* event, std::uint64_t record);
std::uint64_t recorded_elsewhere(const Event* event);
bool done_elsewhere(const Event* event, std::uint64_t record);
void forget_event(Event* event);

// launch.cpp
struct LaunchShape {
    Index3 grid, block;
    unsigned dynamic_shared;
};
int run_kernel(const Function& function, const LaunchShape& shape, void** parameters);
int check_kernel(const Function* function, const LaunchShape& shape, void** parameters, void** extra, Context* context);
Work kept_kernel(Function* function, const LaunchShape& shape, void** parameters);  // with a copy of its arguments

}  // namespace standin
