import Foundation
import Synchronization
public import Timekeeping

/// The position up to which a folder has been read.
public struct FolderPlace: Equatable, Sendable {
    /// The folder's UIDVALIDITY. If it changes, all mails have new numbers.
    public let validity: Int64
    /// The number of the last mail examined; 0 if there was none.
    public let last: Int64

    /// Creates a position in a folder.
    public init(validity: Int64, last: Int64) {
        self.validity = validity
        self.last = last
    }
}

/// A mail in a folder.
public struct FolderMail: Equatable, Sendable {
    /// Its number (UID), which it keeps as long as the folder's validity stays the same.
    public let number: Int64
    /// The content, or its beginning; `nil` if the server does not deliver it.
    public let octets: [UInt8]?
    /// True if the mail is too large, so that only its beginning was read.
    public let isCut: Bool
    /// True if the server does not deliver it, although it delivers later ones.
    public let isRefused: Bool

    /// The number of octets that are read of a mail that is too large. Answers stand at the
    /// beginning of mails, before attachments.
    public static let beginningOctetsMax = 1 << 20
}

/// Mails that have not been examined yet.
public struct FolderNews: Equatable, Sendable {
    /// The folder's UIDVALIDITY, to which the numbers belong.
    public let validity: Int64
    /// The mails, by ascending number.
    public let mails: [FolderMail]
    /// The last number examined. Mails up to this number that are missing here no longer exist.
    public let last: Int64
    /// True if more mails follow.
    public let isMore: Bool
}

/// A folder on an IMAP server. Reading it changes nothing in it.
///
/// Each call opens its own connection on its own thread, because libcurl's calls block.
public struct IMAPFolder: Sendable {
    /// The maximum number of mails in one read, and the approximate maximum of their octets.
    static let mailsMax = 32
    static let octetsMax = 16 << 20
    private static let stackBytes = 512 << 10

    /// The server and the folder.
    public let server: IMAPServer
    let mailOctetsMax: Int
    private let secondsMax: Int
    private let uptime: @Sendable () -> Duration

    /// Creates a folder.
    ///
    /// - Parameters:
    ///   - server: the server and the folder on it.
    ///   - mailOctetsMax: the size of the largest mail that is read, in octets.
    ///   - secondsMax: the maximum duration of one conversation, in seconds.
    ///   - uptime: a monotonic clock.
    public init(
        _ server: IMAPServer, mailOctetsMax: Int, secondsMax: Int = 300,
        uptime: @escaping @Sendable () -> Duration
    ) {
        self.secondsMax = secondsMax
        self.server = server
        self.mailOctetsMax = mailOctetsMax
        self.uptime = uptime
    }

    /// Reads the next mails after a position and leaves them unchanged.
    ///
    /// - Parameters:
    ///   - place: the position up to which the folder was read; `nil` for a folder never read
    ///     before.
    ///   - date: the first day from which mails are read if the position does not apply.
    /// - Returns: some of the mails, the oldest first.
    /// - Throws: ``TransportError``.
    public func news(
        behind place: FolderPlace?, since date: CivilDate
    ) async throws(TransportError) -> FolderNews {
        try await talk { session throws(TransportError) in
            let opened = try session.perform("EXAMINE \(IMAPText.folder(server.folder))")
            guard let validity = opened.lazy.compactMap({ $0.number(behind: "UIDVALIDITY") }).first
            else { throw .failed("the server does not send UIDVALIDITY") }
            let stated = opened.lazy.compactMap { $0.number(behind: "UIDNEXT") }.first
            // A number that has gone back was wrong before, so the position does not apply.
            let isBack = place.map { place in stated.map { $0 <= place.last } ?? false } ?? false
            let known = place?.validity == validity && !isBack ? place?.last : nil
            let numbers = try find(behind: known, since: date, by: &session)
            let (mails, last) = try read(numbers, by: &session)
            let isMore = numbers.last ?? 0 > last
            // Older mails that this search does not cover are never read.
            let next = stated ?? 1
            return FolderNews(
                validity: validity, mails: mails,
                last: isMore ? last : max(last, known ?? 0, next - 1), isMore: isMore)
        }
    }

    /// The numbers of the next mails, ascending: one more than are read at once.
    private func find(
        behind last: Int64?, since date: CivilDate, by session: inout IMAPSession
    ) throws(TransportError) -> [Int64] {
        let range = last.map { "UID \($0 + 1):*" } ?? "SINCE \(date.imapText)"
        let found = try session.perform("UID SEARCH UNDELETED \(range)").compactMap(\.found)
        // A server that sends no search result has not said that there are no mails.
        guard !found.isEmpty else { throw .failed("the server does not answer the search") }
        // If no later mail exists, `*` means the last mail, which was read before.
        var next: [Int64] = []
        for number in found.joined().filter({ $0 > last ?? 0 }).sorted()
        where number != next.last {
            next.append(number)
            if next.count > Self.mailsMax { break }
        }
        return next
    }

    /// Marks mails as read if their numbers are still valid. Opening a folder for writing removes
    /// `\Recent` from its mails, which no program can avoid.
    ///
    /// - Throws: ``TransportError``.
    public func markRead(
        _ numbers: [Int64], validity: Int64
    ) async throws(TransportError) {
        guard !numbers.isEmpty else { return }
        try await talk { session throws(TransportError) in
            let opened = try session.perform("SELECT \(IMAPText.folder(server.folder))")
            guard opened.contains(where: { $0.number(behind: "UIDVALIDITY") == validity }) else {
                return
            }
            _ = try session.perform(
                "UID STORE \(IMAPText.set(numbers)) +FLAGS.SILENT (\\Seen)")
        }
    }

    /// Runs a conversation on its own thread.
    private func talk<Value: Sendable>(
        _ body: @escaping @Sendable (inout IMAPSession) throws(TransportError) -> Value
    ) async throws(TransportError) -> Value {
        let isCancelled = CancelFlag()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation {
                (continuation: CheckedContinuation<Result<Value, TransportError>, Never>) in
                let thread = Thread {
                    continuation.resume(returning: self.result(of: body, isCancelled))
                }
                thread.name = "folder"
                thread.stackSize = Self.stackBytes
                thread.start()
            }
        } onCancel: {
            isCancelled.set()
        }
        return try result.get()
    }

    private func result<Value>(
        of body: (inout IMAPSession) throws(TransportError) -> Value, _ isCancelled: CancelFlag
    ) -> Result<Value, TransportError> {
        do throws(TransportError) {
            var session = try IMAPSession.of(
                server, octetsMax: mailOctetsMax + (1 << 20), secondsMax: secondsMax,
                uptime: uptime,
                isCancelled: { isCancelled.isSet })
            let value = try body(&session)
            session.leave()
            return .success(value)
        } catch {
            return .failure(error)
        }
    }
}

/// A flag that tells whether the caller has cancelled.
private final class CancelFlag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .acquiring) }

    func set() { flag.store(true, ordering: .releasing) }
}

extension CivilDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The date in a search command (RFC 3501, 9): "12-Jan-2027".
    var imapText: String { "\(day)-\(Self.months[month - 1])-\(year)" }
}
