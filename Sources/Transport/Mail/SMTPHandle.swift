import CCurl

/// libcurl's handle for mails to one server, with the connection that it keeps open.
struct SMTPHandle: ~Copyable {
    private let easy: EasyHandle
    /// Where libcurl writes what went wrong.
    private let buffer: UnsafeMutablePointer<CChar>

    private static let connectMilliseconds = 30_000
    /// After this time a connection that nobody used is not trusted any more, in seconds.
    private static let idleSecondsMax = 60
    /// What libcurl makes room for anew with each mail, and twice more to escape it in: its 64 KiB
    /// make the allocator ask the system for pages and give them back, mail by mail.
    private static let uploadBytes = 16 << 10

    private init(_ easy: consuming EasyHandle) {
        self.easy = easy
        buffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        buffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    /// A handle without a connection yet.
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

    /// libcurl takes its leave of the server after this, and must not write into what is gone.
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
        // libcurl would take CRAM-MD5 before them, and GSSAPI, which some servers only pretend.
        try easy.set(CURLOPT_LOGIN_OPTIONS, "AUTH=PLAIN;AUTH=LOGIN")
    }

    /// What libcurl said of the last mail.
    var complaint: String { String(cString: buffer) }

    /// Hands a mail over.
    func perform(_ mail: SMTPTransfer) throws(TransportError) -> CURLcode {
        buffer[0] = 0
        try setContext(UnsafeRawPointer(Unmanaged.passUnretained(mail).toOpaque()))
        // The handle outlives the mail, and hears the server's farewell when it goes.
        defer { try? setContext(nil) }
        try easy.set(CURLOPT_MAIL_FROM, "<\(mail.message.sender)>")
        try easy.setSize(mail.message.octets.count)
        // What a server can do is said once in a connection.
        try easy.set(CURLOPT_FRESH_CONNECT, mail.message.needsUTF8 ? 1 : 0)
        guard let receivers = curl_slist_append(nil, "<\(mail.message.receiver)>") else {
            throw .failed("there is no memory left")
        }
        defer { curl_slist_free_all(receivers) }
        try easy.setReceivers(receivers)
        return withExtendedLifetime(mail) { curl_easy_perform(easy.pointer) }
    }

    /// What the callbacks are about.
    private func setContext(_ context: UnsafeRawPointer?) throws(TransportError) {
        try easy.set(CURLOPT_READDATA, context)
        try easy.set(CURLOPT_HEADERDATA, context)
        try easy.set(CURLOPT_XFERINFODATA, context)
    }
}
