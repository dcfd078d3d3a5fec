import NIOCore
import NIOHTTP1

/// The limits for a client of the page server.
struct PageLimits: Sendable {
    /// The most connections at a time.
    var connectionsMax = 256
    /// The most connections of one address, unless it is a trusted proxy.
    var connectionsEachMax = 32
    /// The connections beyond the limit that are kept for the health check and the metrics.
    var connectionsReserved = 8
    /// The most requests of a connection that wait for an answer. Above it, reading pauses.
    var requestsWaitingMax = 16
    /// The time limit for the head of a request, from its first byte or from the opening of the
    /// connection.
    var headPatience = TimeAmount.seconds(5)
    /// The time limit for everything else: for the rest of a request and its answer, and for the
    /// next request. It cuts off clients that send slowly, read slowly or do nothing.
    var patience = TimeAmount.seconds(15)
    /// The time after which a client that sends a request or reads an answer may be cut off for
    /// another, if too many connections are open.
    var stallPatience = TimeAmount.seconds(2)
    /// The slowest reading speed, in bytes a second. It extends the time limit for large answers.
    var bytesPerSecond = 16 * 1024
    /// The time that a client has to read the last answer after the output was closed.
    var farewell = TimeAmount.seconds(2)
    /// The longest time that unfinished answers may delay the end of the program.
    var end = TimeAmount.milliseconds(100)
    /// The most bytes of all header fields.
    var headerBytesMax = 16 * 1024
    /// The largest body of a form, in bytes.
    var bodyBytesMax = 64 * 1024
    /// The largest form with files, in bytes.
    var uploadBytesMax = 25 * 1024 * 1024
    /// The most header fields.
    var headerFieldsMax = 100

    /// The time limit for reading an answer of this many bytes.
    func patience(for bytes: Int) -> TimeAmount {
        patience + .seconds(Int64(bytes / bytesPerSecond))
    }

    var decoder: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = headerBytesMax
        limits.maxHeaderListSize = headerBytesMax
        limits.maxHeaderFieldCount = headerFieldsMax
        return limits
    }
}
