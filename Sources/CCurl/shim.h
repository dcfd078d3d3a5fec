// libcurl's setters and getters are variadic, which Swift cannot call: one typed inline for each
// kind of argument stands in.
#ifndef LETSMEET_CCURL_SHIM_H
#define LETSMEET_CCURL_SHIM_H

#include <curl/curl.h>

/// The shape shared by the write and header callbacks.
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

/// Asked now and then whether a transfer shall go on: 0 for yes.
typedef int (*letsmeet_curl_progress)(
    void *context, curl_off_t, curl_off_t, curl_off_t, curl_off_t);

static inline CURLcode letsmeet_curl_set_progress(
    CURL *handle, CURLoption option, letsmeet_curl_progress value) {
    return curl_easy_setopt(handle, option, value);
}

/// Opens the socket for a connection, or refuses to with CURL_SOCKET_BAD.
typedef curl_socket_t (*letsmeet_curl_opener)(
    void *context, curlsocktype purpose, struct curl_sockaddr *address);

static inline CURLcode letsmeet_curl_set_opener(
    CURL *handle, CURLoption option, letsmeet_curl_opener value) {
    return curl_easy_setopt(handle, option, value);
}
/// What CURL_SOCKET_BAD is: Swift does not see it.
static const curl_socket_t letsmeet_curl_no_socket = CURL_SOCKET_BAD;

/// Asked before each request on a connection, also before one that libcurl repeats by itself:
/// whether it is to be sent.
typedef int (*letsmeet_curl_doorkeeper)(
    void *context, char *to, char *from, int to_port, int from_port);

static inline CURLcode letsmeet_curl_set_doorkeeper(
    CURL *handle, CURLoption option, letsmeet_curl_doorkeeper value) {
    return curl_easy_setopt(handle, option, value);
}

/// Hears what is said on a connection.
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

/// The result of a finished transfer, which lies in a union.
static inline CURLcode letsmeet_curl_result(const CURLMsg *message) {
    return message->data.result;
}

#endif
