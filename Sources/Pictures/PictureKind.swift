/// The kinds of pictures that are read, by the first octets of their files.
public enum PictureKind: Sendable {
    case jpeg, png, webp, heif

    /// Finds the kind of a file. No other file is shown to a decoder.
    ///
    /// - Parameter octets: the file, or its first 12 octets.
    public init?(_ octets: some Collection<UInt8>) {
        let head = Array(octets.prefix(12))
        guard head.count == 12 else { return nil }
        if head.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if head.starts(with: [0x89] + Array("PNG\r\n".utf8) + [0x1A, 0x0A]) {
            self = .png
        } else if head.starts(with: "RIFF".utf8), head[8...].elementsEqual("WEBP".utf8) {
            self = .webp
        } else if head[4..<8].elementsEqual("ftyp".utf8) {
            self = .heif
        } else {
            return nil
        }
    }

    /// The refusal of a file of this kind that a decoder cannot read. A whole HEIF file may use a
    /// codec that is not installed.
    public var unreadable: PictureRefusal { self == .heif ? .unknownKind : .damaged }
}
