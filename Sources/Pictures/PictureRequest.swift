/// A request to letsmeet-pictures: a picture from outside, and the sizes that are wanted of it.
///
/// In octets: `LMP1`, the number of sizes, each size as two octets, the length of the picture as
/// four octets, and the picture. All numbers are big-endian.
public struct PictureRequest: Equatable, Sendable {
    /// The first octets of a request.
    static let mark = Array("LMP1".utf8)

    /// The sides of the squares, in pixels, the largest first.
    public let sizes: [Int]
    /// The picture as it came.
    public let picture: [UInt8]

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - sizes: at most ``PictureLimits/sizesMax`` sides within ``PictureLimits/sides``.
    ///   - picture: the octets of a picture.
    /// - Throws: ``PictureRefusal`` with `malformed` for other sizes, or with `tooLarge`.
    public init(sizes: [Int], picture: [UInt8]) throws(PictureRefusal) {
        guard (1...PictureLimits.sizesMax).contains(sizes.count),
            sizes.allSatisfy(PictureLimits.sides.contains), sizes == sizes.sorted(by: >)
        else { throw .malformed }
        guard picture.count <= PictureLimits.octetsMax else { throw .tooLarge }
        self.sizes = sizes
        self.picture = picture
    }

    /// Reads a request that ``octets`` wrote.
    ///
    /// - Throws: ``PictureRefusal`` with `malformed` or `tooLarge`.
    public init(octets: [UInt8]) throws(PictureRefusal) {
        var reader = OctetReader(octets)
        guard try reader.take(Self.mark.count) == Self.mark[...] else { throw .malformed }
        let count = try reader.number(octets: 1)
        guard count <= PictureLimits.sizesMax else { throw .malformed }
        var sizes: [Int] = []
        for _ in 0..<count { sizes.append(try reader.number(octets: 2)) }
        let picture = try reader.take(try reader.number(octets: 4))
        guard reader.isAtEnd else { throw .malformed }
        try self.init(sizes: sizes, picture: Array(picture))
    }

    /// The request as octets.
    public var octets: [UInt8] {
        var octets = Self.mark
        octets.append(UInt8(sizes.count))
        for size in sizes { octets.appendNumber(size, octets: 2) }
        octets.appendNumber(picture.count, octets: 4)
        return octets + picture
    }

    /// The largest request, in octets.
    public static let octetsMax = 9 + 2 * PictureLimits.sizesMax + PictureLimits.octetsMax
}

/// Reads numbers and runs of octets, from front to back.
struct OctetReader {
    private var rest: ArraySlice<UInt8>

    init(_ octets: [UInt8]) {
        rest = octets[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ count: Int) throws(PictureRefusal) -> ArraySlice<UInt8> {
        guard rest.count >= count else { throw .malformed }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func number(octets count: Int) throws(PictureRefusal) -> Int {
        try take(count).reduce(0) { $0 << 8 | Int($1) }
    }
}

extension [UInt8] {
    mutating func appendNumber(_ number: Int, octets count: Int) {
        for place in (0..<count).reversed() {
            append(UInt8(truncatingIfNeeded: number >> (8 * place)))
        }
    }
}
