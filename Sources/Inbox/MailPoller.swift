public import Agenda
import Foundation
import Interchange
import Ledger
public import Planning
import Settings
import Sinks
import Storage
import Synchronization
import Timekeeping
import Transport

/// The result of reading the mail folders for answers.
public struct MailPollReport: Encodable, Sendable {
    /// The folders that were read, without passwords.
    public internal(set) var folders: [String] = []
    /// The number of examined mails.
    public internal(set) var looked = 0
    /// The receipts of the mails that changed something.
    public internal(set) var taken: [MailReceipt] = []
    /// The receipts of the mails that seem to be answers, and changed nothing.
    public internal(set) var ignored: [MailReceipt] = []
    /// All mails that changed nothing, until they are saved.
    var unsaved: [IgnoredMail] = []
    /// One sentence for each folder that could not be read or processed.
    public internal(set) var problems: [String] = []
    /// One sentence for each mail that could not be read or marked as read.
    public internal(set) var remarks: [Remark] = []
    /// True if there are more mails to examine.
    public internal(set) var isMore = false

    private enum CodingKeys: String, CodingKey {
        case folders, looked, taken, ignored, problems, remarks
    }

    /// - Returns: true if the mail is to be marked as read: it changed something, now or when it
    ///   was read before and a crash kept it from being marked.
    fileprivate mutating func note(_ read: MailRead?) -> Bool {
        looked += 1
        guard let read else { return false }
        unsaved += read.ignored
        let (receipts, isTaken) = ([read.receipt] + read.receipt.also, read.receipt.isTaken)
        ignored += receipts.filter { !$0.isTaken && $0.help != nil }
        if isTaken { taken.append(read.receipt) }
        return isTaken || read.receipt.finding.isRepeated
    }

    fileprivate static func += (left: inout MailPollReport, right: MailPollReport) {
        left.folders = right.folders
        left.looked += right.looked
        left.taken += right.taken
        left.ignored += right.ignored
        left.problems += right.problems.filter { !left.problems.contains($0) }
        left.remarks += right.remarks
        left.isMore = right.isMore
    }
}

/// Reads answers from the configured mail folders: one on an IMAP server, one Maildir, or both.
///
/// It marks the mails that it processes as read and changes nothing else. The database of the home
/// stores the position up to which a folder was read: a mail number (UID) on a server, a time of
/// writing in a Maildir.
public final class MailPoller: Sendable {
    /// The time before the first meeting of a home from which on mails are read, in seconds: clocks
    /// differ, and servers search by whole days in their own time zone.
    private static let marginSeconds: Int64 = 86_400
    /// The longest delay, in seconds, with which a file may arrive after a file that was written
    /// later.
    private static let filesSeconds: Int64 = 3600
    /// The largest number of files that are read at once.
    private static let filesMax = 200

    /// The default time to wait for the lock of the mail folders, in seconds. A program that is
    /// being started briefly holds the locks of its parent.
    public static let lockSeconds = 2.0

    private let known = Mutex<Set<String>>([])
    /// The latest time at which an examined file was written or moved, in seconds since 1970.
    private let lastWritten = Mutex<Int64>(0)
    private let secondsMax: Int

    /// Creates a poller that has not read anything yet.
    ///
    /// - Parameter secondsMax: the time limit of a connection to a server, in seconds.
    public init(secondsMax: Int = 300) {
        self.secondsMax = secondsMax
    }

    /// Reads the folders once.
    ///
    /// - Parameters:
    ///   - planner: the planner of the home, acting as its owner.
    ///   - seconds: the time to wait while another program reads the folders, in seconds.
    /// - Returns: the result. For a folder that cannot be read, it contains the reason.
    /// - Throws: the errors of the store; ``Refusal`` with `mail_folder_taken` if another program
    ///   is still reading the folders.
    public func look(
        _ planner: Planner, waiting seconds: Double = MailPoller.lockSeconds
    ) async throws -> MailPollReport {
        let lock: FileLock
        do {
            lock = try FileLock(path: planner.surroundings.home.mailLock, waiting: seconds)
        } catch is FileLock.Failure {
            throw Refusal(
                .refused, code: "mail_folder_taken",
                "Another program is reading the mail folders. Try again in a moment.")
        }
        defer { lock.release() }
        var round = MailPollReport()
        do {
            try await lookAtServer(for: planner, &round)
        } catch let refusal as Refusal {
            // If one folder is misconfigured, the other one is still read.
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
        try await saveIgnored(&round, for: planner)
        do throws(TransportError) {
            try await folder.markRead(taken, validity: news.validity)
        } catch {
            round.remarks.append("\(name): processed mails stay marked as unread: \(error.message)")
        }
        if let fault {
            if let last { try? await keep(last, of: news, mark, name, since, for: planner) }
            throw fault
        }
        guard mark?.validity != news.validity || mark?.lastNumber != news.last else { return }
        try await keep(news.last, of: news, mark, name, since, for: planner)
    }

    /// Saves the position in a folder. Until all mails are examined, the old time is kept, so that
    /// the search starts there if the server renumbers its mails.
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

    /// Processes mails until one fails.
    ///
    /// - Returns: the numbers of the mails to be marked as read, the last examined number, and the
    ///   error if not all mails were examined.
    private func take(
        _ news: FolderNews, for planner: Planner, _ round: inout MailPollReport
    ) async -> (taken: [Int64], last: Int64?, fault: (any Error)?) {
        var taken: [Int64] = []
        var last: Int64?
        for mail in news.mails {
            do {
                let read =
                    try await planner.read(mail.octets, isCut: mail.isCut)
                    ?? planner.unread(
                        named: "\(news.validity).\(mail.number)", isRefused: mail.isRefused)
                if round.note(read) { taken.append(mail.number) }
                last = mail.number
            } catch {
                return (taken, last, error)
            }
        }
        return (taken, last, nil)
    }

    /// The time from which on mails can be answers: a day before the folder was last read, or
    /// before the first meeting was planned if it never was. On a server it matters only for a
    /// folder that was never read, or whose mails were renumbered.
    private func beginning(_ lookedAt: Moment?, for planner: Planner) async throws -> Moment {
        var first = lookedAt
        if first == nil { first = try await planner.store.firstPlanned() }
        return min(first ?? planner.now, planner.now).advanced(bySeconds: -Self.marginSeconds)
    }

    private func saveIgnored(
        _ round: inout MailPollReport, for planner: Planner
    ) async throws {
        try await planner.store.note(round.unsaved, now: planner.now)
        round.unsaved = []
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
                if round.note(try await planner.read(octets)) {
                    markRead(entry, maildir, &round)
                }
            case .large(let octets, let seconds):
                read += 1
                last = max(last, seconds)
                if round.note(try await planner.read(octets, isCut: true)) {
                    markRead(entry, maildir, &round)
                }
            case .gone: continue
            case .unreadable:
                round.remarks.append("\(maildir.path): \(entry.name) cannot be read.")
            }
            known.withLock { _ = $0.insert(entry.name) }
        }
        // Files are only roughly sorted by time, so the latest time is a valid position only after
        // all files were read.
        lastWritten.withLock { $0 = last }
        if isMore { round.isMore = true }
        try await saveIgnored(&round, for: planner)
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
            round.remarks.append(Remark(error.message))
        }
    }
}

extension Planner {
    /// Reads the configured mail folders until all mails are examined, or a number of them.
    ///
    /// - Parameter countMax: the number of examined mails after which the reading ends.
    /// - Returns: the processed mails, and the folders that could not be read.
    /// - Throws: ``Refusal`` with `no_mail_folder` if no folder is configured.
    public func fetchMail(
        countMax: Int = Planner.mailsPerFetchMax
    ) async throws -> MailPollReport {
        try checkIsOwner(to: "fetch mail")
        guard surroundings.hasMailFolder else {
            throw Refusal(
                .refused, code: "no_mail_folder",
                "No mail folder for answers is configured. Set imap.url (LETSMEET_IMAP_URL) or "
                    + "mail.maildir (LETSMEET_MAILDIR).")
        }
        let poller = MailPoller()
        var all = MailPollReport()
        repeat {
            do {
                all += try await poller.look(self, waiting: Self.mailLockSeconds)
            } catch  where all.looked > 0 {
                // The mails that were already processed are still reported.
                all.problems.append(Refusal(error).message)
                all.isMore = false
            }
        } while all.isMore && all.looked < countMax
        if all.isMore { all.remarks.append("There are more mails. To read them, fetch again.") }
        return all
    }

    /// The number of mails that one call reads unless the caller chooses another, so that a server
    /// with endless mails does not keep it busy.
    public static let mailsPerFetchMax = 3200

    /// The time that a user waits while another program reads the folders, in seconds.
    private static let mailLockSeconds = 20.0

    /// Processes a mail, or the beginning of one that is too large; `nil` stands for a mail that
    /// the server does not deliver.
    fileprivate func read(_ octets: [UInt8]?, isCut: Bool = false) async throws -> MailRead? {
        guard let octets else { return nil }
        return try await readMail(octets, isKept: true, isCut: isCut)
    }

    /// The result for a mail that is too large to be read, or that the server does not deliver.
    fileprivate func unread(named name: String, isRefused: Bool = false) -> MailRead {
        let reason =
            isRefused ? "the server does not deliver the mail" : "the mail is larger than 10 MiB"
        return (
            .ignored(reason),
            [
                IgnoredMail(
                    id: MailFinding.digest(of: Array(name.utf8)), readAt: now, sender: "",
                    subject: "", reason: reason, isAnswer: false)
            ]
        )
    }
}

extension PlannerSurroundings {
    /// True if a mail folder for answers is configured, even with an unreadable address.
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
