import HummingbirdCore
import NIOCore

/// How much of its own a client may take.
struct PageLimits: Sendable {
    /// The most connections at once; more of them wait until one ends.
    var connectionsMax = 64
    /// So long after it began, or after its last answer went out, a connection must have its next
    /// answer: whoever sends slowly, reads slowly or does nothing is cut off.
    var patience = TimeAmount.seconds(15)
    /// So long a client may take to read the last answer after the connection was ended.
    var farewell = TimeAmount.seconds(2)
    /// The most bytes of all header fields.
    var headerBytesMax = 16 * 1024
    /// The most header fields.
    var headerFieldsMax = 100
    /// How long answers that are under way may hold up the end of the program, in milliseconds.
    var endMilliseconds: Int64 = 100

    var decoder: HTTP1Channel.Configuration.DecoderConfiguration {
        HTTP1Channel.Configuration.DecoderConfiguration(
            maxHeaderFieldSize: headerBytesMax, maxHeaderListSize: headerBytesMax,
            maxHeaderFieldCount: headerFieldsMax)
    }
}
