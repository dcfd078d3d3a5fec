import CCurl

/// A libcurl handle for mails to one server, with its persistent connection.
struct SMTPHandle: ~Copyable {
    private let easy: EasyHandle
    /// The buffer into which libcurl writes error messages.
    private let buffer: UnsafeMutablePointer<CChar>

    private static let connectMilliseconds = 30_000
    /// The time after which an idle connection is not reused, in seconds.
    private static let idleSecondsMax = 60
    /// The size of libcurl's upload buffer, in bytes. libcurl allocates it for each mail, and twice
    /// as much for escaping. With its default of 64 KiB, the allocator would request pages from the
    /// system and return them for each mail.
    private static let uploadBytes = 16 << 10

    private init(_ easy: consuming EasyHandle) {
        self.easy = easy
        buffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        buffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    /// Creates a handle without a connection.
    static func of(
        _ server: SMTPServer, transcript: Transcript?
    ) throws(TransportError) -> SMTPHandle {
        let handle = SMTPHandle(try EasyHandle())
        try handle.prepare(server)
        try transcript?.listen(to: handle.easy)
        return handle
    }

    private func prepare(_ server: SMTPServer) throws(TransportError) {
        try easy.set(CURLOPT_ERRORBUFFER, UnsafeRawPointer(buffer))
        try easy.set(CURLOPT_URL, server.url)
        try easy.set(CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        try easy.set(CURLOPT_NOSIGNAL, 1)
        try easy.set(CURLOPT_PROXY, "")
        try easy.set(CURLOPT_UPLOAD, 1)
        try easy.set(CURLOPT_CONNECTTIMEOUT_MS, Self.connectMilliseconds)
        try easy.set(CURLOPT_SERVER_RESPONSE_TIMEOUT, SMTPTransfer.verdictSecondsMax)
        try easy.set(CURLOPT_MAXAGE_CONN, Self.idleSecondsMax)
        try easy.set(CURLOPT_UPLOAD_BUFFERSIZE, Self.uploadBytes)
        try easy.set(CURLOPT_NOPROGRESS, 0)
        try easy.set(CURLOPT_READFUNCTION, SMTPTransfer.give)
        try easy.set(CURLOPT_HEADERFUNCTION, SMTPTransfer.takeReply)
        try easy.set(CURLOPT_XFERINFOFUNCTION, SMTPTransfer.isGivenUp)
        try protect(server)
    }

    /// Detaches the error buffer. libcurl still sends QUIT after this and must not write into freed
    /// memory.
    deinit {
        try? easy.set(CURLOPT_ERRORBUFFER, UnsafeRawPointer?.none)
        buffer.deallocate()
    }

    private func protect(_ server: SMTPServer) throws(TransportError) {
        let isEncrypted = server.encryption != .none
        try easy.set(
            CURLOPT_USE_SSL, Int((isEncrypted ? CURLUSESSL_ALL : CURLUSESSL_NONE).rawValue))
        if let authorities = server.authorities { try easy.set(CURLOPT_CAINFO, authorities) }
        guard let user = server.user else { return }
        try easy.set(CURLOPT_USERNAME, user)
        try easy.set(CURLOPT_PASSWORD, server.password ?? "")
        // Otherwise libcurl would prefer CRAM-MD5, and GSSAPI, which some servers offer but do not
        // support.
        try easy.set(CURLOPT_LOGIN_OPTIONS, "AUTH=PLAIN;AUTH=LOGIN")
    }

    /// libcurl's error message for the last mail.
    var complaint: String { String(cString: buffer) }

    /// Sends a mail.
    func perform(_ mail: SMTPTransfer) throws(TransportError) -> CURLcode {
        buffer[0] = 0
        try setContext(UnsafeRawPointer(Unmanaged.passUnretained(mail).toOpaque()))
        // The handle outlives the mail and receives the server's reply to QUIT.
        defer { try? setContext(nil) }
        try easy.set(CURLOPT_MAIL_FROM, "<\(mail.message.sender)>")
        try easy.setSize(mail.message.octets.count)
        // The server lists its capabilities only once per connection.
        try easy.set(CURLOPT_FRESH_CONNECT, mail.message.needsUTF8 ? 1 : 0)
        guard let receivers = curl_slist_append(nil, "<\(mail.message.receiver)>") else {
            throw .failed("out of memory")
        }
        defer { curl_slist_free_all(receivers) }
        try easy.setReceivers(receivers)
        return withExtendedLifetime(mail) { curl_easy_perform(easy.pointer) }
    }

    /// Sets the object that the callbacks receive.
    private func setContext(_ context: UnsafeRawPointer?) throws(TransportError) {
        try easy.set(CURLOPT_READDATA, context)
        try easy.set(CURLOPT_HEADERDATA, context)
        try easy.set(CURLOPT_XFERINFODATA, context)
    }
}
