import Agenda
import Foundation
import Interchange
import Planning
import Settings
import Sinks
import Timekeeping
import Wording

/// The rules for the values of settings, the same for typed values and for those in a file.
enum SettingRules {
    /// Checks a value against the rule of its setting.
    ///
    /// It does not check that the area is a city, because that takes the gazetteer.
    ///
    /// - Returns: the value to save.
    /// - Throws: ``Refusal`` with the error.
    static func checked(
        _ value: String, for name: SettingName, zones: ZoneDirectory
    ) throws(Refusal) -> String {
        switch name {
        case .ownerName: try checkedName(value)
        case .ownerAddress, .feedbackAddress: try checkedAddress(value)
        case .ownerZone: try checkedZone(value, zones)
        case .language: try checkedLanguage(value)
        case .area, .foursquareKey, .smtpPassword, .imapPassword, .mapSource: try checkedText(value)
        case .webhookURL, .webhookSecret, .webhookAllow: try checkedWebhook(value, name)
        case .mailFrom: try checkedMailbox(value)
        case .mailReplies: try checkedReplies(value)
        case .smtpURL: try checkedMailServer(value, of: .smtp)
        case .imapURL: try checkedMailServer(value, of: .imap)
        case .sinks: try checkedSinks(value)
        case .quietHours: try checkedHours(value)
        case .foursquareURL, .overpassURL: try checkedURL(value, example: name.standard ?? "")
        case .mapTiles: try checkedTiles(value)
        case .listen, .operations: try checkedListenAddress(value)
        case .trustedProxy: try checkedProxies(value)
        case .registration: try checkedRegistration(value)
        case .baseURL: try checkedBaseURL(value)
        case .contactsFolder, .maildir: try checkedFolder(value)
        case .allowShell, .showGuests: try checkedFlag(value)
        }
    }

    private static func checkedName(_ value: String) throws(Refusal) -> String {
        do throws(RuleViolation) {
            try MeetingRules.checkLine(
                value, named: "name", of: "owner", charactersMax: Person.nameCharactersMax)
            return value
        } catch {
            throw Refusal(error)
        }
    }

    private static func checkedAddress(_ value: String) throws(Refusal) -> String {
        guard let address = MailAddress.plausible(value) else {
            throw Refusal(
                .invalid, code: "bad_address", "\"\(value)\" is not a mail address.")
        }
        return address
    }

    private static func checkedLanguage(_ value: String) throws(Refusal) -> String {
        if let reason = Language.fault(of: value) { throw bad(reason) }
        return value
    }

    /// Checks an address from which mails are sent.
    static func checkedMailbox(_ value: String) throws(Refusal) -> String {
        do throws(Mailbox.Fault) {
            _ = try Mailbox(value)
            return value
        } catch {
            throw Refusal(
                .invalid, code: "bad_address", "\"\(value)\" is not a mail address.")
        }
    }

    private static func checkedReplies(_ value: String) throws(Refusal) -> String {
        do throws(Mailbox.Fault) {
            _ = try SubaddressForm(value)
            return value
        } catch {
            throw Refusal(
                .invalid, code: "bad_address",
                "\"\(value)\" is not a pattern for addresses. Write one * where the addresses "
                    + "differ, as in replies+*@example.org, and at most 33 characters before the "
                    + "@.")
        }
    }

    private static func checkedMailServer(
        _ value: String, of service: MailServerAddress.Service
    ) throws(Refusal) -> String {
        do throws(MailServerAddress.Fault) {
            let file = try MailServerAddress.parse(value, of: service).authorities
            guard file.map(FileManager.default.isReadableFile) ?? true else {
                throw MailServerAddress.Fault("the file of ca= cannot be read", service)
            }
            return value
        } catch {
            throw bad(error.reason)
        }
    }

    private static func checkedZone(
        _ value: String, _ zones: ZoneDirectory
    ) throws(Refusal) -> String {
        do throws(ZoneError) {
            return try zones.zone(value).id
        } catch {
            throw Refusal(error)
        }
    }

    private static func checkedText(_ value: String) throws(Refusal) -> String {
        guard !value.allSatisfy(\.isWhitespace) else { throw bad("the value is empty.") }
        return value
    }

    private static func checkedHours(_ value: String) throws(Refusal) -> String {
        _ = try Planner.quietHours(in: value)
        return value
    }

    private static func checkedSinks(_ value: String) throws(Refusal) -> String {
        let names = Configuration.sinks(in: value)
        _ = try Planner.sinks(named: names)
        guard !names.isEmpty else { throw bad("give at least one sink.") }
        return value
    }

    private static func checkedURL(
        _ value: String, example: String
    ) throws(Refusal) -> String {
        guard let url = URL(string: value), let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme), url.host()?.isEmpty == false
        else { throw bad("give a web address, such as \(example).") }
        return value
    }

    private static func checkedBaseURL(_ value: String) throws(Refusal) -> String {
        do throws(BaseURL.Fault) {
            _ = try BaseURL(value)
            return value
        } catch {
            throw bad(error.reason)
        }
    }

    private static func checkedListenAddress(_ value: String) throws(Refusal) -> String {
        do throws(ListenAddress.Fault) {
            _ = try ListenAddress.parse(value)
            return value
        } catch {
            throw bad(error.reason)
        }
    }

    private static func checkedTiles(_ value: String) throws(Refusal) -> String {
        do throws(MapTiles.Fault) {
            return try MapTiles(value, source: "").template
        } catch {
            throw bad(error.reason)
        }
    }

    private static func checkedProxies(_ value: String) throws(Refusal) -> String {
        do throws(TrustedProxies.Fault) {
            _ = try TrustedProxies(value)
            return value
        } catch {
            throw bad(error.reason)
        }
    }

    private static func checkedRegistration(_ value: String) throws(Refusal) -> String {
        guard Registration(rawValue: value) != nil else {
            throw bad("this must be closed, invitation or open.")
        }
        return value
    }

    /// Applies the rules of the webhook sink itself.
    private static func checkedWebhook(
        _ value: String, _ name: SettingName
    ) throws(Refusal) -> String {
        do throws(SinkFault) {
            switch name {
            case .webhookURL: try WebhookRules.check(url: value)
            case .webhookSecret: try WebhookRules.check(secret: value)
            default: try WebhookRules.check(allowed: value)
            }
            return value
        } catch {
            throw bad(error.reason)
        }
    }

    private static func checkedFolder(_ value: String) throws(Refusal) -> String {
        guard value.hasPrefix("/") || value.hasPrefix("~/") else {
            throw bad("give the full path of a folder, such as ~/.contacts.")
        }
        return value
    }

    private static func checkedFlag(_ value: String) throws(Refusal) -> String {
        guard value == "true" || value == "false" else { throw bad("give true or false.") }
        return value
    }

    /// The refusal of a value.
    static func bad(_ message: String) -> Refusal {
        Refusal(.invalid, code: "bad_setting", message)
    }
}
