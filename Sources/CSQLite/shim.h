// A settings call of SQLite, which Swift cannot make because it is variadic. It is declared here
// and not included, so that this module does not define SQLite a second time beside GRDB's.
int sqlite3_config(int option, ...);

// Turns the counting of memory off (SQLITE_CONFIG_MEMSTATUS), which takes a lock of the whole
// process at each allocation. To be called before the first database is opened. Returns SQLite's
// result code.
static inline int letsmeet_sqlite_stop_counting_memory(void) {
    return sqlite3_config(9, 0);
}
