import Calendars
import NIOCore
import Planning
import Synchronization
import Timekeeping

/// The latest content of a feed, ready to be sent.
final class FeedCopy: Sendable {
    let content: FeedContent
    /// The time of the change that led to this content, in whole seconds.
    let changedAt: Moment
    let plain: ByteBuffer
    /// Compressed on the first request that accepts gzip.
    private let packing = Mutex<ByteBuffer??>(nil)

    /// A copy of the content that a feed had at a moment.
    ///
    /// - Parameters:
    ///   - content: the content of the feed.
    ///   - now: the current time.
    ///   - before: the previous copy of the feed.
    init(_ content: FeedContent, at now: Moment, after before: FeedCopy?) {
        self.content = content.withoutOctets
        if let before, before.content.version == content.version {
            changedAt = before.changedAt
            plain = before.plain
        } else {
            // If the feed changes twice within a second, the second change gets a later time, so
            // that a client that has seen the first change also gets the second.
            changedAt = Moment(
                seconds: max(now.seconds, (before?.changedAt.seconds ?? .min).addingOne))
            plain = ByteBuffer(bytes: content.octets)
        }
    }

    var tag: String { "\"\(content.version)\"" }
    /// Another coding needs another tag (RFC 9110, 8.8.3.3).
    var packedTag: String { "\"\(content.version)-gzip\"" }

    /// The content compressed with gzip; `nil` if compression fails.
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

/// The feeds that were read most recently.
final class FeedCache: Sendable {
    /// The most bytes of calendars to keep. The cache takes about three times as much, because it
    /// also keeps the parts of each calendar and the compressed copy.
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

    /// The latest copy of a feed; `nil` if it is not in the cache.
    func copy(of feed: ReadFeed) -> FeedCopy? {
        state.withLock { state in
            state.turn += 1
            state.places[feed.id]?.usedLast = state.turn
            return state.places[feed.id]?.copy
        }
    }

    /// Stores a copy of a feed and drops the least recently read ones that no longer fit.
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
