import NIOCore
import Planning
import Synchronization
import Timekeeping

/// What a feed said last, ready to be told again.
final class FeedCopy: Sendable {
    let content: FeedContent
    /// When it began to say so, in whole seconds.
    let changedAt: Moment
    let plain: ByteBuffer
    /// Packed when somebody wants it so for the first time.
    private let packing = Mutex<ByteBuffer??>(nil)

    /// What a feed says, which somebody asked for at a moment.
    ///
    /// - Parameters:
    ///   - content: what it says.
    ///   - now: the clock.
    ///   - before: what it said before.
    init(_ content: FeedContent, at now: Moment, after before: FeedCopy?) {
        self.content = content.withoutOctets
        if let before, before.content.version == content.version {
            changedAt = before.changedAt
            plain = before.plain
        } else {
            // Of two changes within a second, who has seen the first has not seen the second.
            changedAt = Moment(
                seconds: max(now.seconds, (before?.changedAt.seconds ?? .min).addingOne))
            plain = ByteBuffer(bytes: content.octets)
        }
    }

    var tag: String { "\"\(content.version)\"" }
    /// Other octets have another tag (RFC 9110, 8.8.3.3).
    var packedTag: String { "\"\(content.version)-gzip\"" }

    /// The same as gzip packs it; `nil` where it cannot be.
    var packed: ByteBuffer? {
        packing.withLock { packed in
            if let packed { return packed }
            let made = Gzip.packed(plain)
            packed = .some(made)
            return made
        }
    }
}

extension Int64 {
    fileprivate var addingOne: Int64 { self == .min ? .min : self + 1 }
}

/// The feeds that were read last.
final class FeedCache: Sendable {
    /// How many octets of calendars are kept; with the parts of which they are made, and packed,
    /// they take three times as much.
    static let octetsMax = 24 << 20

    private struct Place {
        let copy: FeedCopy
        var usedLast: Int
    }

    private struct State {
        var places: [String: Place] = [:]
        var turn = 0
    }

    private let state = Mutex(State())

    /// What a feed said last.
    func copy(of feed: ReadFeed) -> FeedCopy? {
        state.withLock { state in
            state.turn += 1
            state.places[feed.id]?.usedLast = state.turn
            return state.places[feed.id]?.copy
        }
    }

    /// Keeps what a feed says, in the place of those that nobody has read for the longest time.
    func keep(_ copy: FeedCopy, of feed: ReadFeed) {
        state.withLock { state in
            state.turn += 1
            state.places[feed.id] = Place(copy: copy, usedLast: state.turn)
            var octets = state.places.values.reduce(0) { $0 + $1.copy.plain.readableBytes }
            let oldest = state.places.sorted { $0.value.usedLast < $1.value.usedLast }
            for (id, place) in oldest where octets > Self.octetsMax && id != feed.id {
                octets -= place.copy.plain.readableBytes
                state.places[id] = nil
            }
        }
    }
}
