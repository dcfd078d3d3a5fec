import NIOCore
import NIOHTTP1

/// The body of an answer that is sent in pieces while the connection stays open, as chunks in
/// HTTP/1.1 (RFC 9112, 7.1), and up to the end of the connection in HTTP/1.0.
protocol AnswerStream: Sendable {
    /// Called once, on the event loop of the connection, when the header was sent. The stream
    /// writes to `channel` with ``NIOCore/Channel/send(_:)`` until the channel is closed.
    func begin(on channel: any Channel)
}

extension Channel {
    /// Sends a piece of a body at once.
    ///
    /// - Parameter text: the piece.
    /// - Returns: false if the client does not read what was sent before, so that the piece was
    ///   not sent.
    @discardableResult
    func send(_ text: String) -> Bool {
        guard isWritable else { return false }
        let part = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: text)))
        writeAndFlush(part, promise: nil)
        return true
    }
}
