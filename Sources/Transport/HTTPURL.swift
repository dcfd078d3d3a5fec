import CCurl

/// An absolute `http` or `https` address, read by the parser that also makes the connection, so
/// that what is compared here is what is connected to there.
///
/// ```swift
/// let base = try HTTPURL("https://places.example/")
/// let search = try base.appending(path: "/places/search", query: [("ll", "60.17,24.94")])
/// try search.resolving("https://elsewhere.example/").hasSameOrigin(as: base) == false
/// ```
public struct HTTPURL: Hashable, Sendable {
    /// The most bytes that an address may have.
    public static let bytesMax = 8000

    /// The most bytes that the name of a host has (RFC 1035, 2.3.4).
    private static let hostBytesMax = 255

    /// The whole address, as it is sent.
    public let text: String
    /// `http` or `https`.
    public let scheme: String
    /// The host in lower case; an IPv6 address in brackets.
    public let host: String
    /// The port, also where the address leaves it to the scheme.
    public let port: Int
    /// The path, from its first slash.
    public let path: String

    /// Reads an address.
    ///
    /// - Throws: ``TransportError/badURL(_:)`` for anything but printable ASCII of at most
    ///   ``bytesMax`` bytes that is an address of `http` or `https` without a user or password.
    public init(_ text: String) throws(TransportError) {
        // libcurl would take what follows for the host.
        guard !text.utf8.drop(while: { $0 != UInt8(ascii: ":") }).starts(with: ":///".utf8) else {
            throw .badURL("it is too long or names no host")
        }
        try self.init(text, relativeTo: nil)
    }

    private init(_ text: String, relativeTo base: HTTPURL?) throws(TransportError) {
        let handle = try URLHandle()
        if let base { try handle.set(base.text) }
        try handle.set(text)
        try self.init(reading: handle)
    }

    private init(reading handle: borrowing URLHandle) throws(TransportError) {
        let scheme = handle.part(CURLUPART_SCHEME) ?? ""
        guard scheme == "http" || scheme == "https" else {
            throw .badURL("it must start with http:// or https://")
        }
        guard let text = handle.part(CURLUPART_URL), text.utf8.count <= HTTPURL.bytesMax,
            let host = handle.part(CURLUPART_HOST), !host.isEmpty,
            host.utf8.count <= HTTPURL.hostBytesMax,
            let port = handle.part(CURLUPART_PORT, CURLU_DEFAULT_PORT).flatMap({ Int($0) })
        else { throw .badURL("it is too long or names no host") }
        self.text = text
        self.scheme = scheme
        self.host = host.lowercased()
        self.port = port
        path = handle.part(CURLUPART_PATH) ?? "/"
    }

    /// Whether the host is this machine itself.
    var isLoopback: Bool {
        host == "localhost" || host == "[::1]"
            || host.hasPrefix("127.") && host.split(separator: ".").count == 4
    }

    /// Whether scheme, host and port are those of `other`: what may see the same secrets.
    public func hasSameOrigin(as other: HTTPURL) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }

    /// The address that `reference`, absolute or relative, means on a page at this address.
    public func resolving(_ reference: String) throws(TransportError) -> HTTPURL {
        try HTTPURL(reference, relativeTo: self)
    }

    /// The address with `path` after its own path, and with this query in place of its own.
    ///
    /// - Parameters:
    ///   - path: begins with a slash; its special bytes are encoded already.
    ///   - query: names and values as they are meant; they are encoded here.
    /// - Returns: the longer address.
    /// - Throws: ``TransportError/badURL(_:)`` when it gets too long.
    public func appending(
        path: String, query: [(name: String, value: String)] = []
    ) throws(TransportError) -> HTTPURL {
        let handle = try URLHandle()
        try handle.set(text)
        let start = self.path.hasSuffix("/") ? String(self.path.dropLast()) : self.path
        try handle.set(start + path, as: CURLUPART_PATH)
        try handle.set(query.isEmpty ? nil : FormText.encode(query), as: CURLUPART_QUERY)
        return try HTTPURL(reading: handle)
    }
}

/// libcurl's own parser of addresses.
private struct URLHandle: ~Copyable {
    private let handle: OpaquePointer

    init() throws(TransportError) {
        guard let handle = curl_url() else { throw .failed("there is no memory left") }
        self.handle = handle
    }

    deinit { curl_url_cleanup(handle) }

    func set(_ text: String?, as part: CURLUPart = CURLUPART_URL) throws(TransportError) {
        guard text?.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) ?? true else {
            throw .badURL("it holds a space, a control character or a letter that is not ASCII")
        }
        switch curl_url_set(handle, part, text, UInt32(CURLU_DISALLOW_USER)) {
        case CURLUE_OK: return
        case CURLUE_USER_NOT_ALLOWED:
            throw .badURL("it must not hold a user name or a password")
        case CURLUE_UNSUPPORTED_SCHEME:
            throw .badURL("it must start with http:// or https://")
        default:
            throw .badURL("write it like https://host/path")
        }
    }

    func part(_ part: CURLUPart, _ flags: Int32 = 0) -> String? {
        var bytes: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &bytes, UInt32(flags)) == CURLUE_OK, let bytes else {
            return nil
        }
        defer { curl_free(bytes) }
        return String(cString: bytes)
    }
}
