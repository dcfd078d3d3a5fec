/// The words with which a mail server refuses an address. They show whether the code of the refusal
/// is about the address, because some servers use the codes of unknown addresses for other
/// refusals.
public enum AddressRefusal {
    /// The enhanced codes of addresses that are invalid, do not exist, or are not in use any more
    /// (RFC 3463, 3.2 and 3.3; RFC 7505).
    private static let codes: Set = ["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1"]

    /// True if a refusal says by its code that the address does not exist.
    ///
    /// - Parameters:
    ///   - status: the enhanced code, such as `5.1.1`; may be empty.
    ///   - words: the words of the server.
    /// - Returns: true if the address does not exist.
    public static func isOfAddress(_ status: String, _ words: String) -> Bool {
        guard !isAboutSomethingElse(words) else { return false }
        let told = words.lowercased()
        // Exchange Online refuses unknown addresses with the code of a refused connection. Postfix
        // reports domains that do not exist as hosts that cannot be found, and domains that take no
        // mail (RFC 7505) with a general code.
        return codes.contains(status)
            || status == "5.4.1" && told.contains("recipient address rejected: access denied")
            || status == "5.4.4" && told.contains("domain name not found")
                && !told.contains("try again")
            || status == "5.1.0" && told.contains(/\bnull ?mx\b/)
    }

    /// True if the words of a refusal without a telling code say that the user is unknown.
    public static func saysUnknown(_ words: String) -> Bool {
        PlainBounce.unknownLine(in: words) != nil && !isAboutSomethingElse(words)
    }

    /// The cause of a refusal, as far as its words tell it.
    public enum Cause: Sendable {
        /// The address does not exist.
        case address
        /// The mailbox takes no mail at present, because it is full or gets too many mails.
        case mailbox
        /// The sender, its server, a policy, or the mail itself.
        case sender
        /// The words do not tell it.
        case unknown
    }

    /// The cause of a refusal.
    ///
    /// - Parameter words: the words of the server, with or without codes.
    /// - Returns: the cause.
    public static func cause(of words: String) -> Cause {
        let status = StatusCode.telling(in: words) ?? ""
        let isGeneral =
            status.isEmpty || status.hasSuffix(".0.0")
            || ["5.1.0", "5.5.0"].contains(status)
        let told = words.lowercased()
        if isOfAddress(status, words) || isGeneral && saysUnknown(words) { return .address }
        if isFull(told) || status.hasSuffix(".2.2") || isForAWhile(told) { return .mailbox }
        let isOfSender =
            [".7.", ".6.", ".3."].contains { status.dropFirst().hasPrefix($0) }
            || ["5.1.7", "5.1.8", "5.2.3"].contains(status)
        return isOfSender || isAboutSender(told) || refusesSender(told) ? .sender : .unknown
    }

    /// True if words in lower case refuse the sender: its address, its missing login, its DKIM, SPF
    /// or DMARC, or the network address of its server.
    ///
    /// - Parameter words: the words of the server, in lower case.
    /// - Returns: true if the sender is refused.
    public static func refusesSender(_ words: String) -> Bool {
        isAboutSender(words)
            || words.contains(/\b(spf|dkim|dmarc|rbl|dnsbl|sendasdenied)\b/)
            || words.contains(/\bauthenticat(e|ed|ion)\b.*\b(requir|need|first|must)/)
            || words.contains(/\b(must|not|need to|need to be|be) authenticated?\b/)
            || senderRefusals.contains { words.contains($0) }
    }

    private static let senderRefusals = [
        "sender not authorized", "sender is not authorized", "not authorized to send",
        "not allowed to send", "permission to send as", "permissions to send as",
        "authentication required", "blocked using", "block list", "blocklist", "blacklist",
        "block listed", "spamhaus", "your ip", "reverse dns", "ptr record", "client host",
    ]

    /// True if a refusal does not say that the address is unknown, whatever its code: the mailbox
    /// is full, gets too many mails or is closed for a while, or the sender is refused.
    ///
    /// - Parameter words: the words of the server.
    /// - Returns: true if the address may exist.
    public static func isAboutSomethingElse(_ words: String) -> Bool {
        let words = words.lowercased()
        return isFull(words) || isAboutSender(words) || isForAWhile(words)
    }

    /// True if words in lower case are about the sender.
    static func isAboutSender(_ words: String) -> Bool {
        sender.contains { words.contains($0) }
    }

    /// True if words in lower case say that a mailbox is full.
    static func isFull(_ words: String) -> Bool {
        words.contains(
            /quota|mailbox (is )?full|full mailbox|storage|(out of|no|insufficient) (disk )?space/)
    }

    /// True if words in lower case say that a later mail may be taken, or begin with the code of a
    /// temporary refusal (RFC 5321, 4.2.1).
    private static func isForAWhile(_ words: String) -> Bool {
        words.contains(/^[^0-9a-z]*4[0-9]{2}(?:[ -]|$)/)
            || words.contains(
                /\b(rates?|temporar(y|ily)|later|limit\w*|too (many|much|quickly)|throttl\w*)\b/)
            || words.contains(/gr[ea]y-?list/)
    }

    /// The words of refusals that are about the sender.
    static let sender = [
        "sender verif", "sender address", "sender domain", "sender rejected", "sender denied",
        "sender unknown", "invalid sender", "unknown sender",
    ]
}
