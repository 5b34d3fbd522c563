// Elements of a table at positions. These are checked as they are read: one beyond the table is noted for the host, which
// raises an error when it next waits, and the first element stands for it.

struct PositionRecord {
    u32 *flag;
    volatile u32 *any;
    i64 set, index, axis, length;
};

// Whichever thread comes first notes its position.
inline void note_position(u64 address, i64 position, i64 length) {
    PositionRecord *at = (PositionRecord *)address;
    if (atomicExch(at->flag, 1u) != 0) return;
    volatile PositionRecord *record = at;
    record->index = position;
    record->axis = 0;
    record->length = length;
    __threadfence_system();
    record->set = 1;
    __threadfence_system();
    *at->any = 1;
}

template <class T, bool ALIGNED> T take(const u8* table, i64 position, i64 length, u64 record, bool exists) {
    i64 at = position < 0 ? position + length : position;
    if ((u64)at >= (u64)length) {
        if (exists) note_position(record, position, length);
        at = 0;
    }
    return load_one<T, ALIGNED>(table + at * (i64)sizeof(memory_of<T>));
}
