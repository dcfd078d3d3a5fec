// The raw floor under `letsmeet-bench ledger`: SQLite alone, with the same writes as the ledger.
//
//     floor HOME
//
// HOME was left by `letsmeet-bench ledger --keep HOME`: planned, but nothing fired yet. Two copies
// of its database are made next to it and removed afterwards.
//
// schedule  reads the planned rows into memory, removes them from a copy, and inserts them
//           again in transactions of up to 1,000 rows.
// fire      reads for each delivery in a copy the data that its message needs, and appends its
//           intent and its outcome, 1,000 per transaction.
//
// Durability is that of the ledger (WAL, synchronous=FULL), and so is the cache. Everything else
// has SQLite's defaults: foreign keys are not checked, and deleted data is not overwritten.
#include "floor.h"

static void print_phase(const char *name, struct times spent, size_t count) {
    printf("{\"phase\":\"%s\",\"ns_per_op\":%.0f,\"cpu_ns_per_op\":%.0f,\"per_second\":%.0f}", name,
           1e9 * spent.wall / (double)count, 1e9 * spent.processor / (double)count,
           (double)count / spent.wall);
}

int main(int count, char **words) {
    if (count != 2) fail("usage: floor HOME, made by letsmeet-bench ledger --keep HOME");
    char path[4000], copy[4032];
    snprintf(path, sizeof path, "%s/letsmeet.sqlite", words[1]);
    snprintf(copy, sizeof copy, "%s/floor.sqlite", words[1]);
    sqlite3 *home = opened(path, SQLITE_OPEN_READWRITE);
    size_t planned = 0, fired = 0;
    const struct times inserted = schedule(home, copy, &planned);
    const struct times sent = fire(home, copy, &fired);
    if (!fired) fail("nothing was due");
    printf("{\"name\":\"floor\",\"n\":%zu,\"phases\":[", planned);
    print_phase("schedule", inserted, planned);
    printf(",");
    print_phase("fire", sent, fired);
    printf("],\"checks\":{\"fired\":%zu,\"ordered\":true}}\n", fired);
    sqlite3_close(home);
    return 0;
}
