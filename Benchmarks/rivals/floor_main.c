// The raw floor under `letsmeet-bench ledger`: SQLite by itself, written to as the ledger writes.
//
//     floor HOME
//
// HOME was left by `letsmeet-bench ledger --keep HOME`: planned, and nothing fired yet. Two copies
// of its database are made beside it and removed again.
//
// schedule  reads into memory what planning left there, takes it out of a copy, and inserts it
//           again in transactions of up to 1,000 rows.
// fire      reads of each delivery in a copy what its message cannot do without, and appends its
//           intent and its outcome, 1,000 a transaction each.
//
// Durability is the ledger's (WAL, synchronous=FULL), and so is the cache; all else is as SQLite
// comes: no foreign keys are checked, nothing that was deleted is overwritten.
#include "floor.h"

static void print_phase(const char *name, struct times spent, size_t count) {
    printf("{\"phase\":\"%s\",\"ns_per_op\":%.0f,\"cpu_ns_per_op\":%.0f,\"per_second\":%.0f}", name,
           1e9 * spent.wall / (double)count, 1e9 * spent.processor / (double)count,
           (double)count / spent.wall);
}

int main(int count, char **words) {
    if (count != 2) fail("usage: floor HOME, as letsmeet-bench ledger --keep HOME has left it");
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
