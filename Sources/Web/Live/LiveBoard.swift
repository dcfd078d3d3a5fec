import Agenda
import Ledger
import Logging
import NIOCore
import Storage
import Synchronization
import Timekeeping

/// The open event streams of this process. It tells each of them what has changed for its account.
///
/// It looks only after the database was written to, by whatever process, and only while a stream is
/// open. One timer serves all streams.
final class LiveBoard: Sendable {
    /// The most streams.
    static let streamsMax = 256
    /// The most streams of an account. Above it, the oldest ends.
    static let streamsEachMax = 4
    /// The time between two signs of life, in seconds. Proxies close connections that are silent
    /// for longer, often after 60 s.
    static let beatSeconds: Int64 = 20
    /// The number of signs of life after which a stream ends, so that the browser opens a new one
    /// with its present rights: 15 minutes.
    static let beatsMax = 45
    /// The pause between two looks at the database, in milliseconds.
    static let pauseMilliseconds: Int64 = 50
    /// The number of looks after each report of a write. A write is reported before others can read
    /// what was written, because the program that writes first waits for the disk.
    static let looksEach = 10
    /// The most changes of one look that are told one by one.
    private static let changesMax = 5_000

    private struct Stream {
        let person: PersonID
        let session: SessionID
        let channel: any Channel
        let number: Int
        var beats = 0
    }

    private struct State {
        var streams: [ObjectIdentifier: Stream] = [:]
        /// The number of streams that were ever opened.
        var count = 0
        /// The changes that all streams have heard of.
        var mark = ChangeMark(meetings: 0, others: 0)
    }

    private let state = Mutex(State())
    private let clock: any WallClock
    private let logger: Logger
    /// An element for each stream that opens, the newest alone.
    private let openings: AsyncStream<Void>
    private let noteOpening: AsyncStream<Void>.Continuation

    init(clock: any WallClock, logger: Logger) {
        self.clock = clock
        self.logger = logger
        (openings, noteOpening) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The number of open streams.
    var count: Int { state.withLock { $0.streams.count } }

    /// True if one more stream may be opened.
    var hasRoom: Bool { count < Self.streamsMax }

    // MARK: Streams

    /// Adds a stream, and ends the oldest one of the account if it has too many.
    ///
    /// - Parameters:
    ///   - channel: the connection.
    ///   - ticket: what the stream is for.
    /// - Returns: the first event of the stream; `nil` if there is no room.
    func add(_ channel: any Channel, _ ticket: LiveTicket) -> LiveEvent? {
        let (first, surplus) = state.withLock { state -> (LiveEvent?, Stream?) in
            guard state.streams.count < Self.streamsMax else { return (nil, nil) }
            if state.streams.isEmpty { state.mark = ticket.mark }
            state.count += 1
            state.streams[ObjectIdentifier(channel)] = Stream(
                person: ticket.person, session: ticket.session, channel: channel,
                number: state.count)
            let own = state.streams.values.filter { $0.person == ticket.person }
            let surplus =
                own.count > Self.streamsEachMax ? own.min { $0.number < $1.number } : nil
            // Changes between the reading of the ticket and now were told to others only.
            return (state.mark.exceeds(ticket.mark) ? .all : ticket.first, surplus)
        }
        if let surplus { end(surplus.channel, isForGood: true) }
        if first != nil { noteOpening.yield() }
        return first
    }

    /// Forgets a stream whose connection was closed.
    func remove(_ channel: any Channel) {
        state.withLock { $0.streams[ObjectIdentifier(channel)] = nil }
    }

    /// Ends the streams of a session that has ended.
    func end(session: SessionID) { end { $0.session == session } }

    /// Ends the streams of an account that was deleted.
    func end(person: PersonID) { end { $0.person == person } }

    private func end(where isEnded: (Stream) -> Bool) {
        let streams = state.withLock { $0.streams.values.filter(isEnded) }
        for stream in streams { end(stream.channel, isForGood: true) }
    }

    private func end(_ channel: any Channel, isForGood: Bool = false) {
        remove(channel)
        if isForGood { channel.send(LiveEvent.farewell) }
        channel.close(promise: nil)
    }

    // MARK: News

    /// Tells the streams what changes, until the task is cancelled.
    func run(_ store: Store) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.watch(store) }
            group.addTask { await self.beat(store) }
        }
    }

    private func watch(_ store: Store) async {
        do {
            let watch = try StoreWatch(path: store.path)
            await follow(watch.changes) { await self.look(store) }
        } catch {
            logger.error("pages are not updated while they are open: \(error)")
        }
    }

    /// Looks several times after each report of a write, until the reports end.
    func follow(_ reports: AsyncStream<Void>, _ look: () async -> Void) async {
        for await _ in reports {
            for _ in 0..<Self.looksEach where !Task.isCancelled {
                await look()
                try? await pause(milliseconds: Self.pauseMilliseconds)
            }
        }
    }

    /// Reads what has changed since the last look, and tells it to those who see it.
    func look(_ store: Store) async {
        let (mark, isNeeded) = state.withLock { ($0.mark, !$0.streams.isEmpty) }
        guard isNeeded else { return }
        do {
            let changes = try await store.changes(after: mark, limit: Self.changesMax)
            guard changes.mark.exceeds(mark) else { return }
            try await endStreams(ofEndedSessions: changes, store)
            let streams = state.withLock { state in
                state.mark = state.mark.joined(with: changes.mark)
                return Array(state.streams.values)
            }
            for stream in streams {
                guard let event = LiveEvent.event(of: changes, for: stream.person) else { continue }
                tell(event.lines(changes.mark), stream.channel)
            }
        } catch {
            logger.warning("cannot read what has changed: \(error)")
        }
    }

    /// Ends the streams of sessions that were ended by any process.
    private func endStreams(ofEndedSessions changes: AccountChanges, _ store: Store) async throws {
        let persons = changes.changes.filter { $0.topic == ChangeTopic.sessions }.map(\.person)
        try await endStreams(withoutSessionIn: store) {
            changes.areTooMany || persons.contains($0)
        }
    }

    /// Ends the streams of persons whose sessions have ended.
    private func endStreams(
        withoutSessionIn store: Store, where isAsked: (PersonID) -> Bool
    ) async throws {
        let streams = state.withLock { state in
            state.streams.values.filter { isAsked($0.person) }
        }
        for (person, own) in Dictionary(grouping: streams, by: \.person) {
            let open = try await store.sessionIDs(of: person)
            for stream in own where !open.contains(stream.session) {
                end(stream.channel, isForGood: true)
            }
        }
    }

    /// Tells the streams of an account that one of its tasks has changed.
    func tell(of task: LongTaskID, to person: PersonID) {
        let (streams, mark) = state.withLock { state in
            (state.streams.values.filter { $0.person == person }, state.mark)
        }
        for stream in streams {
            tell(LiveEvent.topics(["t/\(task.text)"]).lines(mark), stream.channel)
        }
    }

    /// Sends lines. A client that does not read is cut off: it connects again, and hears what it
    /// has missed.
    private func tell(_ lines: String, _ channel: any Channel) {
        if !channel.send(lines) { end(channel) }
    }

    /// Sends signs of life while any stream is open, and looks for changes of which no report came.
    private func beat(_ store: Store) async {
        for await _ in openings {
            while !Task.isCancelled, count > 0 {
                try? await pause(milliseconds: Self.beatSeconds * 1000)
                beatOnce()
                await look(store)
                await checkSessions(store)
            }
        }
    }

    /// Ends all streams whose sessions have ended, also those of accounts that were deleted by
    /// another process, of which no change is left.
    func checkSessions(_ store: Store) async {
        do {
            try await endStreams(withoutSessionIn: store) { _ in true }
        } catch {
            logger.warning("cannot read which sessions have ended: \(error)")
        }
    }

    /// Sends a sign of life to each stream, and ends the old ones.
    func beatOnce() {
        let (old, others) = state.withLock { state -> ([Stream], [Stream]) in
            for id in state.streams.keys { state.streams[id]?.beats += 1 }
            let all = state.streams.values
            return (
                all.filter { $0.beats >= Self.beatsMax }, all.filter { $0.beats < Self.beatsMax }
            )
        }
        for stream in old { end(stream.channel) }
        for stream in others { tell(":\n\n", stream.channel) }
    }

    private func pause(milliseconds: Int64) async throws {
        try await clock.sleep(until: clock.now.advanced(byMilliseconds: milliseconds))
    }
}

/// A stream that a browser has asked for.
struct LiveTicket: AnswerStream {
    /// The account.
    let person: PersonID
    let session: SessionID
    /// The changes when the ticket was made.
    let mark: ChangeMark
    /// The changes since the browser heard last.
    let first: LiveEvent
    let board: LiveBoard

    /// The time after which a browser connects again, in milliseconds: it differs, so that not all
    /// come back at once.
    private var retryMilliseconds: Int { 2_000 + board.count * 61 % 2_000 }

    func begin(on channel: any Channel) {
        channel.closeFuture.whenComplete { [board] _ in board.remove(channel) }
        guard let first = board.add(channel, self) else {
            channel.send(LiveEvent.farewell)
            return channel.close(promise: nil)
        }
        channel.send("retry: \(retryMilliseconds)\n" + first.lines(mark))
    }
}
