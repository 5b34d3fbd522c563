// Runs one block of a kernel: its threads take turns on fibers, and meet at barriers and warp collectives.
#pragma once

#include <string>

#include "modules.hpp"

namespace standin {

enum class Turn { ascending, descending, random };

struct Running {
    const Function* function;
    void** parameters;
    unsigned dynamic_shared;
    Turn threads;
    unsigned seed;
};

extern const Machine machine;

// The kernel's result; a message has been written where it is not `success`.
int run_block(const Running& running);

// Which block and thread were running, for reports from outside.
std::string where_it_runs();

// Gives back the fibers of a block that was left in the middle.
void abandon_block();

}  // namespace standin
