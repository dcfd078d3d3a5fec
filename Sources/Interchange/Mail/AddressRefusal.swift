/// The words with which a mail server refuses an address. They show whether the code of the refusal
/// is about the address, because some servers use the codes of unknown addresses for other
/// refusals.
public enum AddressRefusal {
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
