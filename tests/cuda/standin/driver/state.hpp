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
    std::deque<Work> queue;  // lazy streams only
};

struct Event {
    Context* context;
    unsigned flags;
    std::uint64_t recorded = 0, done = 0;  // counts of records asked for and run
    Stream* stream = nullptr;              // of the last record
    std::shared_ptr<Capture> capture;      // of the last record
    std::chrono::steady_clock::time_point when;
};

struct Graph {
    std::vector<Work> nodes;
};

struct GraphExec {
    Context* context;
    std::vector<Work> nodes;
};

struct LoadedModule;

struct Function {
    LoadedModule* module;
    const Kernel* kernel;
    std::string name;
    unsigned dynamic_limit = 48 * 1024;
};

// Memory of the device, of the host for the device (pinned), or of the host made known (registered).
enum class Place_of_memory { device, pinned, registered };

struct Allocation {
    std::size_t size;
    Place_of_memory place;
    int device;
};

struct Settings {
    int devices = 1;
    std::size_t memory = std::size_t(4) << 30;
    bool lazy = false;    // streams run only when somebody waits
    bool sticky = false;  // a failed kernel takes the context with it, as on the GPU
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

// launch.cpp
struct LaunchShape {
    Index3 grid, block;
    unsigned dynamic_shared;
};
int run_kernel(const Function& function, const LaunchShape& shape, void** parameters);

}  // namespace standin
