import Foundation

/// A thing that can be set, where, and what holds when it is not.
public enum SettingName: String, CaseIterable, Sendable {
    /// The owner's name, as others read it.
    case ownerName = "owner.name"
    /// The owner's mail address; where it is not set, that from which mail comes.
    case ownerAddress = "owner.address"
    /// The owner's zone.
    case ownerZone = "owner.tz"
    /// The language in which people are told things who have none of their own.
    case language = "language"
    /// The city in which the owner usually looks for places.
    case area = "area"
    /// The sinks that are on.
    case sinks = "sinks"
    /// From which address mail comes; where it is not set, from the owner's.
    case mailFrom = "mail.from"
    /// To addresses of which form answers by mail go.
    case mailReplies = "mail.replies"
    /// Whether calendar programs are told who else is asked, with their addresses.
    case showGuests = "mail.show_guests"
    /// Through which server mail goes out.
    case smtpURL = "smtp.url"
    /// The password for that server.
    case smtpPassword = "smtp.password"
    /// In which folder of which server answers come in.
    case imapURL = "imap.url"
    /// The password for that server.
    case imapPassword = "imap.password"
    /// The Maildir in which answers come in.
    case maildir = "mail.maildir"
    /// Where the requests of webhooks go.
    case webhookURL = "webhook.url"
    /// The secret by which they are signed.
    case webhookSecret = "webhook.secret"
    /// Which hosts and networks they may go to that are not for everybody.
    case webhookAllow = "webhook.allow"
    /// The key for Foursquare's Places API.
    case foursquareKey = "foursquare.key"
    /// Where Foursquare's Places API is.
    case foursquareURL = "foursquare.url"
    /// Where an Overpass server is.
    case overpassURL = "overpass.url"
    /// Where the daemon answers requests.
    case listen = "listen"
    /// Under which address those whom letters reach see what the daemon answers.
    case baseURL = "base.url"
    /// The folder of address book files that `contacts sync` reads.
    case contactsFolder = "contacts.folder"
    /// Whether lines of the crontab may run commands of the shell.
    case allowShell = "allow_shell"

    /// The variable that wins over the file, where there is one.
    public var variable: String? {
        switch self {
        case .ownerName, .ownerAddress, .ownerZone, .area, .contactsFolder, .allowShell: nil
        case .language: "LETSMEET_LANGUAGE"
        case .sinks: "LETSMEET_SINKS"
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
        case .listen: "LETSMEET_LISTEN"
        case .baseURL: "LETSMEET_BASE_URL"
        }
    }

    /// Whether the value is never shown, and never read from the configuration file.
    public var isSecret: Bool {
        [.foursquareKey, .smtpPassword, .imapPassword, .webhookSecret].contains(self)
    }

    /// Whether a secret may stand in the value.
    var mayHoldSecret: Bool {
        isSecret || [.smtpURL, .imapURL, .webhookURL].contains(self)
    }

    /// A value as it may be shown.
    public func shown(_ value: String) -> String {
        switch self {
        case .smtpURL: MailServerAddress.withoutPassword(value, of: .smtp)
        case .imapURL: MailServerAddress.withoutPassword(value, of: .imap)
        case .webhookURL: WebAddress.withoutPath(value)
        default: isSecret ? Secret(value).description : value
        }
    }

    /// What holds when it is set nowhere.
    public var standard: String? {
        switch self {
        case .ownerName, .ownerAddress, .ownerZone, .area, .sinks, .mailFrom, .mailReplies,
            .smtpURL, .smtpPassword, .imapURL, .imapPassword, .maildir, .webhookURL, .webhookSecret,
            .webhookAllow, .foursquareKey, .baseURL,
            .contactsFolder:
            nil
        case .foursquareURL: "https://places-api.foursquare.com"
        case .overpassURL: "https://overpass-api.de/api/interpreter"
        case .listen: "127.0.0.1:8420"
        case .language: "en"
        case .allowShell, .showGuests: "false"
        }
    }
}

/// What is set, and by whom.
public struct Configuration: Sendable {
    /// A value and where it comes from.
    public struct Entry: Equatable, Sendable {
        /// The value.
        public let value: String
        /// `environment`, `letsmeet.yaml`, `a credential file` or `default`.
        public let origin: String
        /// The line of the configuration file, where it comes from there.
        public var line: Int?
    }

    private let entries: [SettingName: Entry]
    private let unread: [SettingName: SettingsError]
    private let file: String

    /// Reads the configuration of a home; the environment wins over the file.
    ///
    /// A secret whose file cannot be read counts as not set: ``fault(of:)`` tells whoever wants it.
    ///
    /// - Throws: ``SettingsError`` when the configuration file cannot be read, a setting is
    ///   unknown, or a value holds control characters.
    public init(home: Home, environment: [String: String]) throws(SettingsError) {
        let file = try ConfigurationFile(path: home.configuration)
        var entries: [SettingName: Entry] = [:]
        var unread: [SettingName: SettingsError] = [:]
        for name in SettingName.allCases {
            var entry = try Self.fromEnvironment(name, environment)
            if entry == nil, name.mayHoldSecret {
                do throws(SettingsError) {
                    entry = try Self.fromSecretFile(name, environment)
                } catch {
                    unread[name] = error
                }
            }
            entries[name] =
                entry ?? file.entry(name)
                ?? name.standard.map { Entry(value: $0, origin: "default") }
        }
        entries[.ownerAddress] = entries[.ownerAddress] ?? entries[.mailFrom]
        func isSet(_ name: SettingName) -> Bool { entries[name] != nil || unread[name] != nil }
        let configured = [(SettingName.smtpURL, "mail"), (.webhookURL, "webhook")]
            .filter { isSet($0.0) }.map(\.1).joined(separator: ",")
        entries[.sinks] =
            entries[.sinks]
            ?? Entry(value: configured.isEmpty ? "stdout" : configured, origin: "default")
        self.entries = entries
        self.unread = unread
        self.file = home.configuration
    }

    /// What is set for a name, and where.
    public func entry(_ name: SettingName) -> Entry? { entries[name] }

    /// Why a secret that somebody set could not be read; `nil` when it could, or is not set.
    public func fault(of name: SettingName) -> SettingsError? { unread[name] }

    /// Where a setting is set, as errors name it: the file, as in "letsmeet.yaml, line 2: sinks",
    /// or the variable.
    public func place(of name: SettingName) -> String {
        guard let entry = entries[name], entry.origin == Self.fileOrigin else {
            return name.variable ?? name.rawValue
        }
        return file + (entry.line.map { ", line \($0)" } ?? "") + ": \(name.rawValue)"
    }

    fileprivate static let fileOrigin = "letsmeet.yaml"

    /// The value that is set for a name.
    public subscript(name: SettingName) -> String? { entries[name]?.value }

    /// The names of the sinks that are on.
    public var sinks: [String] { Self.sinks(in: self[.sinks] ?? "") }

    /// The names in a list of sinks, as it is written.
    public static func sinks(in list: String) -> [String] {
        list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
    }

    /// Where Foursquare's Places API is: set always, because it has a standard.
    public var foursquareURL: String { self[.foursquareURL] ?? "" }

    /// Where an Overpass server is: set always, because it has a standard.
    public var overpassURL: String { self[.overpassURL] ?? "" }

    /// Whether lines of the crontab may run commands of the shell.
    public var allowsShell: Bool { self[.allowShell] == "true" }

    /// Whether calendar programs are told who else is asked, with their addresses.
    public var showsGuests: Bool { self[.showGuests] == "true" }

    /// From which address mail comes; `nil` when neither that nor the owner's is set.
    public var mailFrom: String? { self[.mailFrom] ?? self[.ownerAddress] }

    /// The password for the server through which mail goes out, where one is set.
    public var smtpPassword: Secret? { self[.smtpPassword].map(Secret.init) }

    /// The password for the server at which mail comes in, where one is set.
    public var imapPassword: Secret? { self[.imapPassword].map(Secret.init) }

    /// Where the requests of webhooks go, where that is set.
    public var webhookURL: Secret? { self[.webhookURL].map(Secret.init) }

    /// The secret by which they are signed, where one is set.
    public var webhookSecret: Secret? { self[.webhookSecret].map(Secret.init) }

    /// Which hosts and networks they may go to that are not for everybody, with commas.
    public var webhookAllow: String { self[.webhookAllow] ?? "" }

    /// The key for Foursquare, where one is set.
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

    /// The file that a `_FILE` variable names, or a credential that systemd hands over.
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

    private static func secret(
        _ variable: String, in path: String
    ) throws(SettingsError) -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .unreadable(
                file: path, line: nil,
                reason: "the secret that \(variable) names cannot be read.")
        }
        return String(decoding: data, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

extension Configuration: CustomStringConvertible, CustomReflectable {
    /// Names no value: some are secrets, and some are addresses.
    public var description: String { "Configuration" }

    /// Keeps dumps from showing the values.
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
