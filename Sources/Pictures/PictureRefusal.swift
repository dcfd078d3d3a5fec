/// The reasons why a picture is not taken.
public enum PictureRefusal: UInt8, Error, CaseIterable, Sendable {
    /// It is no JPEG, PNG, WebP or HEIF, or one that the installed libraries cannot read.
    case unknownKind = 1
    /// It has more than ``PictureLimits/pixelsMax`` pixels or ``PictureLimits/octetsMax`` octets.
    case tooLarge = 2
    /// It is cut off or damaged.
    case damaged = 3
    /// It needs more memory or time than a picture may take.
    case tooMuchWork = 4
    /// The request was malformed: an error of the program.
    case malformed = 5
    /// The program that reads pictures, or its library, is not installed.
    case noHelper = 6
    /// Too many pictures are waiting.
    case busy = 7

    /// The reason as a sentence.
    public var sentence: String {
        switch self {
        case .unknownKind:
            "This kind of picture cannot be read here. Save it as JPEG, PNG or WebP."
        case .tooLarge:
            "The picture is too large: at most 25 MB and 100 megapixels can be read."
        case .damaged: "The picture is cut off or damaged."
        case .tooMuchWork: "The picture could not be read within the limits of memory and time."
        case .malformed: "The picture could not be read, because of an error of letsmeet."
        case .noHelper:
            "This server cannot read pictures, because letsmeet-pictures or libvips is missing."
        case .busy: "Too many pictures are being read right now. Try again in a moment."
        }
    }
}

/// The limits of pictures that come from outside.
public enum PictureLimits {
    /// The largest file, in octets: 25 MB.
    public static let octetsMax = 25_000_000
    /// The most pixels: 100 megapixels.
    public static let pixelsMax = 100_000_000
    /// The most sizes of one request.
    public static let sizesMax = 4
    /// The smallest and the largest side of a square that can be asked for, in pixels.
    public static let sides = 16...512
    /// The largest answer, in octets.
    public static let answerOctetsMax = 4 << 20
}
