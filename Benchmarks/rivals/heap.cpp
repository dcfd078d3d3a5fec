// An indexed 4-ary heap: the fastest simple structure for timers that can be cancelled.
//
// An entry has 16 bytes, and the four children of a node share one cache line. The timer's number
// leads to its place, and a vacated place is filled by moving entries, never by swapping.
#include <cstdlib>

#include "workload.hpp"

class Heap {
    struct Entry {
        uint64_t deadline;
        uint32_t id;
    };

    // Entry 0 is at the end of a cache line, so that each group of four begins one.
    Entry *entries;
    uint32_t *places;
    size_t size = 0;

    void put(size_t place, Entry entry) {
        entries[place] = entry;
        places[entry.id] = uint32_t(place);
    }

    void rise(size_t place, Entry entry) {
        while (place > 0) {
            size_t parent = (place - 1) / 4;
            if (entries[parent].deadline <= entry.deadline) break;
            put(place, entries[parent]);
            place = parent;
        }
        put(place, entry);
    }

    static size_t earlier(const Entry *entries, size_t a, size_t b) {
        return entries[b].deadline < entries[a].deadline ? b : a;
    }

    void sink(size_t place, Entry entry) {
        for (size_t child; (child = 4 * place + 1) + 3 < size;) {
            size_t left = earlier(entries, child, child + 1);
            size_t right = earlier(entries, child + 2, child + 3);
            size_t first = earlier(entries, left, right);
            if (entries[first].deadline >= entry.deadline) return put(place, entry);
            put(place, entries[first]);
            place = first;
        }
        size_t first = 4 * place + 1;
        for (size_t other = first + 1; other < size; other++)
            first = earlier(entries, first, other);
        if (first < size && entries[first].deadline < entry.deadline) {
            put(place, entries[first]);
            place = first;
        }
        put(place, entry);
    }

    void settle(size_t place, Entry entry) {
        if (place > 0 && entry.deadline < entries[(place - 1) / 4].deadline) rise(place, entry);
        else sink(place, entry);
    }

    void remove(size_t place) {
        Entry last = entries[--size];
        if (place < size) settle(place, last);
    }

public:
    explicit Heap(size_t capacity) {
        size_t bytes = ((capacity + 8) * sizeof(Entry) + 63) / 64 * 64;
        entries = static_cast<Entry *>(aligned_alloc(64, bytes)) + 3;
        places = static_cast<uint32_t *>(malloc(capacity * sizeof(uint32_t)));
    }

    void add(uint32_t id, uint64_t deadline) { rise(size++, {deadline, id}); }
    void cancel(uint32_t id) { remove(places[id]); }
    void move(uint32_t id, uint64_t deadline) { settle(places[id], {deadline, id}); }

    template <class Note>
    void advance(uint64_t time, Note &note) {
        while (size > 0 && entries[0].deadline <= time) {
            Entry first = entries[0];
            remove(0);
            note(first.id, first.deadline, time);
        }
    }

    template <class Note>
    void jump(Note &note) {
        while (size > 0) advance(entries[0].deadline, note);
    }
};

int main(int count, char **words) { return workload::run<Heap>("heap", count, words); }
