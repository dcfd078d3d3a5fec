/// A pattern for addresses that all lead to one mailbox and differ in a tag (RFC 5233), here called
/// the mark: `replies+MARK@example.org`. A `*` in the pattern stands for the mark.
///
/// ```swift
/// try SubaddressForm("replies+*@example.org").mark(in: "Replies+abc@example.org") == "abc"
/// ```
public struct SubaddressForm: Equatable, Sendable {
    /// The longest mark in characters, short enough for every server (RFC 5321, 4.5.3.1.1).
    public static let markCharactersMax = 32
    /// The longest local part (before the `@`) that every server accepts, in octets.
    private static let localOctetsMax = 64

    private let before: String
    private let after: String

    /// Parses a pattern.
    ///
    /// - Throws: `Mailbox.Fault` if it is not an address, does not have exactly one `*` and that
    ///   before the `@`, or has no room for a mark.
    public init(_ text: String) throws(Mailbox.Fault) {
        let parts = text.split(separator: "*", omittingEmptySubsequences: false)
        let mark = String(repeating: "a", count: Self.markCharactersMax)
        guard parts.count == 2, parts[1].contains("@"), !parts[0].contains("@") else {
            throw .malformed
        }
        let address = try Mailbox(parts.joined(separator: mark)).address
        let local = address.prefix { $0 != "@" }
        guard local.utf8.count <= Self.localOctetsMax, address.hasPrefix(parts[0] + mark) else {
            throw .malformed
        }
        before = String(parts[0])
        after = String(address.dropFirst(parts[0].count + Self.markCharactersMax))
    }

    /// The address with a mark.
    public func address(_ mark: String) -> String { before + mark + after }

    /// The mark in an address, in lower case; `nil` if the address does not match the pattern.
    public func mark(in address: String) -> String? {
        let (text, before) = (address.lowercased(), before.lowercased())
        let after = after.lowercased()
        guard text.hasPrefix(before), text.hasSuffix(after),
            text.utf8.count > before.utf8.count + after.utf8.count
        else { return nil }
        return String(text.dropFirst(before.count).dropLast(after.count))
    }
}
