import Foundation
public import Planning
public import Settings
import Sinks
import Transport

/// The data of a mail server, as its provider names them.
public struct MailSetup: Equatable, Sendable {
    /// The encryption of the connection.
    public enum Protection: String, CaseIterable, Sendable {
        /// STARTTLS (RFC 3207).
        case startTLS = "starttls"
        /// TLS from the first byte on (RFC 8314).
        case tls
        /// No encryption: for a server on this machine.
        case none
    }

    /// The name of the server.
    public var host = ""
    /// The port; empty for the usual one.
    public var port = ""
    /// The encryption.
    public var protection = Protection.startTLS
    /// The user name; empty if no login is needed.
    public var user = ""
    /// The password; empty to keep the one that is set.
    public var password = ""
    /// The address from which mails are sent.
    public var sender = ""
    /// The public address of the pages; empty for none.
    public var base = ""
    /// The file with the CA certificates to trust; `nil` for those of the system.
    private var authorities: String?

    /// No data.
    public init() {}

    /// The data that a configuration holds. The password is the one in the address, if it has one.
    public init(_ configuration: Configuration) {
        sender = configuration[.mailFrom] ?? ""
        base = configuration[.baseURL] ?? ""
        guard let text = configuration[.smtpURL],
            let server = try? MailServerAddress.parse(text, of: .smtp)
        else { return }
        take(server)
    }

    /// True if a text says that there is no server or no login: `no`, `none` or nothing.
    public static func isNone(_ text: String) -> Bool {
        ["", "-", "n", "no", "none", "nein"].contains(text.lowercased())
    }

    /// Refuses words that answer another question as the name of a server.
    static func checkName(_ host: String) throws(Refusal) {
        let isConsent = ["y", "yes", "j", "ja", "ok"].contains(host.lowercased())
        guard !host.isEmpty, isConsent || isNone(host) else { return }
        throw SettingRules.bad(
            "\"\(host)\" is not the name of a mail server. Write a name such as "
                + "mail.example.org, or nothing if you have no server.")
    }

    /// Takes over a server as people write it: its name, its name and port, or an address as in
    /// `smtp.url`. A text that says that there is none removes the server.
    ///
    /// - Parameter text: for example `mail.example.org:465`. Port 465 means TLS from the start.
    /// - Throws: ``Refusal`` with `bad_setting`; nothing has changed then.
    public mutating func setServer(_ text: String) throws(Refusal) {
        guard !Self.isNone(text) else {
            (host, port, user, authorities) = ("", "", "", nil)
            return
        }
        try Self.checkName(text)
        let isAddress = text.contains("://")
        let url = isAddress ? text : "\(text.hasSuffix(":465") ? "smtps" : "smtp")://\(text)"
        do throws(MailServerAddress.Fault) {
            let server = try MailServerAddress.parse(url, of: .smtp)
            let known = (host: host, user: user)
            // A password is for one login at one server.
            if server.host != known.host { password = "" }
            take(server)
            // A name alone says nothing about the login.
            if !isAddress, server.user == nil { user = known.user }
            if user != known.user, server.password == nil { password = "" }
        } catch {
            throw SettingRules.bad(error.reason)
        }
    }

    private mutating func take(_ server: MailServerAddress) {
        host = server.host
        port = "\(server.port)"
        user = server.user ?? ""
        authorities = server.authorities
        if let secret = server.password { password = secret.value }
        protection =
            switch server.protection {
            case .none: .none
            case .startTLS: .startTLS
            case .tls: .tls
            }
    }

    /// The address of the server in the form of `smtp.url`.
    var url: String {
        // RFC 3986, 2.3: the characters that need no encoding.
        let allowed = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        let login =
            user.isEmpty
            ? "" : (user.addingPercentEncoding(withAllowedCharacters: allowed) ?? "") + "@"
        let host = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        let place = port.isEmpty ? "" : ":\(port)"
        let scheme = protection == .tls ? "smtps" : "smtp"
        let file = authorities?.addingPercentEncoding(
            withAllowedCharacters: allowed.union(["/"]))
        let options =
            (protection == .none ? ["tls=none"] : []) + (file.map { ["ca=\($0)"] } ?? [])
        return "\(scheme)://\(login)\(host)\(place)"
            + (options.isEmpty ? "" : "?" + options.joined(separator: "&"))
    }
}

extension Planner {
    /// Checks the sender address of mails.
    ///
    /// - Returns: the address to save.
    /// - Throws: ``Refusal`` with `bad_address`.
    public static func checkedSender(_ text: String) throws -> String {
        try SettingRules.checkedMailbox(text)
    }

    /// Saves the data of a mail server: the password in a file that only the owner of the home can
    /// read, the rest in the configuration file.
    ///
    /// - Parameters:
    ///   - surroundings: the surroundings of the installation.
    ///   - mail: the data.
    ///   - others: other settings to save.
    /// - Returns: all settings after that.
    /// - Throws: ``Refusal``, for example with `not_allowed` or `bad_value`; nothing has changed
    ///   then.
    @discardableResult
    public static func setUpMail(
        _ surroundings: PlannerSurroundings, _ mail: MailSetup,
        and others: [SettingName: String] = [:]
    ) async throws -> SetupReport {
        try await checkMaySetUp(surroundings)
        // What is set by the environment, or not changed, is not written into the file.
        let known = MailSetup(surroundings.configuration)
        if mail.host != known.host { try MailSetup.checkName(mail.host) }
        var values = others
        if mail.host.isEmpty != known.host.isEmpty || mail.url != known.url {
            values[.smtpURL] = mail.host.isEmpty ? "" : mail.url
        }
        if mail.sender != known.sender { values[.mailFrom] = mail.sender }
        if mail.base != known.base { values[.baseURL] = mail.base }
        for (name, value) in values {
            _ = try checkedSetting(value, for: name, in: surroundings)
        }
        if !mail.password.isEmpty, mail.password != known.password {
            try keepSecret(mail.password, .smtpPassword, surroundings)
        }
        return try await setUp(surroundings, values)
    }

    private static func keepSecret(
        _ text: String, _ name: SettingName, _ surroundings: PlannerSurroundings
    ) throws(Refusal) {
        let (home, files) = (surroundings.home, FileManager.default)
        let draft = home.secret(name) + ".new"
        do {
            try files.createDirectory(
                atPath: home.secrets, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            // What is left of an earlier try may be readable by others, or a link to elsewhere.
            unlink(draft)
            guard
                files.createFile(
                    atPath: draft, contents: Data(text.utf8),
                    attributes: [.posixPermissions: 0o600])
            else { throw CocoaError(.fileWriteUnknown) }
            // The old secret stays until the new one is complete.
            guard rename(draft, home.secret(name)) == 0 else {
                throw CocoaError(.fileWriteUnknown)
            }
        } catch {
            throw Refusal(
                .refused, code: "not_writable",
                "\(home.secrets) cannot be written. Check who owns it, and whether the disk is "
                    + "full.")
        }
    }
}
