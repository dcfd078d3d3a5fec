import Agenda
import Foundation
import Interchange
import Settings
import Sinks
import Storage
import Synchronization
import Timekeeping
import Transport

/// What one look at the folders has brought in which answers come.
public struct MailPollReport: Encodable, Sendable {
    /// The folders that were looked at, without passwords.
    public internal(set) var folders: [String] = []
    /// How many mails were looked at.
    public internal(set) var looked = 0
    /// What became of those that changed something.
    public internal(set) var taken: [MailReceipt] = []
    /// What could not be read, a sentence each.
    public internal(set) var problems: [String] = []
    /// What was taken and could not be marked as read, a sentence each.
    public internal(set) var remarks: [String] = []
    /// Whether there is more that nobody has looked at yet.
    public internal(set) var isMore = false

    private enum CodingKeys: String, CodingKey { case folders, looked, taken, problems, remarks }

    fileprivate mutating func note(_ receipt: MailReceipt?) -> Bool {
        looked += 1
        guard let receipt, receipt.outcome != .ignored else { return false }
        taken.append(receipt)
        return true
    }

    fileprivate static func += (left: inout MailPollReport, right: MailPollReport) {
        left.folders = right.folders
        left.looked += right.looked
        left.taken += right.taken
        left.problems += right.problems.filter { !left.problems.contains($0) }
        left.remarks += right.remarks
        left.isMore = right.isMore
    }
}

/// Looks for answers in the folders that are set up: one on a server, one of files, or both.
///
/// What it takes it marks as read. All else stays as it is. How far a folder was read is kept in
/// the home, for a server by the numbers of its mails, for files by when they were written.
public final class MailPoller: Sendable {
    /// How much earlier than the first meeting of a home its mails are looked at, in seconds:
    /// clocks differ, and servers search by days of their own.
    private static let marginSeconds: Int64 = 86_400
    /// How long after another one a file may come to its folder that was written before it.
    private static let filesSeconds: Int64 = 3600
    /// The most files that one look reads.
    private static let filesMax = 200

    /// A program that is being started holds, for a moment, what its parent holds. In seconds.
    public static let lockSeconds = 2.0

    private let known = Mutex<Set<String>>([])
    /// When the last of the files was written or moved that were looked at.
    private let lastWritten = Mutex<Int64>(0)
    private let secondsMax: Int

    /// Remembers nothing yet.
    ///
    /// - Parameter secondsMax: how long a conversation with a server may take.
    public init(secondsMax: Int = 300) {
        self.secondsMax = secondsMax
    }

    /// Looks once.
    ///
    /// - Parameters:
    ///   - planner: of the home, on behalf of its owner.
    ///   - seconds: how long to wait where another program looks just now.
    /// - Returns: what it has brought; also where a folder cannot be read, with the reason.
    /// - Throws: what the store throws; ``Refusal`` with `mail_folder_taken` where another program
    ///   looks at that moment.
    public func look(
        _ planner: Planner, waiting seconds: Double = MailPoller.lockSeconds
    ) async throws -> MailPollReport {
        let lock: FileLock
        do {
            lock = try FileLock(path: planner.surroundings.home.mailLock, waiting: seconds)
        } catch is FileLock.Failure {
            throw Refusal(
                .refused, code: "mail_folder_taken",
                "Another program looks for answers at this moment: try again.")
        }
        defer { lock.release() }
        var round = MailPollReport()
        do {
            try await lookAtServer(for: planner, &round)
        } catch let refusal as Refusal {
            // One folder that is set up wrongly is no reason to leave the other.
            round.problems.append(refusal.message)
        }
        try await lookAtFiles(for: planner, &round)
        return round
    }

    // MARK: On a server

    private func lookAtServer(for planner: Planner, _ round: inout MailPollReport) async throws {
        guard let folder = try planner.surroundings.imapFolder(secondsMax: secondsMax) else {
            return
        }
        let name = folder.server.description
        round.folders.append(name)
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
        let (taken, last, fault) = await take(news, for: planner, &round)
        do throws(TransportError) {
            try await folder.markRead(taken, validity: news.validity)
        } catch {
            round.remarks.append("\(name): what was taken is not marked as read: \(error.message)")
        }
        if let fault {
            if let last { try? await keep(last, of: news, mark, name, since, for: planner) }
            throw fault
        }
        guard mark?.validity != news.validity || mark?.lastNumber != news.last else { return }
        try await keep(news.last, of: news, mark, name, since, for: planner)
    }

    /// As long as not all was looked at, what comes under other numbers is looked for anew.
    private func keep(
        _ last: Int64, of news: FolderNews, _ mark: FolderMark?, _ name: String, _ since: Moment,
        for planner: Planner
    ) async throws {
        let isWhole = last == news.last && !news.isMore
        try await planner.store.keep(
            FolderMark(
                validity: news.validity, lastNumber: last,
                lookedAt: isWhole ? planner.now : mark?.lookedAt ?? since), of: name)
    }

    /// - Returns: the numbers of what was taken, the last one that was looked at, and why not all
    ///   was.
    private func take(
        _ news: FolderNews, for planner: Planner, _ round: inout MailPollReport
    ) async -> (taken: [Int64], last: Int64?, fault: (any Error)?) {
        var taken: [Int64] = []
        var last: Int64?
        for mail in news.mails {
            do {
                if round.note(try await planner.receive(mail.octets)) { taken.append(mail.number) }
                last = mail.number
            } catch {
                return (taken, last, error)
            }
        }
        return (taken, last, nil)
    }

    /// From when on mails can be answers: not before the first meeting was planned, and of a folder
    /// whose mails have other numbers now, not before it was looked at.
    private func beginning(_ lookedAt: Moment?, for planner: Planner) async throws -> Moment {
        var first = lookedAt
        if first == nil { first = try await planner.store.firstPlanned() }
        return min(first ?? planner.now, planner.now).advanced(bySeconds: -Self.marginSeconds)
    }

    // MARK: In files

    private func lookAtFiles(for planner: Planner, _ round: inout MailPollReport) async throws {
        guard let maildir = planner.surroundings.maildir else { return }
        round.folders.append(maildir.path)
        let entries: [Maildir.Entry]
        do throws(Maildir.Fault) {
            entries = try maildir.entries()
        } catch {
            return round.problems.append(error.message)
        }
        let mark = try await planner.store.folderMark(of: maildir.path)
        var since = try await beginning(nil, for: planner).seconds
        if let mark { since = max(since, mark.lastNumber - Self.filesSeconds) }
        let old = known.withLock { known in
            known.formIntersection(entries.map(\.name))
            return known
        }
        let new = entries.filter { !old.contains($0.name) }
        var last = max(mark?.lastNumber ?? 0, lastWritten.withLock(\.self))
        var read = 0
        var isMore = false
        for entry in new {
            guard read < Self.filesMax else {
                isMore = true
                break
            }
            try Task.checkCancellation()
            switch maildir.content(of: entry, since: since, atMost: Planner.mailOctetsMax) {
            case nil: break
            case .mail(let octets, let seconds):
                read += 1
                last = max(last, seconds)
                if round.note(try await planner.receive(octets)) {
                    markRead(entry, maildir, &round)
                }
            case .large(let seconds):
                last = max(last, seconds)
                _ = round.note(nil)
            case .gone: continue
            case .unreadable:
                round.remarks.append("\(maildir.path): \(entry.name) cannot be read.")
            }
            known.withLock { _ = $0.insert(entry.name) }
        }
        // Names are in the order in which mails came, roughly: only when all were read does it say
        // anything that one was written before another.
        lastWritten.withLock { $0 = last }
        if isMore { round.isMore = true }
        guard !isMore, last != mark?.lastNumber ?? 0 else { return }
        try await planner.store.keep(
            FolderMark(
                validity: 0, lastNumber: min(last, planner.now.seconds), lookedAt: planner.now),
            of: maildir.path)
    }

    private func markRead(_ entry: Maildir.Entry, _ maildir: Maildir, _ round: inout MailPollReport)
    {
        do throws(Maildir.Fault) {
            try maildir.markRead(entry)
        } catch {
            round.remarks.append(error.message)
        }
    }
}

extension Planner {
    /// Looks for answers in the folders that are set up, until nothing is left to look at.
    ///
    /// - Returns: what it has brought, and what could not be read.
    /// - Throws: ``Refusal`` with `no_mail_folder` where none is set up.
    public func fetchMail() async throws -> MailPollReport {
        try checkIsOwner(to: "fetch mail")
        guard surroundings.hasMailFolder else {
            throw Refusal(
                .refused, code: "no_mail_folder",
                "No folder is set up in which answers come: set imap.url, or LETSMEET_IMAP_URL, "
                    + "or mail.maildir.")
        }
        let poller = MailPoller()
        var all = MailPollReport()
        repeat {
            do {
                all += try await poller.look(self, waiting: Self.mailLockSeconds)
            } catch  where all.looked > 0 {
                // What was taken is said all the same.
                all.problems.append(Refusal(error).message)
                all.isMore = false
            }
        } while all.isMore
        return all
    }

    /// How long somebody waits who looks while another program does.
    private static let mailLockSeconds = 20.0

    /// Takes a mail, where it is not too large.
    fileprivate func receive(_ octets: [UInt8]?) async throws -> MailReceipt? {
        guard let octets else { return nil }
        return try await receiveMail(octets, isKept: true)
    }
}

extension PlannerSurroundings {
    /// Whether answers come in somewhere that is looked at.
    public var hasMailFolder: Bool {
        configuration[.imapURL] != nil || configuration.fault(of: .imapURL) != nil
            || configuration[.maildir] != nil
    }

    fileprivate func imapFolder(secondsMax: Int) throws(Refusal) -> IMAPFolder? {
        if let fault = configuration.fault(of: .imapURL) { throw Refusal(fault) }
        let address: MailServerAddress?
        do throws(SettingsError) {
            address = try configuration.imapAddress()
        } catch {
            throw Refusal(error)
        }
        guard let address else { return nil }
        if let fault = configuration.fault(of: .imapPassword) { throw Refusal(fault) }
        return IMAPFolder(
            IMAPServer(address, password: configuration.imapPassword),
            mailOctetsMax: Planner.mailOctetsMax, secondsMax: secondsMax, uptime: uptime)
    }

    fileprivate var maildir: Maildir? {
        configuration[.maildir].map {
            Maildir(path: NSString(string: $0).expandingTildeInPath)
        }
    }
}

extension IMAPServer {
    fileprivate init(_ address: MailServerAddress, password: Secret?) {
        self.init(
            host: address.host, port: address.port,
            encryption: SMTPServer.Encryption(address.protection), user: address.user,
            password: (address.password ?? password)?.value, authorities: address.authorities,
            folder: address.folder.isEmpty ? "INBOX" : address.folder)
    }
}
