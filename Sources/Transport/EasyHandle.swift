import CCurl
import Synchronization

/// One transfer's handle of libcurl, with what must live as long as it: the list of header lines.
struct EasyHandle: ~Copyable {
    let pointer: UnsafeMutableRawPointer
    private var headerLines: UnsafeMutablePointer<curl_slist>?
    private let pool: HandlePool?

    /// A handle without options, one from the rack where one hangs there.
    init(from pool: HandlePool? = nil) throws(TransportError) {
        guard Libcurl.isReady, let pointer = pool?.take() ?? curl_easy_init() else {
            throw .failed("libcurl could not be started")
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

    /// How many octets are uploaded.
    func setSize(_ octets: Int) throws(TransportError) {
        try check(
            letsmeet_curl_set_offset(pointer, CURLOPT_INFILESIZE_LARGE, curl_off_t(octets)))
    }

    /// Who gets a mail; the list has to live until it was sent.
    func setReceivers(_ list: UnsafeMutablePointer<curl_slist>) throws(TransportError) {
        try check(letsmeet_curl_set_list(pointer, CURLOPT_MAIL_RCPT, list))
    }

    /// Sets the lines that go out with the request, once.
    mutating func setHeaders(_ headers: HTTPHeaders) throws(TransportError) {
        // Servers that do not know `Expect: 100-continue` would cost a second for each long body.
        try addLine("Expect:")
        for field in headers.fields {
            try field.checkSendable()
            // To libcurl "Name:" removes a line, and "Name;" sends one without a value.
            try addLine(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        try check(letsmeet_curl_set_list(pointer, CURLOPT_HTTPHEADER, headerLines))
    }

    private mutating func addLine(_ line: String) throws(TransportError) {
        guard let longer = curl_slist_append(headerLines, line) else {
            throw .failed("there is no memory left")
        }
        headerLines = longer
    }

    /// The status of the last answer, 0 before there is one.
    var status: Int {
        var status = 0
        letsmeet_curl_get_long(pointer, CURLINFO_RESPONSE_CODE, &status)
        return status
    }

    /// How many octets of the request went out, its head included.
    var sentOctets: Int {
        var size = 0
        letsmeet_curl_get_long(pointer, CURLINFO_REQUEST_SIZE, &size)
        return size
    }

    /// The socket of the connection that was made; -1 where there is none.
    var activeSocket: curl_socket_t {
        var socket = letsmeet_curl_no_socket
        letsmeet_curl_get_socket(pointer, &socket)
        return socket
    }

    private func check(_ code: CURLcode) throws(TransportError) {
        guard code == CURLE_OK else { throw .failed(Libcurl.words(of: code)) }
    }
}

/// Handles that were used, for others to use: making one and its buffers costs as much as a request
/// to a server nearby.
final class HandlePool: Sendable {
    private static let handlesMax = 32

    /// libcurl lets any thread use a handle, one at a time.
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

    /// Takes a handle back, without any of its options.
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

/// What concerns libcurl as a whole.
enum Libcurl {
    /// Whether libcurl is set up, which happens on first use and once.
    static let isReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    /// libcurl's fixed text for a code. Unlike its error buffer it never quotes what was sent.
    static func words(of code: CURLcode) -> String {
        String(cString: curl_easy_strerror(code)).lowercased()
    }
}
