import Glibc

/// Where the daemon answers requests, as `LETSMEET_LISTEN` says it: an address of this machine and
/// a port.
///
/// ```swift
/// try ListenAddress.parse("[::1]:8420")?.host == "::1"
/// ```
public struct ListenAddress: Equatable, Sendable, CustomStringConvertible {
    /// An IPv4 or IPv6 address, without brackets.
    public let host: String
    /// From 0, which means any free port, to 65535.
    public let port: Int

    /// Reads an address: `127.0.0.1:8420`, `[::1]:8420`, `localhost:8420`; `nil` for `none`.
    ///
    /// Names are not looked up: an address that changes behind one's back is none to listen on.
    ///
    /// - Throws: ``Fault`` with what is wrong and what is expected.
    public static func parse(_ text: String) throws(Fault) -> ListenAddress? {
        guard text.lowercased() != "none" else { return nil }
        guard let colon = text.lastIndex(of: ":"), !text.hasSuffix("]"), !text.hasSuffix(":") else {
            throw Fault("a port is missing")
        }
        let digits = text[text.index(after: colon)...]
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits)
        else { throw Fault("\(digits) is no port from 0 to 65535") }
        return ListenAddress(host: try host(text[..<colon]), port: Int(port))
    }

    private static func host(_ text: Substring) throws(Fault) -> String {
        if text.lowercased() == "localhost" { return "127.0.0.1" }
        if text.hasPrefix("["), text.hasSuffix("]") {
            let inner = String(text.dropFirst().dropLast())
            var address = in6_addr()
            guard inet_pton(AF_INET6, inner, &address) == 1 else {
                throw Fault("\(inner) is no IPv6 address")
            }
            return inner
        }
        var address = in_addr()
        guard inet_pton(AF_INET, String(text), &address) == 1 else {
            throw Fault(
                text.isEmpty ? "an address is missing" : "\(text) is no address of this machine")
        }
        return String(text)
    }

    /// As it is written: `127.0.0.1:8420`, `[::1]:8420`.
    public var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// Why a text is no address to listen on.
    public struct Fault: Error, Equatable {
        /// What is wrong and what is expected, in a sentence.
        public let reason: String

        init(_ fault: String) {
            reason =
                "\(fault): write an address with a port, such as 127.0.0.1:8420 or "
                + "[::1]:8420, or none."
        }
    }
}

extension Configuration {
    /// Where the daemon answers requests; `nil` when it shall not.
    ///
    /// - Throws: ``SettingsError/badValue(name:reason:)``, which says where it is set.
    public func listenAddress() throws(SettingsError) -> ListenAddress? {
        do throws(ListenAddress.Fault) {
            return try ListenAddress.parse(self[.listen] ?? "none")
        } catch {
            throw .badValue(name: place(of: .listen), reason: error.reason)
        }
    }
}
