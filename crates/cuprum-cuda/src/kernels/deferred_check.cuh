// What a check of positions leaves for the host, which raises an error when it next waits: the first position beyond its axis.

struct Tickets {
    u64 worst;  // the complement of the first bad number
    u32 blocks;
};

struct Record {
    i64 set, index, axis, length;
};

struct Check {
    i64 axis;
    Tickets *tickets;
    u32 *flag;
    volatile Record *record;
    volatile u32 *any;
};

// Called by one thread, once all blocks have left their numbers in the tickets: makes these ready for the next check, and
// writes the record of `index` where one was bad. Of several checks under one flag the first in the stream's order is told.
inline void publish(const Check &check, bool is_bad, i64 index, i64 length) {
    check.tickets->worst = 0;
    check.tickets->blocks = 0;
    if (!is_bad || *check.flag) return;
    *check.flag = 1;
    check.record->index = index;
    check.record->axis = check.axis;
    check.record->length = length;
    __threadfence_system();
    check.record->set = 1;
    __threadfence_system();
    *check.any = 1;
}
