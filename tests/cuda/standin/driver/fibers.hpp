// Stacks to run a block's threads on, and the switch between them.
#pragma once

#include <cstddef>

namespace standin {

struct Fiber {
    void* stack_pointer = nullptr;
    unsigned char* stack = nullptr;
    void* context = nullptr;  // where there is no switch of our own
    unsigned thread = 0;      // which thread it runs, while it waits
};

// A fiber whose stack has a guard page; it is kept for later launches.
Fiber* new_fiber();

// Makes the next switch to `fiber` call `entry`, which must never return.
void prepare_fiber(Fiber* fiber, void (*entry)());

// Leaves `from` and goes on in `to`; returns when somebody switches back to `from`.
void switch_fiber(Fiber* from, Fiber* to);

}  // namespace standin
