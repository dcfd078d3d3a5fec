// The workload of `letsmeet-bench wheel`, for other structures: the same timers from the same seed,
// the same phases, checks and JSON. A driver provides a structure with
//   add(id, deadline)  cancel(id)  move(id, deadline)
//   advance(time, note)  goes to that time and fires all due timers with note(id, deadline, time)
//   jump(note)           goes from one expiry to the next until no timer is left
#pragma once
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <numeric>
#include <vector>

namespace workload {

constexpr uint64_t hour_ticks = 3'600'000;

struct Keys {
    std::vector<uint64_t> deadlines, new_deadlines;
    std::vector<uint32_t> order;
    const char *span;
    uint64_t state = 88172645463325252ull;

    Keys(size_t count, const char *span) : order(count), span(span) {
        for (size_t i = 0; i < count; i++) deadlines.push_back(deadline());
        std::iota(order.begin(), order.end(), 0);
        for (size_t i = count - 1; i >= 1; i--) std::swap(order[i], order[next() % (i + 1)]);
        for (size_t i = 0; i < count / 4; i++) new_deadlines.push_back(deadline());
    }

    uint64_t next() {
        state ^= state << 13;
        state ^= state >> 7;
        return state ^= state << 17;
    }

    uint64_t deadline() {
        uint64_t number = next();
        if (!strcmp(span, "1h")) return 1 + number % hour_ticks;
        if (!strcmp(span, "rush")) return 6 * hour_ticks + 1 + number % hour_ticks;
        return 1 + next() % (number % 10 < 8 ? hour_ticks : 720 * hour_ticks);
    }
};

inline uint64_t nanoseconds() {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * 1'000'000'000ull + time.tv_nsec;
}

inline double resident_bytes() {
    long size = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld %ld", &size, &resident) != 2) resident = 0;
    if (file) fclose(file);
    return double(resident) * getpagesize();
}

[[noreturn]] inline void fail(const char *reason) {
    fprintf(stderr, "wrong: %s\n", reason);
    exit(1);
}

// The timers that have fired.
struct Record {
    std::vector<uint32_t> ids;
    size_t count = 0;
    uint64_t sum = 0, latest = 0;
    bool ordered = true, timely = true;

    explicit Record(size_t capacity) : ids(capacity) {}

    void note(uint32_t id, uint64_t deadline, uint64_t time) {
        if (count < ids.size()) ids[count] = id;
        count++;
        sum += deadline;
        ordered &= deadline >= latest;
        timely &= deadline == time;
        latest = deadline;
    }

    void check(std::vector<uint64_t> expected, uint64_t end) const {
        size_t due = 0;
        uint64_t due_sum = 0, last = 0;
        for (uint64_t deadline : expected)
            if (deadline && deadline <= end) due++, due_sum += deadline;
        if (count != due || sum != due_sum) fail("wrong count or sum of fired timers");
        if (!ordered || !timely) fail("fired out of order, early or late");
        for (size_t i = 0; i < count; i++) {
            uint64_t &deadline = expected[ids[i]];
            if (!deadline || deadline < last) fail("fired twice, cancelled, or out of order");
            last = deadline;
            deadline = 0;
        }
    }
};

struct Options {
    size_t n = 1'000'000;
    const char *span = "1h", *mode = "jump";

    Options(int count, char **words) {
        for (int i = 1; i + 1 < count; i += 2) {
            if (!strcmp(words[i], "--n")) n = strtoull(words[i + 1], nullptr, 10);
            else if (!strcmp(words[i], "--span")) span = words[i + 1];
            else if (!strcmp(words[i], "--mode")) mode = words[i + 1];
            else fail("usage: [--n N] [--span 1h|mixed|rush] [--mode jump|tick]");
        }
    }

    bool ticks() const { return !strcmp(mode, "tick"); }

    uint64_t end() const {
        if (ticks()) return hour_ticks;
        return !strcmp(span, "mixed") ? 720 * hour_ticks : 7 * hour_ticks;
    }
};

inline void print(
    const char *name, const Options &options, const uint64_t *spent, double bytes, size_t fired) {
    const char *phases[] = {"add", "cancel", "move", "fire"};
    const double counts[] = {double(options.n), double(options.n / 2), double(options.n / 4),
                             double(fired)};
    const double weights[] = {1, 0.5, 0.25, 0.5};
    double life = 0;
    printf("{\"name\":\"%s\",\"n\":%zu,\"phases\":[", name, options.n);
    for (int i = 0; i < 4; i++) {
        double each = double(spent[i]) / std::max(1.0, counts[i]);
        life += each * weights[i];
        printf("%s{\"phase\":\"%s\",\"ns_per_op\":%.2f,\"per_second\":%.0f}", i ? "," : "",
               phases[i], each, 1e9 / each);
    }
    printf("],\"life_ns\":%.2f,\"bytes_per_item\":%.1f,", life, bytes / double(options.n));
    printf("\"checks\":{\"fired\":%zu,\"ordered\":true}}\n", fired);
}

template <class Structure>
int run(const char *name, int count, char **words) {
    const Options options(count, words);
    const Keys keys(options.n, options.span);
    const size_t n = options.n, moved = n / 4;
    Record record(n);
    Structure timers(n);
    uint64_t spent[4];
    const double before = resident_bytes();

    uint64_t start = nanoseconds();
    for (size_t i = 0; i < n; i++) timers.add(uint32_t(i), keys.deadlines[i]);
    spent[0] = nanoseconds() - start;

    start = nanoseconds();
    for (size_t i = 0; i < n / 2; i++) timers.cancel(keys.order[i]);
    spent[1] = nanoseconds() - start;

    start = nanoseconds();
    for (size_t i = 0; i < moved; i++) timers.move(keys.order[n / 2 + i], keys.new_deadlines[i]);
    spent[2] = nanoseconds() - start;
    const double bytes = resident_bytes() - before;

    start = nanoseconds();
    auto note = [&](uint32_t id, uint64_t deadline, uint64_t time) {
        record.note(id, deadline, time);
    };
    if (options.ticks())
        for (uint64_t time = 1; time <= hour_ticks; time++) timers.advance(time, note);
    else
        timers.jump(note);
    spent[3] = nanoseconds() - start;

    std::vector<uint64_t> expected = keys.deadlines;
    for (size_t i = 0; i < n / 2; i++) expected[keys.order[i]] = 0;
    for (size_t i = 0; i < moved; i++) expected[keys.order[n / 2 + i]] = keys.new_deadlines[i];
    record.check(expected, options.end());
    print(name, options, spent, bytes, record.count);
    return 0;
}

}  // namespace workload
