/// The fast flavour: a block of memory, reached without a check.
///
/// This file holds the only unsafe pointer of the module. It is safe under two conditions: the type
/// cannot be copied, so each block has one owner and is freed once; and the wheel asks only for
/// indexes below ``count``, which ``ArrayWords`` proves in the tests.
@usableFromInline struct PointerWords: Words, ~Copyable {
    @usableFromInline var words: UnsafeMutablePointer<UInt64>
    @usableFromInline var count: Int

    @usableFromInline init(count: Int) {
        words = .allocate(capacity: count)
        self.count = count
    }

    @inlinable deinit {
        words.deallocate()
    }

    @inlinable subscript(index: Int) -> UInt64 {
        get { words[index] }
        set { words[index] = newValue }
    }

    @usableFromInline mutating func grow(toCount count: Int, keeping kept: Int) {
        let larger = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
        larger.update(from: words, count: kept)
        words.deallocate()
        words = larger
        self.count = count
    }
}
