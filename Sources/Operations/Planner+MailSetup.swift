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

    /// No data.
    public init() {}

    /// The data that a configuration holds, without the password.
    public init(_ configuration: Configuration) {
        sender = configuration[.mailFrom] ?? ""
        base = configuration[.baseURL] ?? ""
        guard let text = configuration[.smtpURL],
            let server = try? MailServerAddress.parse(text, of: .smtp)
        else { return }
        host = server.host
        port = "\(server.port)"
        user = server.user ?? ""
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
        return "\(scheme)://\(login)\(host)\(place)" + (protection == .none ? "?tls=none" : "")
    }
}

extension Planner {
    /// Saves the data of a mail server: the password in a file that only the owner of the home can
    /// read, the rest in the configuration file.
    ///
    /// - Parameters:
    ///   - surroundings: the surroundings of the installation.
    ///   - mail: the data.
    /// - Throws: ``Refusal``, for example with `not_allowed` or `bad_value`; nothing has changed
    ///   then.
    public static func setUpMail(
        _ surroundings: PlannerSurroundings, _ mail: MailSetup
    ) async throws {
        try await checkMaySetUp(surroundings)
        let values: [SettingName: String] = [
            .smtpURL: mail.host.isEmpty ? "" : mail.url, .mailFrom: mail.sender,
            .baseURL: mail.base,
        ]
        for (name, value) in values {
            _ = try checkedSetting(value, for: name, in: surroundings)
        }
        if !mail.password.isEmpty { try keepSecret(mail.password, .smtpPassword, surroundings) }
        _ = try await setUp(surroundings, values)
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
