import Glibc

/// The addresses of reverse proxies whose `X-Forwarded-…` fields count.
public struct TrustedProxies: Equatable, Sendable {
    /// The IPv4 and IPv6 addresses, without brackets.
    public let addresses: [String]

    /// Parses addresses that are separated by commas: `127.0.0.1, ::1`.
    ///
    /// - Throws: ``Fault`` if one is not an IPv4 or IPv6 address.
    public init(_ text: String) throws(Fault) {
        var addresses: [String] = []
        for part in text.split(separator: ",") {
            let address = part.filter { !$0.isWhitespace && $0 != "[" && $0 != "]" }
            guard Self.isAddress(address) else { throw Fault(text: address) }
            addresses.append(address)
        }
        self.addresses = addresses
    }

    private static func isAddress(_ text: String) -> Bool {
        var version4 = in_addr()
        var version6 = in6_addr()
        return inet_pton(AF_INET, text, &version4) == 1 || inet_pton(AF_INET6, text, &version6) == 1
    }

    /// The error of a text that is not an address.
    public struct Fault: Error, Equatable {
        let text: String

        /// The mistake and the expected form, in a sentence.
        public var reason: String {
            "\"\(text)\" is not an IPv4 or IPv6 address. Separate several addresses by commas, as "
                + "in 127.0.0.1, ::1."
        }
    }
}

extension Configuration {
    /// The reverse proxies whose `X-Forwarded-…` fields count.
    ///
    /// - Throws: ``SettingsError/badValue(name:reason:)``, which names the place of the setting.
    public func trustedProxies() throws(SettingsError) -> TrustedProxies {
        do throws(TrustedProxies.Fault) {
            return try TrustedProxies(self[.trustedProxy] ?? "")
        } catch {
            throw .badValue(name: place(of: .trustedProxy), reason: error.reason)
        }
    }
}

/// The people who may get an account.
public enum Registration: String, CaseIterable, Sendable {
    /// Nobody new.
    case closed
    /// People whom the owner or an administrator lets in.
    case invitation
    /// Everybody who proves a mail address.
    case open
}

extension Configuration {
    /// The people who may get an account. A wrong value counts as the default.
    public var registration: Registration {
        self[.registration].flatMap { Registration(rawValue: $0) } ?? .invitation
    }
}
