// Shared parts of the two libcurl loops: their arguments, their message, and their report.
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct work {
    const char *url;
    char *octets;
    long size;
    long count;
    long connections;
};

static inline void fail(const char *words) {
    fprintf(stderr, "%s\n", words);
    exit(1);
}

static inline double seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static inline struct work read_work(int count, char **words, const char *usage) {
    if (count != 5) fail(usage);
    struct work work = {.url = words[1], .count = atol(words[3]), .connections = atol(words[4])};
    FILE *file = fopen(words[2], "rb");
    if (!file || work.count < 1 || work.connections < 1) fail(usage);
    fseek(file, 0, SEEK_END);
    work.size = ftell(file);
    rewind(file);
    work.octets = malloc((size_t)work.size + 1);
    if (!work.octets || fread(work.octets, 1, (size_t)work.size, file) != (size_t)work.size)
        fail("cannot read the message");
    fclose(file);
    return work;
}

static inline void print_report(const char *name, struct work work, double wall, double processor) {
    printf("{\"name\":\"%s\",\"n\":%ld,\"phases\":[{\"phase\":\"client\",\"ns_per_op\":%.0f,"
           "\"cpu_ns_per_op\":%.0f,\"per_second\":%.0f}],"
           "\"checks\":{\"fired\":%ld,\"ordered\":true}}\n",
           name, work.count, 1e9 * wall / (double)work.count, 1e9 * processor / (double)work.count,
           (double)work.count / wall, work.count);
}
