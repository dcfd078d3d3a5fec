/// The storage of the chains of entries that belong to the slots.
///
/// An entry is half a word: the index of a record, which contains everything else. A chain is one
/// word, stored in its slot:
/// ```
/// 0                            no entry
/// top bit set                  one entry, and this is it
/// chunk * halves + 0...126     several; this is the position of the last one
/// ```
/// A chunk is filled from its end: first a link to the full chunk below it, then entries. So filing
/// an entry writes half a word without reading a header, and the many slots with a single timer
/// need no chunk. A chain whose low bits are 0 has no room: it is empty, it is a single entry, or
/// its chunk is full.
@usableFromInline struct Chunks<Memory: Words & ~Copyable>: ~Copyable {
    /// The low bits of a position: the place within the chunk.
    @inlinable static var placeMask: UInt64 { 127 }
    static var placeBits: UInt64 { 7 }
    static var wordCount: Int { 64 }
    static var entriesMax: Int { 127 }
    /// The empty chain: a position in chunk 0, which is never used.
    static var empty: UInt64 { 0 }
    /// The bit that marks a single entry; a position never has it.
    private static var mark: UInt64 { 1 << 63 }

    @usableFromInline var words = Memory(repeating: 0, count: wordCount)
    /// The number of chunks that were ever created, including chunk 0.
    private(set) var used: UInt32 = 1
    private var freeHead: UInt32 = 0
    /// The number of full chunks at which more memory must be reserved.
    private var fullMax = 0

    /// Written and never read, so that the compiler keeps the loads that prefetch a chunk.
    private var fetched: UInt32 = 0

    /// The number of full chunks below other chunks. The last chunk of each chain is not counted,
    /// whether it is full or not.
    private(set) var fullCount = 0

    static func isSingle(_ chain: UInt64) -> Bool { chain >= mark }

    /// The entry of a chain with a single entry.
    static func single(_ chain: UInt64) -> UInt32 {
        UInt32(truncatingIfNeeded: chain &>> placeBits)
    }

    /// True if the last chunk of the chain has room for one more entry.
    @inlinable static func hasRoom(_ chain: UInt64) -> Bool {
        chain & placeMask != 0
    }

    /// The number of entries in the last chunk of a chain that has chunks.
    static func countInLast(_ chain: UInt64) -> Int {
        Int(truncatingIfNeeded: placeMask &- chain & placeMask)
    }

    /// An entry in the last chunk of a chain, counted from its last entry.
    func entry(_ index: Int, inLast chain: UInt64) -> UInt32 {
        self[chain &+ UInt64(truncatingIfNeeded: index)]
    }

    /// The last entry of a chain that is not empty.
    func last(_ chain: UInt64) -> UInt32 {
        Chunks.isSingle(chain) ? Chunks.single(chain) : self[chain]
    }

    /// Reserves memory for the chunks that can be created until the next call. It must be called
    /// before each new chunk, except for chunks that an advance creates: an advance only moves
    /// entries between slots, and at most it leaves one partly filled chunk in each slot where a
    /// full one was before. Memory that is never written costs only address space.
    mutating func reserve(slotCount: Int) {
        guard fullCount >= fullMax else { return }
        fullMax = max(fullMax * 16, 1 << 14)
        let chunksMax = fullMax + 2 * slotCount + 3
        words.grow(
            toCount: chunksMax * Chunks.wordCount, keeping: Int(used) * Chunks.wordCount)
    }

    /// Adds an entry to a chain that has room, and returns the new chain.
    @inlinable mutating func append(_ entry: UInt32, to chain: UInt64) -> UInt64 {
        self[chain &- 1] = entry
        return chain &- 1
    }

    /// Adds an entry to any chain, and returns the new chain.
    @inline(__always)
    mutating func insert(_ entry: UInt32, into chain: UInt64) -> UInt64 {
        if chain == Chunks.empty {
            return Chunks.mark | UInt64(entry) &<< Chunks.placeBits
        }
        return Chunks.hasRoom(chain) ? append(entry, to: chain) : extend(chain, by: entry)
    }

    /// Adds an entry to a chain that is not empty and has no room.
    @inline(never)
    private mutating func extend(_ chain: UInt64, by entry: UInt32) -> UInt64 {
        guard Chunks.isSingle(chain) else {
            fullCount &+= 1
            let below = UInt32(truncatingIfNeeded: chain &>> Chunks.placeBits)
            return append(entry, to: makeChunk(above: below))
        }
        return append(entry, to: append(Chunks.single(chain), to: makeChunk(above: 0)))
    }

    /// Removes the last entry of a chain that is not empty, and returns the rest.
    mutating func pop(_ chain: UInt64) -> UInt64 {
        guard !Chunks.isSingle(chain) else { return Chunks.empty }
        let position = chain &+ 1
        return position & Chunks.placeMask == Chunks.placeMask ? free(position) : position
    }

    /// Frees the last chunk of a chain with all its entries, and returns the rest of the chain.
    mutating func dropLast(_ chain: UInt64) -> UInt64 {
        free(chain | Chunks.placeMask)
    }

    /// Prefetches the cache lines of the chunk below the last chunk of a chain. It is needed next
    /// and can be anywhere in memory. Chunk 0 stands for none.
    mutating func fetchBelow(_ chain: UInt64) {
        let start = UInt64(self[chain | Chunks.placeMask]) &<< Chunks.placeBits
        fetched =
            self[start] ^ self[start &+ 16] ^ self[start &+ 32] ^ self[start &+ 48]
            ^ self[start &+ 64] ^ self[start &+ 80] ^ self[start &+ 96] ^ self[start &+ 112]
    }

    @inlinable subscript(position: UInt64) -> UInt32 {
        get { words[half: Int(truncatingIfNeeded: position)] }
        set { words[half: Int(truncatingIfNeeded: position)] = newValue }
    }

    /// Frees the chunk whose link is at `link`, and returns the chain below it.
    private mutating func free(_ link: UInt64) -> UInt64 {
        let below = self[link]
        fullCount &-= below == 0 ? 0 : 1
        self[link] = freeHead
        freeHead = UInt32(truncatingIfNeeded: link &>> Chunks.placeBits)
        return UInt64(below) &<< Chunks.placeBits
    }

    /// The position of the link of a new chunk.
    private mutating func makeChunk(above below: UInt32) -> UInt64 {
        var chunk = freeHead
        let link: UInt64
        if chunk == 0 {
            chunk = used
            used &+= 1
            link = UInt64(chunk) &<< Chunks.placeBits | Chunks.placeMask
        } else {
            link = UInt64(chunk) &<< Chunks.placeBits | Chunks.placeMask
            freeHead = self[link]
        }
        self[link] = below
        return link
    }
}
