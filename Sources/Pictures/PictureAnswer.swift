/// A square JPEG of a picture, without metadata.
public struct Rendition: Equatable, Sendable {
    /// The side of the square, in pixels.
    public let side: Int
    /// The JPEG file.
    public let jpeg: [UInt8]

    /// Creates a rendition.
    public init(side: Int, jpeg: [UInt8]) {
        self.side = side
        self.jpeg = jpeg
    }
}

/// The parts of the sandbox of letsmeet-pictures that the kernel put in force.
public struct SandboxParts: OptionSet, Sendable {
    /// The parts as bits.
    public let rawValue: UInt8

    /// Creates a set of parts.
    ///
    /// - Parameter rawValue: a bit for each part.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Limits of memory, time and files.
    public static let limits = SandboxParts(rawValue: 1)
    /// The list of allowed system calls (seccomp).
    public static let calls = SandboxParts(rawValue: 2)
    /// No access to the file system (Landlock).
    public static let files = SandboxParts(rawValue: 4)
    /// All parts.
    public static let all: SandboxParts = [.limits, .calls, .files]
}

/// The answer of letsmeet-pictures.
///
/// In octets: `LMR1`, the parts of the sandbox, then 0 and the number of renditions, each with its
/// side as two octets, the length of the file as four octets, and the file; or the number of a
/// ``PictureRefusal``.
public struct PictureAnswer: Equatable, Sendable {
    /// The first octets of an answer.
    static let mark = Array("LMR1".utf8)

    /// The parts of the sandbox that were in force.
    public let sandbox: SandboxParts
    /// The renditions, in the order of the sizes; or the reason why there are none.
    public let result: Result<[Rendition], PictureRefusal>

    /// Creates an answer.
    public init(sandbox: SandboxParts, result: Result<[Rendition], PictureRefusal>) {
        self.sandbox = sandbox
        self.result = result
    }

    /// Reads an answer that ``octets`` wrote. The program that wrote it read data from outside, so
    /// it is not trusted either.
    ///
    /// - Parameters:
    ///   - octets: the answer.
    ///   - sizes: the sizes that were asked for.
    /// - Throws: ``PictureRefusal`` with `damaged` for any other octets.
    public init(octets: [UInt8], sizes: [Int]) throws(PictureRefusal) {
        do {
            try self.init(reading: octets, sizes: sizes)
        } catch {
            throw .damaged
        }
    }

    private init(reading octets: [UInt8], sizes: [Int]) throws(PictureRefusal) {
        var reader = OctetReader(octets)
        guard try reader.take(Self.mark.count) == Self.mark[...] else { throw .malformed }
        sandbox = SandboxParts(rawValue: UInt8(try reader.number(octets: 1)))
        let status = try reader.number(octets: 1)
        guard status == 0 else {
            guard let reason = PictureRefusal(rawValue: UInt8(status)), reader.isAtEnd else {
                throw .malformed
            }
            result = .failure(reason)
            return
        }
        guard try reader.number(octets: 1) == sizes.count else { throw .malformed }
        var renditions: [Rendition] = []
        for size in sizes {
            guard try reader.number(octets: 2) == size else { throw .malformed }
            let jpeg = Array(try reader.take(try reader.number(octets: 4)))
            guard jpeg.starts(with: [0xFF, 0xD8, 0xFF]) else { throw .malformed }
            renditions.append(Rendition(side: size, jpeg: jpeg))
        }
        guard reader.isAtEnd else { throw .malformed }
        result = .success(renditions)
    }

    /// The answer as octets.
    public var octets: [UInt8] {
        var octets = Self.mark + [sandbox.rawValue]
        switch result {
        case .failure(let reason): octets.append(reason.rawValue)
        case .success(let renditions):
            octets += [0, UInt8(renditions.count)]
            for rendition in renditions {
                octets.appendNumber(rendition.side, octets: 2)
                octets.appendNumber(rendition.jpeg.count, octets: 4)
                octets += rendition.jpeg
            }
        }
        return octets
    }
}
