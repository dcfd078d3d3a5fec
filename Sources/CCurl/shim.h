// libcurl's setters and getters are variadic, so Swift cannot call them. These inline functions
// replace them, one for each argument type.
#ifndef LETSMEET_CCURL_SHIM_H
#define LETSMEET_CCURL_SHIM_H

#include <curl/curl.h>

/// The signature shared by the write and header callbacks.
typedef size_t (*letsmeet_curl_sink)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode letsmeet_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode letsmeet_curl_set_string(
    CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode letsmeet_curl_set_pointer(
    CURL *handle, CURLoption option, const void *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode letsmeet_curl_set_list(
    CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode letsmeet_curl_set_sink(
    CURL *handle, CURLoption option, letsmeet_curl_sink value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode letsmeet_curl_set_offset(
    CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

/// The progress callback, called from time to time during a transfer; returns 0 to continue.
typedef int (*letsmeet_curl_progress)(
    void *context, curl_off_t, curl_off_t, curl_off_t, curl_off_t);

static inline CURLcode letsmeet_curl_set_progress(
    CURL *handle, CURLoption option, letsmeet_curl_progress value) {
    return curl_easy_setopt(handle, option, value);
}

/// The callback that opens the socket of a connection, or returns CURL_SOCKET_BAD to refuse.
typedef curl_socket_t (*letsmeet_curl_opener)(
    void *context, curlsocktype purpose, struct curl_sockaddr *address);

static inline CURLcode letsmeet_curl_set_opener(
    CURL *handle, CURLoption option, letsmeet_curl_opener value) {
    return curl_easy_setopt(handle, option, value);
}
/// The value of CURL_SOCKET_BAD, which Swift cannot import.
static const curl_socket_t letsmeet_curl_no_socket = CURL_SOCKET_BAD;

/// The callback before each request on a connection, including requests that libcurl repeats by
/// itself; returns whether to send it.
typedef int (*letsmeet_curl_doorkeeper)(
    void *context, char *to, char *from, int to_port, int from_port);

static inline CURLcode letsmeet_curl_set_doorkeeper(
    CURL *handle, CURLoption option, letsmeet_curl_doorkeeper value) {
    return curl_easy_setopt(handle, option, value);
}

/// The debug callback, which receives the data exchanged on a connection.
typedef int (*letsmeet_curl_listener)(
    CURL *handle, curl_infotype kind, char *bytes, size_t count, void *context);

static inline CURLcode letsmeet_curl_set_listener(
    CURL *handle, CURLoption option, letsmeet_curl_listener value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLMcode letsmeet_curl_set_multi(CURLM *handle, CURLMoption option, long value) {
    return curl_multi_setopt(handle, option, value);
}

static inline CURLcode letsmeet_curl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode letsmeet_curl_get_socket(CURL *handle, curl_socket_t *value) {
    return curl_easy_getinfo(handle, CURLINFO_ACTIVESOCKET, value);
}

/// The result of a finished transfer, which libcurl keeps in a union.
static inline CURLcode letsmeet_curl_result(const CURLMsg *message) {
    return message->data.result;
}

#endif
