import NIOCore
import NIOHTTP1

/// How much of its own a client may take.
struct PageLimits: Sendable {
    /// The most connections at once; more of them wait until one ends.
    var connectionsMax = 64
    /// The most requests of a connection that wait for their answers before it is read on.
    var requestsWaitingMax = 16
    /// So long after it began, or after its last answer went out, a connection must have its next
    /// answer: whoever sends slowly, reads slowly or does nothing is cut off.
    var patience = TimeAmount.seconds(15)
    /// So many bytes of an answer a client has to read in a second, beside its patience.
    var bytesPerSecond = 16 * 1024
    /// So long a client may take to read the last answer after the connection was ended.
    var farewell = TimeAmount.seconds(2)
    /// How long answers that are under way may hold up the end of the program.
    var end = TimeAmount.milliseconds(100)
    /// The most bytes of all header fields.
    var headerBytesMax = 16 * 1024
    /// The longest body of a form, in bytes.
    var bodyBytesMax = 64 * 1024
    /// The most header fields.
    var headerFieldsMax = 100

    /// So long a client may take to read an answer of so many bytes.
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
