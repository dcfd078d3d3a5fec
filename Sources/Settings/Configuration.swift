import Foundation
import StreamSafe

/// A setting, with its environment variable and its default.
public enum SettingName: String, CaseIterable, Sendable {
    /// The owner's name, as others see it.
    case ownerName = "owner.name"
    /// The owner's mail address; by default the sender address of mail.
    case ownerAddress = "owner.address"
    /// The owner's time zone.
    case ownerZone = "owner.tz"
    /// The language of messages to people who have not set one.
    case language = "language"
    /// The city in which the owner usually looks for places.
    case area = "area"
    /// The enabled sinks.
    case sinks = "sinks"
    /// The sender address of mail; by default the owner's address.
    case mailFrom = "mail.from"
    /// The form of the addresses to which answers by mail go.
    case mailReplies = "mail.replies"
    /// True if calendar programs see the other guests with their addresses.
    case showGuests = "mail.show_guests"
    /// The server for outgoing mail.
    case smtpURL = "smtp.url"
    /// The password for the server of outgoing mail.
    case smtpPassword = "smtp.password"
    /// The server and folder in which answers by mail arrive.
    case imapURL = "imap.url"
    /// The password for the server of incoming mail.
    case imapPassword = "imap.password"
    /// The Maildir in which answers arrive.
    case maildir = "mail.maildir"
    /// The address for webhook requests.
    case webhookURL = "webhook.url"
    /// The secret that signs webhook requests.
    case webhookSecret = "webhook.secret"
    /// Non-public hosts and networks to which requests may go.
    case webhookAllow = "webhook.allow"
    /// The key for Foursquare's Places API.
    case foursquareKey = "foursquare.key"
    /// The address of Foursquare's Places API.
    case foursquareURL = "foursquare.url"
    /// The address of an Overpass server.
    case overpassURL = "overpass.url"
    /// The address of map tiles, with `{z}`, `{x}` and `{y}`.
    case mapTiles = "map.tiles"
    /// The text to show with these tiles.
    case mapSource = "map.source"
    /// The mail address for feedback about this installation, which all accounts see.
    case feedbackAddress = "feedback.address"
    /// The address on which letsmeetd listens.
    case listen = "listen"
    /// The public address of letsmeetd, at which the receivers of messages reach it.
    case baseURL = "base.url"
    /// The address of the health check and the metrics alone.
    case operations = "operations"
    /// The addresses of reverse proxies whose `X-Forwarded-…` fields count.
    case trustedProxy = "trusted.proxy"
    /// The people who may get an account: `closed`, `invitation` or `open`.
    case registration = "accounts.registration"
    /// The folder of address book files that `contacts sync` reads.
    case contactsFolder = "contacts.folder"
    /// The quiet hours of people who have none of their own, nor by a circle.
    case quietHours = "quiet-hours"
    /// True if crontab entries may run shell commands.
    case allowShell = "allow_shell"

    /// The environment variable that overrides the file; `nil` if there is none.
    public var variable: String? {
        switch self {
        case .ownerName, .ownerAddress, .ownerZone, .area, .contactsFolder, .allowShell: nil
        case .language: "LETSMEET_LANGUAGE"
        case .sinks: "LETSMEET_SINKS"
        case .quietHours: "LETSMEET_QUIET_HOURS"
        case .mailFrom: "LETSMEET_MAIL_FROM"
        case .mailReplies: "LETSMEET_MAIL_REPLIES"
        case .showGuests: "LETSMEET_MAIL_SHOW_GUESTS"
        case .smtpURL: "LETSMEET_SMTP_URL"
        case .smtpPassword: "LETSMEET_SMTP_PASSWORD"
        case .imapURL: "LETSMEET_IMAP_URL"
        case .imapPassword: "LETSMEET_IMAP_PASSWORD"
        case .maildir: "LETSMEET_MAILDIR"
        case .webhookURL: "LETSMEET_WEBHOOK_URL"
        case .webhookSecret: "LETSMEET_WEBHOOK_SECRET"
        case .webhookAllow: "LETSMEET_WEBHOOK_ALLOW"
        case .foursquareKey: "FOURSQUARE_SERVICE_KEY"
        case .foursquareURL: "LETSMEET_FOURSQUARE_URL"
        case .overpassURL: "LETSMEET_OVERPASS_URL"
        case .mapTiles: "LETSMEET_MAP_TILES"
        case .mapSource: "LETSMEET_MAP_SOURCE"
        case .feedbackAddress: "LETSMEET_FEEDBACK_ADDRESS"
        case .listen: "LETSMEET_LISTEN"
        case .baseURL: "LETSMEET_BASE_URL"
        case .operations: "LETSMEET_OPERATIONS"
        case .trustedProxy: "LETSMEET_TRUSTED_PROXY"
        case .registration: "LETSMEET_REGISTRATION"
        }
    }

    /// True if the value is secret: never shown, and never read from the configuration file.
    public var isSecret: Bool {
        [.foursquareKey, .smtpPassword, .imapPassword, .webhookSecret].contains(self)
    }

    /// True if the value may contain a secret.
    var mayHoldSecret: Bool {
        isSecret || [.smtpURL, .imapURL, .webhookURL].contains(self)
    }

    /// The value in a form that can be shown.
    public func shown(_ value: String) -> String {
        switch self {
        case .smtpURL: MailServerAddress.withoutPassword(value, of: .smtp)
        case .imapURL: MailServerAddress.withoutPassword(value, of: .imap)
        case .webhookURL: WebAddress.withoutPath(value)
        default: isSecret ? Secret(value).description : value
        }
    }

    /// The default value; `nil` if there is none.
    public var standard: String? {
        switch self {
        case .ownerName, .ownerAddress, .ownerZone, .area, .sinks, .mailFrom, .mailReplies,
            .smtpURL, .smtpPassword, .imapURL, .imapPassword, .maildir, .webhookURL, .webhookSecret,
            .webhookAllow, .foursquareKey, .baseURL, .operations, .trustedProxy, .contactsFolder,
            .mapTiles, .quietHours, .feedbackAddress:
            nil
        case .registration: "invitation"
        case .foursquareURL: "https://places-api.foursquare.com"
        case .overpassURL: "https://overpass-api.de/api/interpreter"
        case .mapSource: "© OpenStreetMap contributors"
        case .listen: "127.0.0.1:8420"
        case .language: "en"
        case .allowShell, .showGuests: "false"
        }
    }
}

/// All settings, with the origin of each.
public struct Configuration: Sendable {
    /// A value with its origin.
    public struct Entry: Equatable, Sendable {
        /// The value.
        public let value: String
        /// `environment`, `letsmeet.yaml`, `a credential file`, `account` or `default`.
        public let origin: String
        /// The line in the configuration file, if the value comes from there.
        public var line: Int?
    }

    private var entries: [SettingName: Entry]
    private let unread: [SettingName: SettingsError]
    private let file: String

    /// Reads the configuration of a home folder. The environment overrides the file.
    ///
    /// A secret whose file cannot be read counts as not set; ``fault(of:)`` has the error.
    ///
    /// - Throws: ``SettingsError`` if the configuration file cannot be read, a setting is unknown,
    ///   or a value contains control characters.
    public init(home: Home, environment: [String: String]) throws(SettingsError) {
        let file = try ConfigurationFile(path: home.configuration)
        var entries: [SettingName: Entry] = [:]
        var unread: [SettingName: SettingsError] = [:]
        for name in SettingName.allCases {
            var entry = try Self.fromEnvironment(name, environment)
            if entry == nil, name.mayHoldSecret {
                do throws(SettingsError) {
                    entry = try Self.fromSecretFile(name, environment)
                    if entry == nil { entry = try Self.fromHome(name, home) }
                } catch {
                    unread[name] = error
                }
            }
            entries[name] =
                entry ?? file.entry(name)
                ?? name.standard.map { Entry(value: $0, origin: Self.defaultOrigin) }
        }
        entries[.ownerAddress] = entries[.ownerAddress] ?? entries[.mailFrom]
        func isSet(_ name: SettingName) -> Bool { entries[name] != nil || unread[name] != nil }
        let configured = [(SettingName.smtpURL, "mail"), (.webhookURL, "webhook")]
            .filter { isSet($0.0) }.map(\.1).joined(separator: ",")
        entries[.sinks] =
            entries[.sinks]
            ?? Entry(
                value: configured.isEmpty ? "stdout" : configured, origin: Self.defaultOrigin)
        self.entries = entries
        self.unread = unread
        self.file = home.configuration
    }

    /// The value of a setting, with its origin.
    public func entry(_ name: SettingName) -> Entry? { entries[name] }

    /// True if the sinks are chosen on purpose, and not by default.
    public var namesSinks: Bool { entries[.sinks]?.origin != Self.defaultOrigin }

    /// The error of a secret that is set but cannot be read; `nil` if it can be read or is not set.
    public func fault(of name: SettingName) -> SettingsError? { unread[name] }

    /// The place of a setting for error messages: the file, as in "letsmeet.yaml, line 2: sinks",
    /// or the variable.
    public func place(of name: SettingName) -> String {
        guard let entry = entries[name], entry.origin == Self.fileOrigin else {
            return name.variable ?? name.rawValue
        }
        return file + (entry.line.map { ", line \($0)" } ?? "") + ": \(name.rawValue)"
    }

    fileprivate static let fileOrigin = "letsmeet.yaml"
    private static let defaultOrigin = "default"

    /// The same configuration, with another city in which places are looked for.
    public func looking(in area: String) -> Configuration {
        var configuration = self
        configuration.entries[.area] = Entry(value: area, origin: "account")
        return configuration
    }

    /// The value of a setting.
    public subscript(name: SettingName) -> String? { entries[name]?.value }

    /// The names of the enabled sinks.
    public var sinks: [String] { Self.sinks(in: self[.sinks] ?? "") }

    /// The names in a comma-separated list of sinks.
    public static func sinks(in list: String) -> [String] {
        list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
    }

    /// The address of Foursquare's Places API. It is always set, because it has a default.
    public var foursquareURL: String { self[.foursquareURL] ?? "" }

    /// The address of an Overpass server. It is always set, because it has a default.
    public var overpassURL: String { self[.overpassURL] ?? "" }

    /// True if crontab entries may run shell commands.
    public var allowsShell: Bool { self[.allowShell] == "true" }

    /// True if calendar programs see the other guests with their addresses.
    public var showsGuests: Bool { self[.showGuests] == "true" }

    /// The sender address of mail; `nil` if neither it nor the owner's address is set.
    public var mailFrom: String? { self[.mailFrom] ?? self[.ownerAddress] }

    /// The password for the server of outgoing mail, if one is set.
    public var smtpPassword: Secret? { self[.smtpPassword].map(Secret.init) }

    /// The password for the server of incoming mail, if one is set.
    public var imapPassword: Secret? { self[.imapPassword].map(Secret.init) }

    /// The address for webhook requests, if one is set.
    public var webhookURL: Secret? { self[.webhookURL].map(Secret.init) }

    /// The secret that signs webhook requests, if one is set.
    public var webhookSecret: Secret? { self[.webhookSecret].map(Secret.init) }

    /// Non-public hosts and networks to which requests may go, separated by commas.
    public var webhookAllow: String { self[.webhookAllow] ?? "" }

    /// The key for Foursquare, if one is set.
    public var foursquareKey: Secret? { self[.foursquareKey].map(Secret.init) }

    private static func fromEnvironment(
        _ name: SettingName, _ environment: [String: String]
    ) throws(SettingsError) -> Entry? {
        guard let variable = name.variable, let value = environment[variable], !value.isEmpty
        else { return nil }
        if !name.mayHoldSecret, let fault = SettingText.fault(in: value) {
            throw .badValue(name: variable, reason: "it \(fault)")
        }
        return Entry(value: value, origin: "environment")
    }

    /// Reads the file that a `_FILE` variable names, or a credential from systemd.
    private static func fromSecretFile(
        _ name: SettingName, _ environment: [String: String]
    ) throws(SettingsError) -> Entry? {
        guard let variable = name.variable else { return nil }
        if let path = environment[variable + "_FILE"], !path.isEmpty {
            return Entry(
                value: try secret(variable + "_FILE", in: path), origin: "a credential file")
        }
        guard let folder = environment["CREDENTIALS_DIRECTORY"],
            FileManager.default.fileExists(atPath: "\(folder)/\(variable)")
        else { return nil }
        return Entry(
            value: try secret("CREDENTIALS_DIRECTORY", in: "\(folder)/\(variable)"),
            origin: "a credential file")
    }

    /// The secret that was given on a page, in a file of the home folder.
    private static func fromHome(
        _ name: SettingName, _ home: Home
    ) throws(SettingsError) -> Entry? {
        guard name.isSecret else { return nil }
        let path = home.secret(name)
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return Entry(value: try secret(name.rawValue, in: path), origin: "a credential file")
    }

    private static func secret(
        _ variable: String, in path: String
    ) throws(SettingsError) -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .unreadable(
                file: path, line: nil,
                reason: "cannot read the secret file from \(variable).")
        }
        // An editor may have written a byte order mark.
        return (FileText.utf8(data) ?? String(decoding: data, as: UTF8.self))
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

extension Configuration: CustomStringConvertible, CustomReflectable {
    /// A fixed text without values: some are secrets, and some are addresses.
    public var description: String { "Configuration" }

    /// Hides the values in dumps.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ConfigurationFile {
    fileprivate func entry(_ name: SettingName) -> Configuration.Entry? {
        values[name].map {
            Configuration.Entry(
                value: $0, origin: Configuration.fileOrigin, line: marks[name]?.line)
        }
    }
}

/// A value that is never shown. Only the code that uses it reads it.
public struct Secret: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The secret itself. Do not log it.
    public let value: String

    /// Wraps a secret value.
    public init(_ value: String) {
        self.value = value
    }

    /// A fixed text that says only that a value is set.
    public var description: String { "(set)" }

    /// Hides the value in dumps and debuggers.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
