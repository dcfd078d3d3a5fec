/// Octets as text, two digits an octet, in lower case.
public enum Hexadecimal {
    /// The digits of octets.
    public static func text(_ octets: some Sequence<UInt8>) -> String {
        octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
