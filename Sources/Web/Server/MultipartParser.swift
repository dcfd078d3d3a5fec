import StreamSafe

/// Splits a `multipart/form-data` body (RFC 7578) into parts while it arrives.
///
/// It keeps no more of the body than a delimiter and the header of a part.
struct MultipartParser: Sendable {
    /// A step through the body.
    enum Event: Equatable, Sendable {
        /// A part begins.
        case part(name: String, file: String?)
        /// More bytes of the part.
        case bytes(ArraySlice<UInt8>)
        /// The part ends.
        case end
    }

    /// The error of a body that is not valid.
    struct Fault: Error, Equatable {}

    /// The most bytes of the header of a part.
    static let headerBytesMax = 4096
    /// The most parts.
    static let partsMax = 100
    /// The most bytes of a boundary (RFC 2046, 5.1.1).
    private static let boundaryBytesMax = 70

    private enum State { case preamble, boundary, header, content, epilogue }

    private let delimiter: [UInt8]
    private var state = State.preamble
    private var rest: [UInt8] = []
    private var count = 0

    /// Creates a parser for the value of a `Content-Type` field; `nil` for another type or without
    /// a valid boundary.
    init?(contentType: String) {
        let parts = contentType.split(separator: ";")
        guard
            parts.first?.trimmingSpaces.lowercased() == "multipart/form-data",
            let boundary = parts.dropFirst().lazy.compactMap(Self.boundary).first,
            (1...Self.boundaryBytesMax).contains(boundary.utf8.count)
        else { return nil }
        delimiter = Array("\r\n--\(boundary)".utf8)
        // The first delimiter may stand at the very beginning.
        rest = Array("\r\n".utf8)
    }

    private static func boundary(_ parameter: Substring) -> String? {
        let pair = parameter.split(separator: "=", maxSplits: 1)
        guard pair.count == 2, pair[0].trimmingSpaces.lowercased() == "boundary" else { return nil }
        return pair[1].trimmingSpaces.filter { $0 != "\"" }
    }

    /// True if the last delimiter has arrived.
    var isComplete: Bool { state == .epilogue }

    /// Takes the next bytes of the body.
    ///
    /// - Parameter bytes: the bytes.
    /// - Returns: the steps that they complete.
    /// - Throws: ``Fault`` if the body is not valid.
    mutating func feed(_ bytes: some Sequence<UInt8>) throws(Fault) -> [Event] {
        rest += bytes
        var events: [Event] = []
        while try step(&events) {}
        return events
    }

    /// Makes one step; false if it needs more bytes.
    private mutating func step(_ events: inout [Event]) throws(Fault) -> Bool {
        switch state {
        case .preamble, .content: return passContent(&events)
        case .boundary: return try passBoundary()
        case .header: return try passHeader(&events)
        case .epilogue:
            rest = []
            return false
        }
    }

    private mutating func passContent(_ events: inout [Event]) -> Bool {
        let place = rest.firstRange(of: delimiter)
        // A delimiter may have begun at the end of the bytes.
        let end = place?.lowerBound ?? max(0, rest.count - delimiter.count + 1)
        if state == .content, end > 0 { events.append(.bytes(rest[..<end])) }
        rest = Array(rest[(place?.upperBound ?? end)...])
        guard place != nil else { return false }
        if state == .content { events.append(.end) }
        state = .boundary
        return true
    }

    /// Passes the end of a delimiter: two hyphens after the last one, otherwise a line break.
    private mutating func passBoundary() throws(Fault) -> Bool {
        guard let break_ = rest.firstRange(of: [0x0D, 0x0A]) else {
            if rest.starts(with: [0x2D, 0x2D]) {
                state = .epilogue
                return true
            }
            guard rest.count <= 80 else { throw Fault() }
            return false
        }
        let line = rest[..<break_.lowerBound]
        rest = Array(rest[break_.upperBound...])
        if line.starts(with: [0x2D, 0x2D]) {
            state = .epilogue
            return true
        }
        guard line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { throw Fault() }
        state = .header
        return true
    }

    private mutating func passHeader(_ events: inout [Event]) throws(Fault) -> Bool {
        guard let end = rest.firstRange(of: [0x0D, 0x0A, 0x0D, 0x0A]) else {
            guard rest.count <= Self.headerBytesMax else { throw Fault() }
            return false
        }
        guard end.lowerBound <= Self.headerBytesMax, count < Self.partsMax,
            let event = Self.part(
                String(decoding: rest[..<end.lowerBound], as: UTF8.self).streamSafe)
        else { throw Fault() }
        rest = Array(rest[end.upperBound...])
        count += 1
        events.append(event)
        state = .content
        return true
    }

    /// The part with this header; `nil` if it has no name.
    private static func part(_ header: String) -> Event? {
        for line in header.split(separator: "\r\n") {
            let field = line.split(separator: ":", maxSplits: 1)
            guard field.count == 2, field[0].lowercased() == "content-disposition" else { continue }
            let parameters = DispositionParameters(field[1])
            guard let name = parameters["name"] else { return nil }
            return .part(name: name, file: parameters["filename"])
        }
        return nil
    }
}

/// The parameters of a `Content-Disposition` field as browsers write them: quoted, with `"`, CR and
/// LF percent-encoded (WHATWG HTML, "multipart/form-data").
struct DispositionParameters: Sendable {
    private var values: [String: String] = [:]

    init(_ text: some StringProtocol) {
        var rest = text[...].drop { $0 != ";" }
        while rest.first == ";" {
            rest = rest.dropFirst().drop(while: \.isWhitespace)
            let name = rest.prefix { $0 != "=" && $0 != ";" }
            rest = rest.dropFirst(name.count)
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst()
            let value: String
            if rest.first == "\"" {
                rest = rest.dropFirst()
                let quoted = rest.prefix { $0 != "\"" }
                value = String(quoted)
                rest = rest.dropFirst(quoted.count + 1).drop { $0 != ";" }
            } else {
                let token = rest.prefix { $0 != ";" }
                value = String(token)
                rest = rest.dropFirst(token.count)
            }
            let key = name.lowercased().filter { !$0.isWhitespace }
            if values[key] == nil { values[key] = Self.decoded(value) }
        }
    }

    /// The value of a parameter; `nil` if it is missing.
    subscript(name: String) -> String? { values[name] }

    private static func decoded(_ text: String) -> String {
        text.replacing("%22", with: "\"").replacing("%0D", with: "\r").replacing("%0A", with: "\n")
    }
}
