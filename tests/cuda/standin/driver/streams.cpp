// Streams and events. Work runs at the call, or, where CUPRUM_STANDIN_LAZY is set, only when somebody waits for it:
// that shows every place that reads too early or forgets to wait for another stream.
#include "state.hpp"

namespace standin {

Stream* stream_of(void* handle, Context* context) {
    Driver& d = driver();
    auto number = reinterpret_cast<std::uintptr_t>(handle);
    if (number <= 2) {  // the legacy stream, by any of its names; the thread's own is one with it
        auto& legacy = d.legacy[context];
        if (!legacy) {
            legacy = std::make_unique<Stream>();
            legacy->context = context;
        }
        return legacy.get();
    }
    auto* stream = static_cast<Stream*>(handle);
    return d.streams.count(stream) ? stream : nullptr;
}

static bool is_legacy(Stream* stream) { return stream == driver().legacy[stream->context].get(); }

static void run(Stream* stream, const Work& work) { note_error(stream->context, work()); }

// Waits as long as a kernel that never ends runs: until the process goes.
static void wait_for_ever() {
    for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
}

void drain(Stream* stream) {
    if (stream->stuck) wait_for_ever();
    while (!stream->queue.empty()) {
        Work work = std::move(stream->queue.front());
        stream->queue.pop_front();
        run(stream, work);
    }
}

void drain_all(Context* context) {
    drain(stream_of(nullptr, context));
    for (Stream* stream : driver().streams)
        if (stream->context == context) drain(stream);
}

int submit(Stream* stream, Work work) {
    if (stream->capture) {
        if (stream->capture->invalid) return capture_invalidated;
        stream->capture->nodes.push_back(std::move(work));
        return success;
    }
    // What comes after a kernel that never ends waits for it, in the streams that wait for its own too.
    Stream* legacy = stream_of(nullptr, stream->context);
    bool waits = !(stream->flags & 1) && legacy->stuck;
    if (stream == legacy)
        for (Stream* other : driver().streams) waits |= other->context == stream->context && !(other->flags & 1) && other->stuck;
    stream->stuck |= waits;
    if (stream->stuck) {
        stream->queue.push_back(std::move(work));
        return success;
    }
    // The legacy stream and the blocking ones run in the order of the calls.
    if (is_legacy(stream)) {
        for (Stream* other : driver().streams) {
            if (other->context != stream->context || other->flags & 1) continue;
            if (other->capture) {
                other->capture->invalid = true;
                return capture_implicit;
            }
            drain(other);
        }
    } else if (!(stream->flags & 1)) {
        drain(stream_of(nullptr, stream->context));
    }
    if (driver().settings.lazy) {
        stream->queue.push_back(std::move(work));
    } else {
        run(stream, work);
    }
    return success;
}

thread_local unsigned thread_mode = capture_global;

int refuse_while_capturing() {
    if (thread_mode == capture_relaxed) return success;
    for (Capture* capture : driver().captures) {
        bool own = capture->thread == std::this_thread::get_id();
        bool concerned = own ? capture->mode != capture_relaxed
                             : capture->mode == capture_global && thread_mode == capture_global;
        if (!concerned) continue;
        capture->invalid = true;
        complain("a call was made that a capture in progress forbids");
        return capture_unsupported;
    }
    return success;
}

bool known_event(Event* event) { return driver().events.count(event) != 0; }

// Runs what the event stands for. Its stream may be gone, and then has been drained.
static void reach(Event* event, std::uint64_t record) {
    Driver& d = driver();
    if (event->opened) {
        while (!done_elsewhere(event, record)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return;
    }
    while (event->done < record) {
        Stream* stream = event->stream;
        bool there = stream && (d.streams.count(stream) || is_legacy(stream));
        if (there && stream->stuck) wait_for_ever();
        if (!there || stream->queue.empty()) {
            event->done = record;
            return;
        }
        Work work = std::move(stream->queue.front());
        stream->queue.pop_front();
        run(stream, work);
    }
}

}  // namespace standin

using namespace standin;

EXPORT int cuStreamCreateWithPriority(Stream** stream, unsigned flags, int priority) {
    ENTER();
    if (flags > 1) return invalid_value;
    auto* made = new Stream;
    made->context = call.context;
    made->flags = flags;
    made->priority = priority > 0 ? 0 : priority < -5 ? -5 : priority;
    driver().streams.insert(made);
    *stream = made;
    return success;
}

EXPORT int cuStreamCreate(Stream** stream, unsigned flags) { return cuStreamCreateWithPriority(stream, flags, 0); }

EXPORT int cuStreamDestroy_v2(Stream* stream) {
    ENTER();
    if (!driver().streams.count(stream)) return invalid_handle;
    if (stream->stuck) return success;  // the driver lets it go once its work is done
    drain(stream);
    if (stream->capture) {
        stream->capture->invalid = true;
        stream->capture->unjoined.erase(stream);
        if (stream->capture->origin == stream) driver().captures.erase(stream->capture.get());
    }
    driver().streams.erase(stream);
    delete stream;
    return success;
}

EXPORT int cuStreamSynchronize(void* handle) {
    ENTER();
    Stream* stream = stream_of(handle, call.context);
    if (!stream) return invalid_handle;
    if (stream->capture) {
        stream->capture->invalid = true;
        return capture_unsupported;
    }
    drain(stream);
    note_error(stream->context, check_red_zones("cuStreamSynchronize"));
    return take_error(stream->context);
}

EXPORT int cuStreamQuery(void* handle) {
    ENTER();
    Stream* stream = stream_of(handle, call.context);
    if (!stream) return invalid_handle;
    if (stream->capture) {
        stream->capture->invalid = true;
        return capture_unsupported;
    }
    if (!stream->queue.empty()) {
        drain(stream);  // a loop that asks over and over must end
        return not_ready;
    }
    return take_error(stream->context);
}

EXPORT int cuStreamGetPriority(void* handle, int* priority) {
    ENTER();
    Stream* stream = stream_of(handle, call.context);
    if (!stream) return invalid_handle;
    *priority = stream->priority;
    return success;
}

EXPORT int cuStreamGetFlags(void* handle, unsigned* flags) {
    ENTER();
    Stream* stream = stream_of(handle, call.context);
    if (!stream) return invalid_handle;
    *flags = stream->flags;
    return success;
}

EXPORT int cuStreamGetCtx(void* handle, Context** context) {
    ENTER();
    Stream* stream = stream_of(handle, call.context);
    if (!stream) return invalid_handle;
    *context = stream->context;
    return success;
}

EXPORT int cuStreamWaitEvent(void* handle, Event* event, unsigned) {
    ENTER();
    Stream* stream = stream_of(handle, call.context);
    if (!stream || !known_event(event)) return invalid_handle;
    if (event->capture) {
        if (stream->capture && stream->capture != event->capture) return capture_isolation;
        if (!stream->capture) {  // drawn into the capture
            if (is_legacy(stream)) return capture_implicit;
            stream->capture = event->capture;
            stream->capture->unjoined.insert(stream);
        } else if (event->stream && stream == event->capture->origin) {
            event->capture->unjoined.erase(event->stream);
        }
        return success;
    }
    if (stream->capture) {
        if (event->recorded == 0) return success;
        stream->capture->invalid = true;
        return capture_isolation;
    }
    std::uint64_t record = event->opened ? recorded_elsewhere(event) : event->recorded;
    if (event->done >= record) return success;
    return submit(stream, [=]() -> int {
        if (known_event(event)) reach(event, record);
        return success;
    });
}

EXPORT int cuLaunchHostFunc(void* handle, void (*function)(void*), void* argument) {
    ENTER();
    Stream* stream = stream_of(handle, call.context);
    if (!stream) return invalid_handle;
    return submit(stream, [=]() -> int {
        function(argument);
        return success;
    });
}

EXPORT int cuEventCreate(Event** event, unsigned flags) {
    ENTER();
    auto* made = new Event{};
    made->context = call.context;
    made->flags = flags;
    constexpr unsigned no_timing = 2, interprocess = 4;
    if (flags & interprocess) {
        int code = flags & no_timing ? share_event(made) : invalid_value;
        if (code) {
            delete made;
            return code;
        }
    }
    driver().events.insert(made);
    *event = made;
    return success;
}

EXPORT int cuEventDestroy_v2(Event* event) {
    ENTER();
    if (!known_event(event)) return invalid_handle;
    bool stuck = event->stream && event->done < event->recorded && event->stream->stuck;
    if (!event->opened && !stuck) reach(event, event->recorded);  // waits that are queued on it
    forget_event(event);
    driver().events.erase(event);
    delete event;
    return success;
}

EXPORT int cuEventRecord(Event* event, void* handle) {
    ENTER();
    Stream* stream = stream_of(handle, call.context);
    if (!stream || !known_event(event) || event->context != stream->context) return invalid_handle;
    // Waits are for the record that was the last one when they were asked for: a new one elsewhere comes after it.
    if (event->stream != stream) reach(event, event->recorded);
    event->capture = stream->capture;
    event->stream = stream;
    if (stream->capture) return success;
    if (event->opened) return not_supported;
    std::uint64_t record = ++event->recorded;
    note_recorded(event, record);
    return submit(stream, [=]() -> int {
        if (!known_event(event)) return success;
        event->done = record;
        note_done(event, record);
        event->when = std::chrono::steady_clock::now();
        return success;
    });
}

EXPORT int cuEventRecordWithFlags(Event* event, void* handle, unsigned) { return cuEventRecord(event, handle); }

EXPORT int cuEventQuery(Event* event) {
    ENTER();
    if (!known_event(event)) return invalid_handle;
    if (event->capture) return captured_event;
    if (event->opened) return done_elsewhere(event, recorded_elsewhere(event)) ? success : not_ready;
    if (event->done < event->recorded) {
        if (!event->stream->stuck) reach(event, event->recorded);
        return not_ready;
    }
    return take_error(event->context);
}

EXPORT int cuEventSynchronize(Event* event) {
    ENTER();
    if (!known_event(event)) return invalid_handle;
    if (event->capture) return captured_event;
    reach(event, event->opened ? recorded_elsewhere(event) : event->recorded);
    note_error(event->context, check_red_zones("cuEventSynchronize"));
    return take_error(event->context);
}

EXPORT int cuEventElapsedTime(float* milliseconds, Event* from, Event* to) {
    ENTER();
    constexpr unsigned no_timing = 2;
    if (!known_event(from) || !known_event(to) || (from->flags | to->flags) & no_timing) return invalid_handle;
    if (from->recorded == 0 || to->recorded == 0) return invalid_handle;
    if (from->done < from->recorded || to->done < to->recorded) return not_ready;
    *milliseconds = std::chrono::duration<float, std::milli>(to->when - from->when).count();
    return success;
}

EXPORT int cuEventElapsedTime_v2(float* milliseconds, Event* from, Event* to) {
    return cuEventElapsedTime(milliseconds, from, to);
}

EXPORT int cuThreadExchangeStreamCaptureMode(unsigned* mode) {
    Call call(false);
    if (call.refused) return call.refused;
    if (*mode > capture_relaxed) return invalid_value;
    std::swap(*mode, thread_mode);
    return success;
}
