import CCurl
import Glibc
import StreamSafe
import Synchronization

/// One HTTP exchange in progress. The handle holds the request; this object collects the response.
///
/// The caller creates it. Then it belongs to the loop's thread until it is finished, and libcurl's
/// callbacks run on that thread, too. Only ``cancel()`` may be called from elsewhere. This, and the
/// handover under ``TransferLoop``'s lock, make `@unchecked` safe.
final class Transfer: @unchecked Sendable {
    /// The maximum size of the response headers, in bytes.
    static let headerBytesMax = 64 << 10
    /// The result for the caller.
    typealias Outcome = Result<HTTPResponse, TransportError>

    private let request: HTTPRequest
    private let handle: EasyHandle
    private let cancelled = Atomic(false)
    private var head = ResponseHead()
    private var body: [UInt8] = []
    private var isTooLarge = false
    /// True if the headers of the response are too large.
    private var isHeadTooLarge = false
    private var isRepeated = false
    private let guardian: AddressGuard?
    /// The numbers of addresses refused and tried.
    private var forbidden = (refused: 0, tried: 0)

    init(
        _ request: HTTPRequest, userAgent: String, guardian: AddressGuard?, transcript: Transcript?,
        pool: HandlePool
    ) throws(TransportError) {
        self.request = request
        self.guardian = guardian
        handle = try Transfer.handle(from: pool, for: request, userAgent: userAgent)
        let context = Unmanaged.passUnretained(self).toOpaque()
        try handle.set(CURLOPT_WRITEFUNCTION, Transfer.takeBody)
        try handle.set(CURLOPT_WRITEDATA, context)
        try handle.set(CURLOPT_HEADERFUNCTION, Transfer.takeHeader)
        try handle.set(CURLOPT_HEADERDATA, context)
        if request.isDelivery {
            try handle.set(CURLOPT_PREREQFUNCTION, Transfer.mayAsk)
            try handle.set(CURLOPT_PREREQDATA, context)
        }
        try transcript?.listen(to: handle)
        // A proxy would reach itself at a loopback address, and the guard cannot check the
        // connections that a proxy makes.
        if guardian != nil || request.url.isLoopback { try handle.set(CURLOPT_PROXY, "") }
        guard guardian != nil else { return }
        try handle.set(CURLOPT_OPENSOCKETFUNCTION, Transfer.openSocket)
        try handle.set(CURLOPT_OPENSOCKETDATA, context)
    }

    /// The pointer by which libcurl identifies this transfer.
    var pointer: UnsafeMutableRawPointer { handle.pointer }

    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    func cancel() { cancelled.store(true, ordering: .releasing) }

    /// The queue in which the transfer waits.
    var queue: HTTPQueue? { request.queue }

    /// The reason not to start the transfer when its turn has come; `nil` to start it.
    var refusal: TransportError? {
        if isCancelled { return .cancelled }
        return request.queue?.isWanted() == false ? .unwanted : nil
    }

    /// The result for the caller after libcurl has finished with a code.
    func outcome(of code: CURLcode) -> Outcome {
        if !isOpenEnded, forbidden.refused > 0, forbidden.tried == 0,
            code == CURLE_COULDNT_CONNECT
        {
            return .failure(.forbidden(host: request.url.host))
        }
        let response = HTTPResponse(status: handle.status, headers: head.headers, body: body)
        guard code != CURLE_OK || isTooLarge else { return .success(response) }
        // libcurl reports a header line that is too long for it as a lack of memory.
        let isHeadTooLarge = isHeadTooLarge || code == CURLE_OUT_OF_MEMORY
        // If the headers are too large, the status has still arrived.
        if request.isDelivery, head.isComplete || isTooLarge || isHeadTooLarge,
            response.status >= 200
        {
            return .success(response)
        }
        if isHeadTooLarge {
            return .failure(
                .failed("the headers of the response are larger than \(Self.headerBytesMax) bytes"))
        }
        if isTooLarge { return .failure(.tooLarge(bytesMax: request.bodyBytesMax)) }
        return .failure(error(for: code))
    }

    /// The result for the caller who cancelled.
    var outcomeOfCancelling: Outcome {
        let response = HTTPResponse(status: handle.status, headers: head.headers, body: body)
        guard request.isDelivery, handle.sentOctets > 0 else { return .failure(.cancelled) }
        return head.isComplete && response.status >= 200
            ? .success(response) : .failure(.unanswered("the program is stopping"))
    }

    /// True if a failure leaves unknown whether the receiver processed the request. If libcurl
    /// wanted to repeat the request and could not connect, the first copy may have been processed.
    private var isOpenEnded: Bool { request.isDelivery && handle.sentOctets > 0 }

    private func error(for code: CURLcode) -> TransportError {
        if isOpenEnded {
            let words = isRepeated ? "the connection closed first" : Libcurl.words(of: code)
            return .unanswered(words)
        }
        return switch code {
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT:
            .badURL(Libcurl.words(of: code))
        case CURLE_COULDNT_RESOLVE_HOST:
            .couldNotResolve(host: request.url.host)
        case CURLE_COULDNT_CONNECT:
            .couldNotConnect(host: request.url.host, port: request.url.port)
        case CURLE_OPERATION_TIMEDOUT:
            .timedOut(milliseconds: request.timeoutMilliseconds)
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT:
            .tlsFailed(Libcurl.words(of: code))
        default:
            .failed(Libcurl.words(of: code))
        }
    }
}

/// Setting up the request.
extension Transfer {
    private static func handle(
        from pool: HandlePool, for request: HTTPRequest, userAgent: String
    ) throws(TransportError) -> EasyHandle {
        var handle = try EasyHandle(from: pool)
        try handle.set(CURLOPT_URL, request.url.text)
        try handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
        try handle.set(CURLOPT_FOLLOWLOCATION, 0)
        try handle.set(CURLOPT_NOSIGNAL, 1)
        // A pending name lookup must not block the other transfers of the loop.
        try handle.set(CURLOPT_QUICK_EXIT, 1)
        try handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // With HTTP/2 a server may refuse a request and ask for it again, with another version or
        // on another connection. libcurl would repeat it, and here that would look like a
        // duplicate.
        try handle.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        try handle.set(CURLOPT_ACCEPT_ENCODING, "")
        try handle.set(CURLOPT_TIMEOUT_MS, max(1, request.timeoutMilliseconds))
        try handle.set(CURLOPT_USERAGENT, userAgent)
        try handle.setHeaders(request.headers)
        switch request.method {
        case .get: try handle.set(CURLOPT_HTTPGET, 1)
        case .post, .put: try setBody(request.body, of: handle)
        }
        if request.method == .put { try handle.set(CURLOPT_CUSTOMREQUEST, HTTPMethod.put.rawValue) }
        return handle
    }

    private static func setBody(
        _ body: [UInt8], of handle: borrowing EasyHandle
    ) throws(TransportError) {
        try handle.set(CURLOPT_POST, 1)
        // Set the size first: it tells libcurl how much to copy.
        try handle.set(CURLOPT_POSTFIELDSIZE, body.count)
        try handle.set(CURLOPT_COPYPOSTFIELDS, body.isEmpty ? [0] : body)
    }
}

/// Sending at most once.
extension Transfer {
    private static let mayAsk: letsmeet_curl_doorkeeper = { context, _, _, _, _ in
        Transfer.of(context).mayAsk ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }

    /// True if libcurl may send the request now. If a reused connection closes without a response,
    /// libcurl would send the request again by itself, and nobody would know that it may have
    /// arrived twice.
    private var mayAsk: Bool {
        isRepeated = handle.sentOctets > 0
        return !isRepeated
    }
}

/// Checking the address before connecting.
extension Transfer {
    private static let openSocket: letsmeet_curl_opener = { context, _, address in
        guard let address else { return letsmeet_curl_no_socket }
        return Transfer.of(context).open(address)
    }

    private func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        // The address follows the header of the structure and can have any length.
        let start = MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0
        let target = NetworkAddress(socket: UnsafeRawPointer(address).advanced(by: start))
        guard let target,
            guardian?.lets(target, of: request.url.host, besides: NetworkAddress.own) == true
        else {
            forbidden.refused += 1
            return letsmeet_curl_no_socket
        }
        forbidden.tried += 1
        let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        return socket(address.pointee.family, kind, address.pointee.protocol)
    }
}

/// Receiving the response.
extension Transfer {
    private static let takeBody: letsmeet_curl_sink = { bytes, size, count, context in
        Transfer.of(context).take(UnsafeRawBufferPointer(start: bytes, count: size * count))
    }

    private static let takeHeader: letsmeet_curl_sink = { bytes, size, count, context in
        let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return Transfer.of(context).takeHeader(line)
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> Transfer {
        guard let context else { preconditionFailure("libcurl lost the transfer of a callback") }
        return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }

    /// Appends bytes to the body and returns how many were taken. Any other number than the bytes
    /// given ends the transfer.
    private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard bytes.count <= request.bodyBytesMax - body.count else {
            isTooLarge = true
            body.append(contentsOf: bytes.prefix(request.bodyBytesMax - body.count))
            return 0
        }
        body.append(contentsOf: bytes)
        return bytes.count
    }

    private func takeHeader(_ line: UnsafeRawBufferPointer) -> Int {
        head.take(line)
        guard head.bytesCount <= Transfer.headerBytesMax else {
            isTooLarge = true
            isHeadTooLarge = true
            return 0
        }
        return line.count
    }
}

/// The headers of a response as they arrive.
struct ResponseHead {
    private(set) var headers = HTTPHeaders()
    private(set) var bytesCount = 0
    /// True if the empty line that ends the headers has arrived.
    private(set) var isComplete = false

    /// Parses one line. A status line begins a new response; what came before was an interim one.
    mutating func take(_ line: some Collection<UInt8>) {
        bytesCount += line.count
        isComplete = line.allSatisfy { $0 == 0x0D || $0 == 0x0A }
        if line.starts(with: "HTTP/".utf8) {
            headers = HTTPHeaders()
            return
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        let name = ResponseHead.trimmed(line[..<colon])
        guard !name.isEmpty else { return }
        headers.add(name, ResponseHead.trimmed(line[line.index(after: colon)...]))
    }

    private static func trimmed(_ bytes: some Collection<UInt8>) -> String {
        let isSpace = { (byte: UInt8) in byte <= 0x20 }
        let text = Array(bytes.drop(while: isSpace))
        let end = text.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? 0
        return String(decoding: text[..<end], as: UTF8.self).streamSafe
    }
}
