// The driver's result codes that the stand-in gives.
#pragma once

namespace standin {

enum Result : int {
    success = 0,
    invalid_value = 1,
    out_of_memory = 2,
    not_initialized = 3,
    no_device = 100,
    invalid_device = 101,
    invalid_image = 200,
    invalid_context = 201,
    unsupported_limit = 215,
    peer_access_unsupported = 217,
    invalid_handle = 400,
    illegal_state = 401,
    not_found = 500,
    not_ready = 600,
    illegal_address = 700,
    launch_out_of_resources = 701,
    peer_access_already_enabled = 704,
    peer_access_not_enabled = 705,
    context_is_destroyed = 709,
    assertion = 710,
    host_memory_already_registered = 712,
    host_memory_not_registered = 713,
    misaligned_address = 716,
    launch_failed = 719,
    not_supported = 801,
    capture_unsupported = 900,
    capture_invalidated = 901,
    capture_unmatched = 903,
    capture_unjoined = 904,
    capture_isolation = 905,
    capture_implicit = 906,
    captured_event = 907,
    capture_wrong_thread = 908,
    timeout = 909,
};

// One line on stderr: what went wrong, for the person who reads the test's output.
void complain(const char* format, ...) __attribute__((format(printf, 1, 2)));

}  // namespace standin
