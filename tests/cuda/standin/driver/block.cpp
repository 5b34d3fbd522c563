#include "block.hpp"

#include <cstdio>
#include <cstring>

#include "fibers.hpp"

namespace standin {
namespace {

enum class Wait { none, ready, yielded, barrier, collective };

struct Thread {
    Fiber* fiber;
    Wait wait;
    Place place;
    Barrier barrier;
    int predicate;
    Collective collective;
    unsigned mask, source;
    unsigned long long value, result;
};

// First come, first served, or any of those waiting.
struct Queue {
    std::vector<unsigned> threads;
    std::size_t first = 0;

    bool empty() const { return first == threads.size(); }
    void clear() { threads.clear(), first = 0; }
    void push(unsigned thread) { threads.push_back(thread); }
    unsigned pop(bool any, unsigned& seed) {
        if (any) {
            seed = seed * 1664525u + 1013904223u;
            std::swap(threads[first], threads[first + (seed >> 8) % (threads.size() - first)]);
        }
        unsigned thread = threads[first++];
        if (first == threads.size()) clear();
        return thread;
    }
};

constexpr unsigned yields_between_switches = 64;
constexpr unsigned long most_fruitless_turns = 2000000;

struct Block {
    Running running;
    const Module* module;
    Thread threads[most_threads];
    unsigned waiting[most_threads / warp_lanes];  // lanes at a collective
    unsigned arrived;                             // threads at a barrier
    Queue ready, yielded;
    unsigned order[most_threads];
    Fiber scheduler;
    Fiber* current = nullptr;
    std::vector<Fiber*> idle, all;
    unsigned yields;
    int failure;
    unsigned seed;
};

Block block;

Cursor& cursor() { return *block.module->cursor; }

std::string text(const char* format, unsigned a, unsigned b, unsigned c) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, format, a, b, c);
    return buffer;
}

void resume_scheduler() {
    Fiber* self = block.current;
    self->thread = cursor().current;
    switch_fiber(self, &block.scheduler);
}

void fail_block(int code) {
    block.failure = code;
    resume_scheduler();
    __builtin_unreachable();
}

// Waits in the thread's own fiber until the scheduler takes it up again.
void park(Thread& thread, Wait wait) {
    thread.wait = wait;
    thread.fiber = block.current;
    resume_scheduler();
}

void wake(unsigned index) {
    block.threads[index].wait = Wait::ready;
    block.ready.push(index);
}

// The lowest lane of a set; loops take it out by `set &= set - 1`.
unsigned lowest(unsigned lanes) { return static_cast<unsigned>(__builtin_ctz(lanes)); }

unsigned live_threads() { return cursor().count - cursor().finished; }

// Lets everybody pass the barrier, if all who live have come.
bool release_barrier() {
    if (block.arrived == 0 || block.arrived != live_threads()) return false;
    unsigned count = 0;
    const Thread* first = nullptr;
    for (unsigned i = 0; i < cursor().count; i++) {
        Thread& thread = block.threads[i];
        if (thread.wait != Wait::barrier) continue;
        count += thread.predicate != 0;
        if (!first) first = &thread;
        if (thread.place.line != first->place.line || thread.barrier != first->barrier) {
            complain("kernel %s: %s: threads meet at different barriers, in lines %u and %u",
                     block.running.function->name.c_str(), where_it_runs().c_str(), first->place.line, thread.place.line);
            block.failure = launch_failed;
            return false;
        }
    }
    unsigned all = block.arrived;
    for (unsigned k = 0; k < cursor().count; k++) {
        unsigned i = cursor().order ? cursor().order[k] : k;
        Thread& thread = block.threads[i];
        if (thread.wait != Wait::barrier) continue;
        switch (thread.barrier) {
            case Barrier::sync: thread.result = 0; break;
            case Barrier::count: thread.result = count; break;
            case Barrier::all: thread.result = count == all; break;
            case Barrier::any: thread.result = count != 0; break;
        }
        wake(i);
    }
    block.arrived = 0;
    return true;
}

unsigned barrier(Barrier kind, int predicate, Place place) {
    Thread& thread = block.threads[cursor().current];
    thread.barrier = kind;
    thread.predicate = predicate;
    thread.place = place;
    block.arrived++;
    park(thread, Wait::barrier);
    return static_cast<unsigned>(thread.result);
}

unsigned long long combine(Collective kind, unsigned long long a, unsigned long long b) {
    auto x = static_cast<unsigned>(a), y = static_cast<unsigned>(b);
    auto sx = static_cast<int>(x), sy = static_cast<int>(y);
    switch (kind) {
        case Collective::add: case Collective::add_signed: return x + y;
        case Collective::min: return x < y ? x : y;
        case Collective::max: return x > y ? x : y;
        case Collective::min_signed: return static_cast<unsigned>(sx < sy ? sx : sy);
        case Collective::max_signed: return static_cast<unsigned>(sx > sy ? sx : sy);
        case Collective::bit_and: return x & y;
        case Collective::bit_or: return x | y;
        default: return x ^ y;
    }
}

// The lanes of `thread`'s collective, if all who must come have; otherwise 0.
unsigned gathered(unsigned warp, const Thread& thread) {
    unsigned needed = thread.mask & cursor().live[warp];
    if (needed & ~block.waiting[warp]) return 0;
    for (unsigned left = needed; left; left &= left - 1) {
        const Thread& other = block.threads[warp * warp_lanes + lowest(left)];
        if (other.mask != thread.mask || other.collective != thread.collective) return 0;
    }
    return needed;
}

void complete(unsigned warp, unsigned lanes) {
    Thread* threads = block.threads + warp * warp_lanes;
    unsigned votes = 0;
    bool first = true, same = true;
    unsigned long long combined = 0, value = 0;
    Collective kind = threads[lowest(lanes)].collective;
    for (unsigned left = lanes; left; left &= left - 1) {
        unsigned lane = lowest(left);
        Thread& thread = threads[lane];
        votes |= unsigned(thread.value != 0) << lane;
        combined = first ? thread.value : combine(kind, combined, thread.value);
        same = same && (first || thread.value == value);
        value = thread.value;
        first = false;
    }
    for (unsigned left = lanes; left; left &= left - 1) {
        Thread& thread = threads[lowest(left)];
        switch (kind) {
            case Collective::sync: thread.result = 0; break;
            case Collective::shuffle:
                thread.result = thread.source < warp_lanes && lanes >> thread.source & 1 ? threads[thread.source].value
                                                                                         : 0xA5A5A5A5A5A5A5A5ull;
                break;
            case Collective::ballot: thread.result = votes | static_cast<unsigned long long>(lanes) << 32; break;
            case Collective::match_any: {
                unsigned equal = 0;
                for (unsigned others = lanes; others; others &= others - 1)
                    if (threads[lowest(others)].value == thread.value) equal |= others & -others;
                thread.result = equal;
                break;
            }
            case Collective::match_all: thread.result = same ? lanes : 0; break;
            default: thread.result = combined;
        }
    }
    block.waiting[warp] &= ~lanes;
}

unsigned long long collective(Collective kind, unsigned mask, unsigned long long value, unsigned source, Place place) {
    unsigned index = cursor().current, warp = index / warp_lanes, lane = index % warp_lanes;
    Thread& thread = block.threads[index];
    thread.collective = kind;
    thread.mask = mask;
    thread.value = value;
    thread.source = source;
    thread.place = place;
    if (!(mask >> lane & 1)) {
        complain("kernel %s: %s: %s in line %u: the mask 0x%08x leaves out the calling lane %u",
                 block.running.function->name.c_str(), where_it_runs().c_str(), place.what, place.line, mask, lane);
        fail_block(launch_failed);
    }
    block.waiting[warp] |= 1u << lane;
    if (unsigned lanes = gathered(warp, thread)) {
        complete(warp, lanes);
        for (unsigned others = lanes & ~(1u << lane); others; others &= others - 1)
            wake(warp * warp_lanes + lowest(others));
        return thread.result;
    }
    park(thread, Wait::collective);
    return thread.result;
}

// Called by everything a waiting loop calls; every so often the other threads get their turn.
void yield() {
    if (++block.yields < yields_between_switches) return;
    Thread& thread = block.threads[cursor().current];
    block.yielded.push(cursor().current);
    park(thread, Wait::yielded);
}

[[noreturn]] void fail(const char* message, Place place) {
    complain("kernel %s: %s: %s, line %u of %s", block.running.function->name.c_str(), where_it_runs().c_str(), message,
             place.line, place.file);
    fail_block(std::strcmp(place.what, "assert") == 0 ? assertion : launch_failed);
    __builtin_unreachable();
}

// Threads that ended since may have been the last that others waited for.
bool release_after_ends() {
    if (release_barrier()) return true;
    for (unsigned warp = 0; warp * warp_lanes < cursor().count; warp++)
        for (unsigned lane = 0; lane < warp_lanes; lane++) {
            if (!(block.waiting[warp] >> lane & 1)) continue;
            unsigned lanes = gathered(warp, block.threads[warp * warp_lanes + lane]);
            if (!lanes) continue;
            complete(warp, lanes);
            for (unsigned others = lanes; others; others &= others - 1) wake(warp * warp_lanes + lowest(others));
            return true;
        }
    return false;
}

void report_deadlock(const char* how) {
    std::map<std::string, unsigned> places;
    for (unsigned i = 0; i < cursor().count; i++) {
        const Thread& thread = block.threads[i];
        if (!(cursor().live[i / warp_lanes] >> i % warp_lanes & 1)) continue;
        if (thread.wait == Wait::barrier || thread.wait == Wait::collective)
            places[std::string(thread.place.what) + " in line " + std::to_string(thread.place.line)]++;
        else if (thread.wait == Wait::yielded)
            places["a loop that waits"]++;
    }
    std::string list;
    for (auto& [place, count] : places)
        list += (list.empty() ? "" : ", ") + std::to_string(count) + " at " + place;
    complain("kernel %s: block %s: %s: of %u threads %u have ended, and wait %s", block.running.function->name.c_str(),
             text("(%u, %u, %u)", block.module->block->x, block.module->block->y, block.module->block->z).c_str(), how,
             cursor().count, cursor().finished, list.c_str());
}

[[noreturn]] void fiber_entry() {
    block.running.function->kernel->run(block.running.parameters);
    Fiber* self = block.current;
    block.idle.push_back(self);
    switch_fiber(self, &block.scheduler);
    __builtin_unreachable();
}

void run_fiber(Fiber* fiber) {
    block.current = fiber;
    block.yields = 0;
    switch_fiber(&block.scheduler, fiber);
}

void resume(unsigned index) {
    Thread& thread = block.threads[index];
    thread.wait = Wait::none;
    Cursor& c = cursor();
    c.current = index;
    unsigned row = index / c.shape.x;
    *block.module->thread = {index % c.shape.x, row % c.shape.y, row / c.shape.y};
    run_fiber(thread.fiber);
}

void start_fiber() {
    if (block.idle.empty()) {
        block.all.push_back(new_fiber());
        block.idle.push_back(block.all.back());
    }
    Fiber* fiber = block.idle.back();
    block.idle.pop_back();
    prepare_fiber(fiber, fiber_entry);
    run_fiber(fiber);
}

void set_order(Cursor& c) {
    c.order = block.running.threads == Turn::ascending ? nullptr : block.order;
    if (!c.order) return;
    for (unsigned i = 0; i < c.count; i++) block.order[i] = c.count - 1 - i;
    if (block.running.threads == Turn::descending) return;
    for (unsigned i = c.count; i > 1; i--) {
        block.seed = block.seed * 1664525u + 1013904223u;
        std::swap(block.order[i - 1], block.order[(block.seed >> 8) % i]);
    }
}

void poison_shared(const LoadedModule& loaded, unsigned dynamic) {
    for (auto& [begin, size] : loaded.shared) std::memset(begin, poison, size);
    std::memset(loaded.module->dynamic_shared, poison, dynamic + shared_guard);
}

bool dynamic_shared_kept(const Module& module, unsigned dynamic) {
    const unsigned char* guard = module.dynamic_shared + dynamic;
    if (guard[0] == poison && std::memcmp(guard, guard + 1, shared_guard - 1) == 0) return true;
    for (unsigned i = 0; i < shared_guard; i++) {
        if (guard[i] == poison) continue;
        complain("kernel %s: block %s: wrote %u bytes behind its %u bytes of dynamic shared memory",
                 block.running.function->name.c_str(), text("(%u, %u, %u)", module.block->x, module.block->y, module.block->z).c_str(),
                 i, dynamic);
        return false;
    }
    return true;
}

}  // namespace

const Machine machine = {barrier, collective, yield, fail};

std::string where_it_runs() {
    const Module& m = *block.module;
    return "block " + text("(%u, %u, %u)", m.block->x, m.block->y, m.block->z) + " thread " +
           text("(%u, %u, %u)", m.thread->x, m.thread->y, m.thread->z);
}

void abandon_block() { block.idle = block.all; }

int run_block(const Running& running) {
    LoadedModule& loaded = *running.function->module;
    block.running = running;
    block.module = loaded.module;
    block.seed = running.seed;
    block.arrived = 0;
    block.failure = success;
    block.ready.clear();
    block.yielded.clear();
    Cursor& c = cursor();
    c.next = c.current = c.finished = 0;
    c.shape = *block.module->block_shape;
    c.count = c.shape.x * c.shape.y * c.shape.z;
    for (unsigned warp = 0; warp * warp_lanes < c.count; warp++) {
        unsigned lanes = c.count - warp * warp_lanes;
        c.live[warp] = lanes >= warp_lanes ? ~0u : (1u << lanes) - 1;
        block.waiting[warp] = 0;
    }
    for (unsigned i = 0; i < c.count; i++) block.threads[i].wait = Wait::none;
    set_order(c);
    poison_shared(loaded, running.dynamic_shared);

    bool any = running.threads == Turn::random;
    unsigned long fruitless = 0;
    unsigned finished = 0;
    while (c.finished < c.count && !block.failure) {
        if (!block.ready.empty()) {
            fruitless = 0;
            resume(block.ready.pop(any, block.seed));
        } else if (c.next < c.count) {
            start_fiber();
        } else if (release_after_ends()) {
            fruitless = 0;
        } else if (block.failure) {
            break;
        } else if (!block.yielded.empty() && ++fruitless < most_fruitless_turns) {
            if (c.finished != finished) finished = c.finished, fruitless = 0;
            resume(block.yielded.pop(any, block.seed));
        } else {
            report_deadlock(block.yielded.empty() ? "deadlock" : "threads spin without end");
            block.failure = launch_failed;
        }
    }
    if (block.failure) {
        abandon_block();
        return block.failure;
    }
    return dynamic_shared_kept(*block.module, running.dynamic_shared) ? success : launch_failed;
}

}  // namespace standin
