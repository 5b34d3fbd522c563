#include "fibers.hpp"

#include <sys/mman.h>
#include <ucontext.h>

#include <cstdint>
#include <cstdlib>

#include "errors.hpp"

namespace standin {

constexpr std::size_t guard_bytes = 4096 * 4;
constexpr std::size_t stack_bytes = 128 * 1024;

Fiber* new_fiber() {
    auto* fiber = new Fiber;
    void* memory = mmap(nullptr, guard_bytes + stack_bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, guard_bytes, PROT_NONE) != 0) {
        complain("no memory for the stack of a thread");
        std::abort();
    }
    fiber->stack = static_cast<unsigned char*>(memory) + guard_bytes;
    return fiber;
}

#if defined(__x86_64__)

// Saves what a callee must keep, and takes up another stack that was left the same way.
asm(R"(
.text
.globl standin_switch
.hidden standin_switch
.type standin_switch, @function
standin_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size standin_switch, .-standin_switch
)");
extern "C" void standin_switch(void** save, void* load);

void prepare_fiber(Fiber* fiber, void (*entry)()) {
    auto* top = reinterpret_cast<std::uintptr_t*>(fiber->stack + stack_bytes);
    *--top = 0;  // where `entry` would return to; also aligns the stack as a call does
    *--top = reinterpret_cast<std::uintptr_t>(entry);
    for (int i = 0; i < 6; i++) *--top = 0;
    fiber->stack_pointer = top;
}

void switch_fiber(Fiber* from, Fiber* to) { standin_switch(&from->stack_pointer, to->stack_pointer); }

#else

static ucontext_t* context_of(Fiber* fiber) {
    if (!fiber->context) fiber->context = new ucontext_t;
    return static_cast<ucontext_t*>(fiber->context);
}

void prepare_fiber(Fiber* fiber, void (*entry)()) {
    ucontext_t* context = context_of(fiber);
    getcontext(context);
    context->uc_stack.ss_sp = fiber->stack;
    context->uc_stack.ss_size = stack_bytes;
    context->uc_link = nullptr;
    makecontext(context, entry, 0);
}

void switch_fiber(Fiber* from, Fiber* to) { swapcontext(context_of(from), context_of(to)); }

#endif

}  // namespace standin
