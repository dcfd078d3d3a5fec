import Agenda
import Foundation
import Interchange
import Settings
import Storage
import Synchronization
import Timekeeping
import Transport

/// What one look at the folders has brought in which answers come.
public struct MailRound: Encodable, Sendable {
    /// The folders that were looked at, without passwords.
    public internal(set) var folders: [String] = []
    /// How many mails were looked at.
    public internal(set) var looked = 0
    /// What became of those that changed something.
    public internal(set) var taken: [MailReceipt] = []
    /// What went wrong, a sentence each.
    public internal(set) var problems: [String] = []
    /// Whether there is more that nobody has looked at yet.
    public internal(set) var isMore = false

    private enum CodingKeys: String, CodingKey { case folders, looked, taken, problems }

    mutating func note(_ receipt: MailReceipt?) -> Bool {
        looked += 1
        guard let receipt, receipt.outcome != .ignored else { return false }
        taken.append(receipt)
        return true
    }
}

/// Looks for answers in the folders that are set up: one on a server, one of files, or both.
///
/// What it takes it marks as read. All else stays as it is, and is looked at once: of a folder on a
/// server it is kept how far it was read, of files as long as this lives.
public final class MailPoller: Sendable {
    /// How much earlier than the first meeting of a home its mails are looked at, in seconds:
    /// clocks differ, and servers search by days of their own.
    private static let marginSeconds: Int64 = 86_400

    private let known = Mutex<Set<String>>([])

    /// Remembers nothing yet.
    public init() {}

    /// Looks once.
    ///
    /// - Parameter planner: of the home, on behalf of its owner.
    /// - Returns: what it has brought; also where a folder cannot be read, with the reason.
    /// - Throws: ``Refusal`` where a folder is set up wrongly, and what the store throws.
    public func look(_ planner: Planner) async throws -> MailRound {
        var round = MailRound()
        if let folder = try planner.surroundings.imapFolder() {
            round.folders.append(folder.server.description)
            try await look(at: folder, for: planner, &round)
        }
        if let maildir = planner.surroundings.maildir {
            round.folders.append(maildir.path)
            try await look(at: maildir, for: planner, &round)
        }
        return round
    }

    // MARK: On a server

    private func look(
        at folder: IMAPFolder, for planner: Planner, _ round: inout MailRound
    ) async throws {
        let name = folder.server.description
        let mark = try await planner.store.folderMark(of: name)
        let since = try await beginning(mark?.lookedAt, for: planner)
        let news: FolderNews
        do throws(TransportError) {
            news = try await folder.news(
                behind: mark.map { FolderPlace(validity: $0.validity, last: $0.lastNumber) },
                since: WallTime(secondsSince1970: since.seconds).date)
        } catch {
            return round.problems.append("\(name): \(error.message)")
        }
        round.isMore = news.isMore
        var taken: [Int64] = []
        for mail in news.mails {
            if round.note(try await planner.receive(mail.octets)) { taken.append(mail.number) }
            try await planner.keep(news.validity, mail.number, of: name)
        }
        do throws(TransportError) {
            try await folder.markRead(taken, validity: news.validity)
        } catch {
            round.problems.append("\(name): what was taken is not marked as read: \(error.message)")
        }
        if mark?.validity != news.validity || mark?.lastNumber != news.last {
            try await planner.keep(news.validity, news.last, of: name)
        }
    }

    /// From when on mails can be answers: not before the first meeting was planned, and of a folder
    /// whose mails have other numbers now, not before it was looked at.
    private func beginning(_ lookedAt: Moment?, for planner: Planner) async throws -> Moment {
        let first: Moment?
        if let lookedAt { first = lookedAt } else { first = try await planner.store.firstPlanned() }
        return (first ?? planner.now).advanced(bySeconds: -Self.marginSeconds)
    }

    // MARK: In files

    private func look(
        at maildir: Maildir, for planner: Planner, _ round: inout MailRound
    ) async throws {
        let since = try await beginning(nil, for: planner)
        let entries: [Maildir.Entry]
        do throws(TransportError) {
            entries = try maildir.entries(since: since)
        } catch {
            return round.problems.append(error.message)
        }
        let old = known.withLock { known in
            defer { known.formIntersection(entries.map(\.name)) }
            return known
        }
        for entry in entries where !old.contains(entry.name) {
            let octets = maildir.octets(of: entry, atMost: Planner.mailOctetsMax)
            let receipt = try await planner.receive(octets)
            known.withLock { _ = $0.insert(entry.name) }
            guard round.note(receipt) else { continue }
            do throws(TransportError) {
                try maildir.markRead(entry)
            } catch {
                round.problems.append(error.message)
            }
        }
    }
}

extension Planner {
    /// Looks for answers in the folders that are set up, until nothing is left to look at.
    ///
    /// - Returns: what it has brought.
    /// - Throws: ``Refusal`` with `no_mail_folder` where none is set up, with `mail_folder` where
    ///   one cannot be read.
    public func fetchMail() async throws -> MailRound {
        try checkIsOwner(to: "fetch mail")
        guard surroundings.hasMailFolder else {
            throw Refusal(
                .refused, code: "no_mail_folder",
                "No folder is set up in which answers come: set imap.url, or LETSMEET_IMAP_URL, "
                    + "or mail.maildir.")
        }
        let poller = MailPoller()
        var all = MailRound()
        var isMore = true
        while isMore {
            let round = try await poller.look(self)
            all.folders = round.folders
            all.looked += round.looked
            all.taken += round.taken
            all.problems += round.problems
            isMore = round.isMore && round.problems.isEmpty
        }
        guard all.problems.isEmpty else {
            throw Refusal(
                .unreachable, code: "mail_folder", all.problems.joined(separator: " "))
        }
        return all
    }

    /// Takes a mail, where it is not too large.
    fileprivate func receive(_ octets: [UInt8]?) async throws -> MailReceipt? {
        guard let octets else { return nil }
        return try await receiveMail(octets)
    }

    fileprivate func keep(_ validity: Int64, _ number: Int64, of folder: String) async throws {
        try await store.keep(
            FolderMark(validity: validity, lastNumber: number, lookedAt: now), of: folder)
    }
}

extension PlannerSurroundings {
    /// Whether answers come in somewhere that is looked at.
    public var hasMailFolder: Bool {
        configuration[.imapURL] != nil || configuration.fault(of: .imapURL) != nil
            || configuration[.maildir] != nil
    }

    fileprivate func imapFolder() throws(Refusal) -> IMAPFolder? {
        for name in [SettingName.imapURL, .imapPassword] {
            if let fault = configuration.fault(of: name) { throw Refusal(fault) }
        }
        let address: MailServerAddress?
        do throws(SettingsError) {
            address = try configuration.imapAddress()
        } catch {
            throw Refusal(error)
        }
        guard let address else { return nil }
        return IMAPFolder(
            IMAPServer(address, password: configuration.imapPassword),
            mailOctetsMax: Planner.mailOctetsMax, uptime: uptime)
    }

    fileprivate var maildir: Maildir? {
        configuration[.maildir].map {
            Maildir(path: NSString(string: $0).expandingTildeInPath)
        }
    }
}

extension IMAPServer {
    fileprivate init(_ address: MailServerAddress, password: Secret?) {
        let encryption: SMTPServer.Encryption =
            switch address.protection {
            case .none: .none
            case .startTLS: .startTLS
            case .tls: .tls
            }
        self.init(
            host: address.host, port: address.port, encryption: encryption, user: address.user,
            password: (address.password ?? password)?.value, authorities: address.authorities,
            folder: address.folder.isEmpty ? "INBOX" : address.folder)
    }
}
