import CCurl
import Synchronization

/// A libcurl handle for one transfer, with the list of header lines that must live as long as it.
struct EasyHandle: ~Copyable {
    let pointer: UnsafeMutableRawPointer
    private var headerLines: UnsafeMutablePointer<curl_slist>?
    private let pool: HandlePool?

    /// Creates a handle without options, or takes one from the pool.
    init(from pool: HandlePool? = nil) throws(TransportError) {
        guard Libcurl.isReady, let pointer = pool?.take() ?? curl_easy_init() else {
            throw .failed("libcurl cannot be initialized")
        }
        self.pointer = pointer
        self.pool = pool
    }

    deinit {
        if let pool { pool.hang(pointer) } else { curl_easy_cleanup(pointer) }
        curl_slist_free_all(headerLines)
    }

    func set(_ option: CURLoption, _ value: Int) throws(TransportError) {
        try check(letsmeet_curl_set_long(pointer, option, value))
    }

    func set(_ option: CURLoption, _ value: String) throws(TransportError) {
        try check(letsmeet_curl_set_string(pointer, option, value))
    }

    func set(_ option: CURLoption, _ value: UnsafeRawPointer?) throws(TransportError) {
        try check(letsmeet_curl_set_pointer(pointer, option, value))
    }

    func set(_ option: CURLoption, _ value: letsmeet_curl_sink) throws(TransportError) {
        try check(letsmeet_curl_set_sink(pointer, option, value))
    }

    func set(_ option: CURLoption, _ value: letsmeet_curl_progress) throws(TransportError) {
        try check(letsmeet_curl_set_progress(pointer, option, value))
    }

    func set(_ option: CURLoption, _ value: letsmeet_curl_opener) throws(TransportError) {
        try check(letsmeet_curl_set_opener(pointer, option, value))
    }

    func set(_ option: CURLoption, _ value: letsmeet_curl_listener) throws(TransportError) {
        try check(letsmeet_curl_set_listener(pointer, option, value))
    }

    func set(_ option: CURLoption, _ value: letsmeet_curl_doorkeeper) throws(TransportError) {
        try check(letsmeet_curl_set_doorkeeper(pointer, option, value))
    }

    /// Sets the size of the upload, in octets.
    func setSize(_ octets: Int) throws(TransportError) {
        try check(
            letsmeet_curl_set_offset(pointer, CURLOPT_INFILESIZE_LARGE, curl_off_t(octets)))
    }

    /// Sets the receivers of a mail. The list must stay alive until the mail is sent.
    func setReceivers(_ list: UnsafeMutablePointer<curl_slist>) throws(TransportError) {
        try check(letsmeet_curl_set_list(pointer, CURLOPT_MAIL_RCPT, list))
    }

    /// Sets the header lines of the request. Call this once.
    mutating func setHeaders(_ headers: HTTPHeaders) throws(TransportError) {
        // Servers that do not know `Expect: 100-continue` would delay each long body by a second.
        try addLine("Expect:")
        for field in headers.fields {
            try field.checkSendable()
            // To libcurl, "Name:" removes a header, and "Name;" sends one without a value.
            try addLine(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        try check(letsmeet_curl_set_list(pointer, CURLOPT_HTTPHEADER, headerLines))
    }

    private mutating func addLine(_ line: String) throws(TransportError) {
        guard let longer = curl_slist_append(headerLines, line) else {
            throw .failed("out of memory")
        }
        headerLines = longer
    }

    /// The status code of the last response; 0 before the first one.
    var status: Int {
        var status = 0
        letsmeet_curl_get_long(pointer, CURLINFO_RESPONSE_CODE, &status)
        return status
    }

    /// The number of octets of the request sent so far, including its headers.
    var sentOctets: Int {
        var size = 0
        letsmeet_curl_get_long(pointer, CURLINFO_REQUEST_SIZE, &size)
        return size
    }

    /// The socket of the open connection; -1 if there is none.
    var activeSocket: curl_socket_t {
        var socket = letsmeet_curl_no_socket
        letsmeet_curl_get_socket(pointer, &socket)
        return socket
    }

    private func check(_ code: CURLcode) throws(TransportError) {
        guard code == CURLE_OK else { throw .failed(Libcurl.words(of: code)) }
    }
}

/// A pool of libcurl handles for reuse: creating a handle and its buffers costs as much as a
/// request to a nearby server.
final class HandlePool: Sendable {
    private static let handlesMax = 32

    /// libcurl allows any thread to use a handle, but only one thread at a time.
    private struct Idle: @unchecked Sendable {
        var handles: [UnsafeMutableRawPointer] = []
    }

    private let idle = Mutex(Idle())

    deinit {
        for handle in idle.withLock(\.handles) { curl_easy_cleanup(handle) }
    }

    func take() -> UnsafeMutableRawPointer? {
        idle.withLock { idle in
            nonisolated(unsafe) let handle = idle.handles.popLast()
            return handle
        }
    }

    /// Returns a handle to the pool, with all options reset.
    func hang(_ handle: UnsafeMutableRawPointer) {
        curl_easy_reset(handle)
        nonisolated(unsafe) let clean = handle
        let isKept = idle.withLock { idle in
            guard idle.handles.count < Self.handlesMax else { return false }
            idle.handles.append(clean)
            return true
        }
        if !isKept { curl_easy_cleanup(handle) }
    }
}

/// Functions of libcurl as a whole.
enum Libcurl {
    /// True if libcurl is initialized. This happens once, on first use.
    static let isReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    /// libcurl's fixed text for an error code. Unlike its error buffer, it never quotes data that
    /// was sent.
    static func words(of code: CURLcode) -> String {
        String(cString: curl_easy_strerror(code)).lowercased()
    }
}
