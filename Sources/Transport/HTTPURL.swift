import CCurl

/// An absolute `http` or `https` address. libcurl parses it and also makes the connection, so the
/// host that is checked is the host that is connected to.
///
/// ```swift
/// let base = try HTTPURL("https://places.example/")
/// let search = try base.appending(path: "/places/search", query: [("ll", "60.17,24.94")])
/// try search.resolving("https://elsewhere.example/").hasSameOrigin(as: base) == false
/// ```
public struct HTTPURL: Hashable, Sendable {
    /// The maximum length of an address, in bytes.
    public static let bytesMax = 8000

    /// The maximum length of a host name, in bytes (RFC 1035, 2.3.4).
    private static let hostBytesMax = 255

    /// The complete address, as it is sent.
    public let text: String
    /// `http` or `https`.
    public let scheme: String
    /// The host in lower case; an IPv6 address is in brackets.
    public let host: String
    /// The port; the default port of the scheme if the address names none.
    public let port: Int
    /// The path, including its first slash.
    public let path: String

    /// Parses an address.
    ///
    /// - Throws: ``TransportError/badURL(_:)`` unless the text is printable ASCII of at most
    ///   ``bytesMax`` bytes and an `http` or `https` address without a user or password.
    public init(_ text: String) throws(TransportError) {
        // After three slashes libcurl would take the path for the host.
        guard !text.utf8.drop(while: { $0 != UInt8(ascii: ":") }).starts(with: ":///".utf8) else {
            throw .badURL("it is too long or has no host")
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
        else { throw .badURL("it is too long or has no host") }
        self.text = text
        self.scheme = scheme
        self.host = host.lowercased()
        self.port = port
        path = handle.part(CURLUPART_PATH) ?? "/"
    }

    /// True if the host is this machine itself.
    var isLoopback: Bool {
        host == "localhost" || host == "[::1]"
            || host.hasPrefix("127.") && host.split(separator: ".").count == 4
    }

    /// True if scheme, host and port equal those of `other`, so that both may see the same secrets.
    public func hasSameOrigin(as other: HTTPURL) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }

    /// Resolves a reference, absolute or relative, against this address.
    public func resolving(_ reference: String) throws(TransportError) -> HTTPURL {
        try HTTPURL(reference, relativeTo: self)
    }

    /// The address with `path` appended to its own path, and with `query` instead of its own query.
    ///
    /// - Parameters:
    ///   - path: begins with a slash; its special bytes are already percent-encoded.
    ///   - query: plain names and values, which are encoded here.
    /// - Returns: the new address.
    /// - Throws: ``TransportError/badURL(_:)`` if it becomes too long.
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

/// libcurl's URL parser.
private struct URLHandle: ~Copyable {
    private let handle: OpaquePointer

    init() throws(TransportError) {
        guard let handle = curl_url() else { throw .failed("out of memory") }
        self.handle = handle
    }

    deinit { curl_url_cleanup(handle) }

    func set(_ text: String?, as part: CURLUPart = CURLUPART_URL) throws(TransportError) {
        guard text?.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) ?? true else {
            throw .badURL("it contains a space, a control character or a non-ASCII letter")
        }
        switch curl_url_set(handle, part, text, UInt32(CURLU_DISALLOW_USER)) {
        case CURLUE_OK: return
        case CURLUE_USER_NOT_ALLOWED:
            throw .badURL("it must not contain a user name or a password")
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
