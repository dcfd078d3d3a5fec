// Timers of libevent in its own loop, as a program would use them.
//
// No real time passes: this program defines its own clock_gettime and epoll_wait, which libevent
// calls instead of the system's. Waiting moves the clock. The events are the caller's, in an array,
// as libevent requires.
#include <event2/event.h>
#include <event2/event_struct.h>
#include <sys/epoll.h>
#include <sys/syscall.h>

#include <functional>

#include "workload.hpp"

namespace {

constexpr uint64_t started = 1'000'000;  // The clock reading at the start of the run.
uint64_t now = 0;
std::function<void(uint32_t)> fired;

void on_event(evutil_socket_t, short, void *id) { fired(uint32_t(uintptr_t(id))); }

class Libevent {
    event *events;
    event_base *base = event_base_new();

public:
    explicit Libevent(size_t capacity)
        : events(static_cast<event *>(malloc(capacity * sizeof(event)))) {}

    void add(uint32_t id, uint64_t deadline) {
        evtimer_assign(&events[id], base, on_event, reinterpret_cast<void *>(uintptr_t(id)));
        move(id, deadline);
    }

    void cancel(uint32_t id) { evtimer_del(&events[id]); }

    void move(uint32_t id, uint64_t deadline) {
        timeval delay = {time_t(deadline / 1000), suseconds_t(deadline % 1000 * 1000)};
        evtimer_add(&events[id], &delay);
    }

    template <class Note>
    void advance(uint64_t time, Note &note) {
        now = time;
        fired = [&note](uint32_t id) { note(id, now, now); };
        event_base_loop(base, EVLOOP_NONBLOCK);
    }

    template <class Note>
    void jump(Note &note) {
        fired = [&note](uint32_t id) { note(id, now, now); };
        event_base_dispatch(base);
    }
};

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec *time) noexcept {
    if (clock == CLOCK_PROCESS_CPUTIME_ID) return int(syscall(SYS_clock_gettime, clock, time));
    *time = {time_t((started + now) / 1000), long((started + now) % 1000 * 1'000'000)};
    return 0;
}

extern "C" int epoll_wait(int, epoll_event *, int, int milliseconds) {
    if (milliseconds > 0) now += uint64_t(milliseconds);
    return 0;
}

int main(int count, char **words) { return workload::run<Libevent>("libevent", count, words); }
