// Requests with libcurl alone: its multi interface, with a handle for each persistent connection.
//
//     webhook_loop http://HOST:PORT/ FILE COUNT CONNECTIONS
//
// FILE is one body, saved by `letsmeet-bench webhook --sample FILE`.
#include "send.h"

static size_t ignore(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes, (void)context;
    return size * count;
}

static CURL *made(const struct work *work, struct curl_slist *headers) {
    CURL *curl = curl_easy_init();
    if (!curl) fail("cannot start libcurl");
    curl_easy_setopt(curl, CURLOPT_URL, work->url);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_POST, 1L);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, work->size);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, work->octets);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, ignore);
    return curl;
}

static void check(CURLMsg *message) {
    long status = 0;
    if (message->data.result != CURLE_OK) fail(curl_easy_strerror(message->data.result));
    curl_easy_getinfo(message->easy_handle, CURLINFO_RESPONSE_CODE, &status);
    if (status < 200 || status > 299) fail("a request was not answered with 2xx");
}

int main(int count, char **words) {
    const struct work work =
        read_work(count, words, "usage: webhook_loop http://HOST:PORT/ FILE COUNT CONNECTIONS");
    curl_global_init(CURL_GLOBAL_ALL);
    CURLM *multi = curl_multi_init();
    struct curl_slist *headers = curl_slist_append(NULL, "Content-Type: application/json");
    headers = curl_slist_append(headers, "Expect:");
    const double wall = seconds(CLOCK_MONOTONIC), processor = seconds(CLOCK_PROCESS_CPUTIME_ID);
    long begun = 0, ended = 0;
    int running = 0, left = 0;
    for (; begun < work.count && begun < work.connections; begun++)
        curl_multi_add_handle(multi, made(&work, headers));
    while (ended < work.count) {
        CURLMsg *message;
        curl_multi_perform(multi, &running);
        while ((message = curl_multi_info_read(multi, &left))) {
            if (message->msg != CURLMSG_DONE) continue;
            CURL *curl = message->easy_handle;
            check(message);
            ended++;
            curl_multi_remove_handle(multi, curl);
            if (begun++ < work.count)
                curl_multi_add_handle(multi, curl);
            else
                curl_easy_cleanup(curl);
        }
        if (ended < work.count) curl_multi_poll(multi, NULL, 0, 1000, NULL);
    }
    print_report("webhook_loop", work, seconds(CLOCK_MONOTONIC) - wall,
                 seconds(CLOCK_PROCESS_CPUTIME_ID) - processor);
    curl_multi_cleanup(multi);
    curl_slist_free_all(headers);
    return 0;
}
