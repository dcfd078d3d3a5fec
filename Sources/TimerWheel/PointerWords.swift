/// The fast implementation of ``Words``: a block of memory without bounds checks.
///
/// This file contains the only unsafe pointer of the module. It is safe under two conditions: the
/// type cannot be copied, so each block has one owner and is freed once; and the wheel uses only
/// indexes below ``count``, which ``ArrayWords`` verifies in the tests.
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

    /// Allocates memory that begins at a cache line, as chunks require.
    private static func allocate(_ count: Int) -> UnsafeMutableRawPointer {
        .allocate(byteCount: count * 8, alignment: 64)
    }
}
