import NIOCore
import Secrets
import Synchronization

/// Pages as they were last shown to a browser, kept as long as nothing in the database changes.
final class PageShelf: Sendable {
    /// Everything that a page depends on besides the database.
    struct Key: Hashable, Sendable {
        /// The cookies: session and colours.
        let cookies: String
        let target: String
        let languages: [String]
        /// True if the page is compressed.
        let isPacked: Bool
        /// The minutes since 1970, because pages name times from now.
        let minute: Int64
    }

    private struct State {
        var pages: [Key: PageAnswer] = [:]
        var version: Int?
        var bytes = 0
    }

    /// The most bytes of all pages. When it is reached, all are forgotten.
    static let bytesMax = 4 * 1024 * 1024

    private let state = Mutex(State())

    /// The kept page; `nil` if there is none for this version of the database.
    func page(_ key: Key, version: Int) -> PageAnswer? {
        state.withLock { $0.version == version ? $0.pages[key] : nil }
    }

    /// Keeps a page that was made from this version, or from a later one.
    func keep(_ page: PageAnswer, as key: Key, version: Int) {
        let size = page.body.readableBytes
        state.withLock { state in
            if state.version != version || state.bytes + size > Self.bytesMax {
                state = State(version: version)
            }
            state.bytes += size - (state.pages[key]?.body.readableBytes ?? 0)
            state.pages[key] = page
        }
    }

    /// The entity tag of a page (RFC 9110, 8.8.3).
    static func tag(of page: PageAnswer) -> String {
        let hash = SHA256.hash(page.body.readableBytesView)
        return "\"\(Hexadecimal.text(hash).prefix(24))\""
    }
}
