/// The memory of the wheel: an array of 64-bit words that can grow at its end.
///
/// All data of the wheel (records, chunks, slots, bitmaps) consist of words or half words. So one
/// protocol with two conforming types is the only difference between the fast and the checked
/// implementation: ``PointerWords`` is used in releases, ``ArrayWords`` runs the same wheel code
/// over a checked array, and the tests compare both with one model. The wheel is generic over the
/// protocol and used with concrete types inside this module only, so that the optimizer specializes
/// every call.
@usableFromInline protocol Words: ~Copyable {
    /// Creates an array of `count` words with unspecified values.
    init(count: Int)

    /// The number of words.
    var count: Int { get }

    /// The word at `index`, which must be in `0..<count`.
    subscript(index: Int) -> UInt64 { get set }

    /// A half word, at an `index` in `0..<2 * count`. An array is used either by words or by half
    /// words.
    subscript(half index: Int) -> UInt32 { get set }

    /// Grows the array to `count` words, which must be more than before. The first `kept` words
    /// keep their values; the values of the others are unspecified.
    mutating func grow(toCount count: Int, keeping kept: Int)
}

extension Words where Self: ~Copyable {
    /// Creates an array of `count` words that all have the value `value`.
    init(repeating value: UInt64, count: Int) {
        self.init(count: count)
        for index in 0..<count {
            self[index] = value
        }
    }
}

/// The checked implementation: an array with bounds checks.
struct ArrayWords: Words, ~Copyable {
    private var words: ContiguousArray<UInt64>

    init(count: Int) {
        words = ContiguousArray(repeating: 0, count: count)
    }

    var count: Int { words.count }

    subscript(index: Int) -> UInt64 {
        get { words[index] }
        set { words[index] = newValue }
    }

    subscript(half index: Int) -> UInt32 {
        get { UInt32(truncatingIfNeeded: words[index >> 1] >> shift(half: index)) }
        set {
            let others = words[index >> 1] & ~(0xFFFF_FFFF << shift(half: index))
            words[index >> 1] = others | UInt64(newValue) << shift(half: index)
        }
    }

    mutating func grow(toCount count: Int, keeping kept: Int) {
        var larger = ContiguousArray<UInt64>(repeating: 0, count: count)
        larger.replaceSubrange(..<kept, with: words[..<kept])
        words = larger
    }

    private func shift(half index: Int) -> UInt64 {
        UInt64(index & 1) * 32
    }
}
