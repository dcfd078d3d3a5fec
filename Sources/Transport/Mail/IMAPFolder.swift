import Foundation
import Synchronization
public import Timekeeping

/// How far a folder was read.
public struct FolderPlace: Equatable, Sendable {
    /// What the numbers are of: where it is another, all mails have other numbers.
    public let validity: Int64
    /// The number of the last mail that was looked at; 0 where none was.
    public let last: Int64

    /// A place in a folder.
    public init(validity: Int64, last: Int64) {
        self.validity = validity
        self.last = last
    }
}

/// A mail in a folder.
public struct FolderMail: Equatable, Sendable {
    /// Its number, which it keeps as long as the folder's validity is the same.
    public let number: Int64
    /// The mail; `nil` where it is larger than what is read.
    public let octets: [UInt8]?
}

/// Mails that nobody has looked at yet.
public struct FolderNews: Equatable, Sendable {
    /// What the numbers are of.
    public let validity: Int64
    /// Mails with rising numbers.
    public let mails: [FolderMail]
    /// The last number that was looked for: what is not among the mails up to there is gone.
    public let last: Int64
    /// Whether there are more behind them.
    public let isMore: Bool
}

/// A folder on a server, which is read without changing anything in it.
///
/// Each call makes a connection of its own, on a thread of its own: libcurl's calls block.
public struct IMAPFolder: Sendable {
    /// The most mails that are read at once, and the most octets of them, roughly.
    static let mailsMax = 32
    static let octetsMax = 16 << 20
    private static let stackBytes = 512 << 10

    /// The server and the folder.
    public let server: IMAPServer
    private let mailOctetsMax: Int
    private let secondsMax: Int
    private let uptime: @Sendable () -> Duration

    /// A folder.
    ///
    /// - Parameters:
    ///   - server: the server, and which folder.
    ///   - mailOctetsMax: the size of the largest mail that is read, in octets.
    ///   - secondsMax: how long one conversation may take.
    ///   - uptime: a clock that nobody sets.
    public init(
        _ server: IMAPServer, mailOctetsMax: Int, secondsMax: Int = 300,
        uptime: @escaping @Sendable () -> Duration
    ) {
        self.secondsMax = secondsMax
        self.server = server
        self.mailOctetsMax = mailOctetsMax
        self.uptime = uptime
    }

    /// Reads the next mails behind a place, and leaves them as they are.
    ///
    /// - Parameters:
    ///   - place: how far the folder was read; `nil` for a folder that never was.
    ///   - date: from which day on mails are looked for where the place says nothing.
    /// - Returns: some of them, the oldest first.
    /// - Throws: ``TransportError``.
    public func news(
        behind place: FolderPlace?, since date: CivilDate
    ) async throws(TransportError) -> FolderNews {
        try await talk { session throws(TransportError) in
            let opened = try session.perform("EXAMINE \(IMAPText.folder(server.folder))")
            guard let validity = opened.lazy.compactMap({ $0.number(behind: "UIDVALIDITY") }).first
            else { throw .failed("the server numbers no mails") }
            let known = place?.validity == validity ? place?.last : nil
            let numbers = try find(behind: known, since: date, by: &session)
            let (mails, last) = try read(numbers, by: &session)
            let isMore = numbers.last ?? 0 > last
            // What was there before, and was not looked for, never will be.
            let next = opened.lazy.compactMap { $0.number(behind: "UIDNEXT") }.first ?? 1
            return FolderNews(
                validity: validity, mails: mails,
                last: isMore ? last : max(last, known ?? 0, next - 1), isMore: isMore)
        }
    }

    private func find(
        behind last: Int64?, since date: CivilDate, by session: inout IMAPSession
    ) throws(TransportError) -> [Int64] {
        let range = last.map { "UID \($0 + 1):*" } ?? "SINCE \(date.imapText)"
        let found = try session.perform("UID SEARCH UNDELETED \(range)").compactMap(\.found)
        // Who says nothing has not said that there is nothing.
        guard !found.isEmpty else { throw .failed("the server does not say what it found") }
        // Behind the last mail * is the last mail.
        return Set(found.joined()).filter { $0 > last ?? 0 }.sorted()
    }

    /// Reads the first of these mails.
    ///
    /// - Returns: them, and the number of the last one that was looked at.
    private func read(
        _ numbers: [Int64], by session: inout IMAPSession
    ) throws(TransportError) -> (mails: [FolderMail], last: Int64) {
        let first = Array(numbers.prefix(Self.mailsMax))
        let sizes = try sizes(of: first, by: &session)
        var mails: [FolderMail] = []
        var last: Int64 = 0
        var octets = 0
        for number in first where octets < Self.octetsMax {
            do throws(TransportError) {
                let isLarge = sizes?[number] ?? 0 > mailOctetsMax
                let content = isLarge ? nil : try content(of: number, by: &session)
                // What the server says nothing of is gone meanwhile.
                if isLarge || content != nil || sizes?[number] != nil {
                    mails.append(FolderMail(number: number, octets: content))
                }
                octets += content?.count ?? 0
            } catch {
                // What was read before is not read again for the sake of one.
                guard !mails.isEmpty else { throw error }
                return (mails, last)
            }
            last = number
        }
        // Who refuses them all has another reason than a mail.
        if first.count > 1, mails.allSatisfy({ $0.octets == nil }), sizes == nil {
            throw .failed("the server gives out no mail")
        }
        return (mails, last)
    }

    /// The mail; `nil` where the server does not give it, or more of it than is read: what it says
    /// of sizes is an estimate with some.
    private func content(
        of number: Int64, by session: inout IMAPSession
    ) throws(TransportError) -> [UInt8]? {
        let command = "UID FETCH \(number) (UID BODY.PEEK[]<0.\(mailOctetsMax + 1)>)"
        let content = try session.attempt(command)?.first { reply in
            reply.isFetched && reply.number(behind: "UID") == number && !reply.literals.isEmpty
        }?.literals.first
        return content.flatMap { $0.count <= mailOctetsMax ? $0 : nil }
    }

    private func sizes(
        of numbers: [Int64], by session: inout IMAPSession
    ) throws(TransportError) -> [Int64: Int]? {
        guard !numbers.isEmpty else { return [:] }
        // A mail that is damaged may have no size: then they are read without.
        let command = "UID FETCH \(IMAPText.set(numbers)) (UID RFC822.SIZE)"
        guard let replies = try session.attempt(command) else { return nil }
        var sizes: [Int64: Int] = [:]
        for reply in replies where reply.isFetched {
            guard let number = reply.number(behind: "UID"),
                let size = reply.number(behind: "RFC822.SIZE")
            else { continue }
            sizes[number] = Int(size)
        }
        return sizes
    }

    /// Marks mails as read, where their numbers are still theirs. Who opens a folder to write in it
    /// takes `\Recent` from its mails, which no program can avoid.
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

    /// Has a conversation on a thread of its own.
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

/// Whether the caller gave up.
private final class CancelFlag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .acquiring) }

    func set() { flag.store(true, ordering: .releasing) }
}

extension CivilDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The day as a search names it (RFC 3501, 9): "12-Jan-2027".
    var imapText: String { "\(day)-\(Self.months[month - 1])-\(year)" }
}
