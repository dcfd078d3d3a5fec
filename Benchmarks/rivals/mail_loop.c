// Mail with libcurl alone: a thread for each persistent connection, and one receiver per mail.
//
//     mail_loop smtp://HOST:PORT FILE COUNT CONNECTIONS
//
// FILE is one mail, saved by `letsmeet-bench mail --sample FILE`.
#include "send.h"
#include <pthread.h>
#include <string.h>

static struct work work;

struct sent {
    long offset;
};

static size_t give(char *buffer, size_t size, size_t count, void *context) {
    struct sent *sent = context;
    size_t left = (size_t)(work.size - sent->offset), room = size * count;
    size_t part = left < room ? left : room;
    memcpy(buffer, work.octets + sent->offset, part);
    sent->offset += (long)part;
    return part;
}

static size_t ignore(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes, (void)context;
    return size * count;
}

static void *send_share(void *number) {
    CURL *curl = curl_easy_init();
    struct curl_slist *receivers = curl_slist_append(NULL, "<guest@example.org>");
    struct sent sent;
    if (!curl || !receivers) fail("cannot start libcurl");
    curl_easy_setopt(curl, CURLOPT_URL, work.url);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(curl, CURLOPT_MAIL_FROM, "<olga@example.org>");
    curl_easy_setopt(curl, CURLOPT_MAIL_RCPT, receivers);
    curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE, (curl_off_t)work.size);
    curl_easy_setopt(curl, CURLOPT_READFUNCTION, give);
    curl_easy_setopt(curl, CURLOPT_READDATA, &sent);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, ignore);
    for (long mail = (long)number; mail < work.count; mail += work.connections) {
        sent.offset = 0;
        CURLcode code = curl_easy_perform(curl);
        if (code != CURLE_OK) fail(curl_easy_strerror(code));
    }
    curl_slist_free_all(receivers);
    curl_easy_cleanup(curl);
    return NULL;
}

int main(int count, char **words) {
    work = read_work(count, words, "usage: mail_loop smtp://HOST:PORT FILE COUNT CONNECTIONS");
    curl_global_init(CURL_GLOBAL_ALL);
    pthread_t threads[1000];
    if (work.connections > 1000) fail("at most 1000 connections are possible");
    const double wall = seconds(CLOCK_MONOTONIC), processor = seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (long number = 0; number < work.connections; number++)
        if (pthread_create(&threads[number], NULL, send_share, (void *)number))
            fail("cannot start another thread");
    for (long number = 0; number < work.connections; number++) pthread_join(threads[number], NULL);
    print_report("mail_loop", work, seconds(CLOCK_MONOTONIC) - wall,
                 seconds(CLOCK_PROCESS_CPUTIME_ID) - processor);
    return 0;
}
