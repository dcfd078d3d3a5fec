/// The fast flavour: a block of memory, reached without a check.
///
/// This file holds the only unsafe pointer of the module. It is safe under two conditions: the type
/// cannot be copied, so each block has one owner and is freed once; and the wheel asks only for
/// indexes below ``count``, which ``ArrayWords`` proves in the tests.
@usableFromInline struct PointerWords: Words, ~Copyable {
    @usableFromInline var start: UnsafeMutableRawPointer
    @usableFromInline var count: Int

    @usableFromInline init(count: Int) {
        start = PointerWords.allocate(count)
        self.count = count
    }

    @inlinable deinit {
        start.deallocate()
    }

    @inlinable subscript(index: Int) -> UInt64 {
        get { start.load(fromByteOffset: index &* 8, as: UInt64.self) }
        set { start.storeBytes(of: newValue, toByteOffset: index &* 8, as: UInt64.self) }
    }

    @inlinable subscript(half index: Int) -> UInt32 {
        get { start.load(fromByteOffset: index &* 4, as: UInt32.self) }
        set { start.storeBytes(of: newValue, toByteOffset: index &* 4, as: UInt32.self) }
    }

    @usableFromInline mutating func grow(toCount count: Int, keeping kept: Int) {
        let larger = PointerWords.allocate(count)
        larger.copyMemory(from: start, byteCount: kept * 8)
        start.deallocate()
        start = larger
        self.count = count
    }

    /// Memory that begins where a cache line does, as chunks want it.
    private static func allocate(_ count: Int) -> UnsafeMutableRawPointer {
        .allocate(byteCount: count * 8, alignment: 64)
    }
}
