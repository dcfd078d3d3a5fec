/// Memory of the wheel: a row of 64-bit words that grows at its end.
///
/// Everything the wheel keeps (records, chunks, slots, bitmaps) is made of words or of their
/// halves, so that one protocol with two conforming types is all that separates the fast flavour
/// from the checked one: ``PointerWords`` is what ships, ``ArrayWords`` runs the very same wheel
/// code over a checked array, and the tests hold both against one model. The wheel is generic over
/// the protocol and used with concrete types inside this module only, so the optimiser specialises
/// every call.
@usableFromInline protocol Words: ~Copyable {
    /// Makes a row of `count` words. What they hold is not specified.
    init(count: Int)

    /// How many words there are.
    var count: Int { get }

    /// The word at `index`, which must be in `0..<count`.
    subscript(index: Int) -> UInt64 { get set }

    /// Half a word, at an `index` in `0..<2 * count`. No row is used by words and by halves.
    subscript(half index: Int) -> UInt32 { get set }

    /// Makes room for `count` words, which must be more than there are. The first `kept` words keep
    /// their values; what the others hold is not specified.
    mutating func grow(toCount count: Int, keeping kept: Int)
}

extension Words where Self: ~Copyable {
    /// Makes a row of `count` words that all hold `value`.
    init(repeating value: UInt64, count: Int) {
        self.init(count: count)
        for index in 0..<count {
            self[index] = value
        }
    }
}

/// The checked flavour: an array, whose every access is tested by the language.
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
