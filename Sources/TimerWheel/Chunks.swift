/// The chains of entries that the slots hold.
///
/// An entry is one word: a mark, the record's index, the low bits of the deadline it was filed
/// under, and ones. A chain is one word too, and lives in its slot:
/// ```
/// empty                        no entry
/// top bit set                  one entry, and this is it
/// chunk * words + 1...words-1  several; this is the position of the last one
/// ```
/// A chunk is a link to the full chunk below it, then entries. So filing an entry writes one word
/// and reads no header, and the many slots with a single timer need no chunk. A chain whose low
/// bits are ones has no room: it is empty, a single entry, or at the end of its chunk.
@usableFromInline struct Chunks<Memory: Words & ~Copyable>: ~Copyable {
    /// The low bits of a position: its place in the chunk.
    @inlinable static var placeMask: UInt64 { 63 }
    static var placeBits: UInt64 { 6 }
    static var wordCount: Int { 64 }
    static var entriesMax: Int { 63 }
    /// The last position of chunk 0, which is never used.
    static var empty: UInt64 { placeMask }
    /// The mark of an entry; a position never has it.
    @inlinable static var mark: UInt64 { 1 << 63 }

    @usableFromInline var words = Memory(repeating: 0, count: wordCount)
    /// How many chunks were ever made, with chunk 0.
    private(set) var used: UInt64 = 1
    private var freeHead: UInt64 = 0
    /// How many entries there may be before memory must be made sure of again.
    private var entryCapacity = 0

    /// Written and never read, so that the loads which fetch a chunk ahead are not left out.
    private var fetched: UInt64 = 0

    /// How many entries all chains hold, live or stale.
    @usableFromInline var entryCount = 0

    @inlinable static func entry(index: UInt32, due: UInt64) -> UInt64 {
        mark | UInt64(index) &<< 32 | (due &* (placeMask &+ 1)) & 0xFFFF_FFFF | placeMask
    }

    static func index(of entry: UInt64) -> UInt32 {
        UInt32(truncatingIfNeeded: entry &>> 32) & 0x7FFF_FFFF
    }

    /// Zero if the entry may have been filed under this deadline.
    @inline(__always)
    static func difference(of entry: UInt64, from due: UInt64) -> UInt64 {
        (entry ^ due &<< placeBits) & 0xFFFF_FFFF & ~placeMask
    }

    static func isSingle(_ chain: UInt64) -> Bool { chain >= mark }

    /// Whether the chain's last chunk has room for one more.
    @inlinable static func hasRoom(_ chain: UInt64) -> Bool {
        chain & placeMask != placeMask
    }

    /// Makes sure that there is memory for the entries that may come before the next chunk is made,
    /// however they move between the slots. Nothing else takes memory, so an advance never does.
    ///
    /// Each slot may have one chunk that is not full, and another that gets full meanwhile. Memory
    /// that is never written costs nothing but addresses.
    mutating func reserve(slotCount: Int) {
        guard entryCount >= entryCapacity else { return }
        entryCapacity = max(entryCapacity * 16, 1 << 17)
        let chunksMax = entryCapacity / Chunks.entriesMax + 2 * slotCount + 3
        words.grow(
            toCount: chunksMax * Chunks.wordCount, keeping: Int(used) * Chunks.wordCount)
    }

    /// The last entry of a chain that is not empty.
    func last(_ chain: UInt64) -> UInt64 {
        Chunks.isSingle(chain) ? chain : self[chain]
    }

    /// Adds an entry to a chain that has room, and returns what the chain is then.
    @inlinable mutating func append(_ entry: UInt64, to chain: UInt64) -> UInt64 {
        entryCount &+= 1
        self[chain &+ 1] = entry
        return chain &+ 1
    }

    /// Adds an entry to any chain, and returns what the chain is then.
    @inline(__always)
    mutating func insert(_ entry: UInt64, into chain: UInt64) -> UInt64 {
        if chain == Chunks.empty {
            entryCount &+= 1
            return entry
        }
        return Chunks.hasRoom(chain) ? append(entry, to: chain) : extend(chain, by: entry)
    }

    /// Adds an entry to a chain that holds some and has no room.
    private mutating func extend(_ chain: UInt64, by entry: UInt64) -> UInt64 {
        guard Chunks.isSingle(chain) else {
            return append(entry, to: makeChunk(above: chain &>> Chunks.placeBits))
        }
        let start = makeChunk(above: 0)
        self[start &+ 1] = chain
        return append(entry, to: start &+ 1)
    }

    /// Drops the last entry of a chain that is not empty, and returns what is left.
    mutating func pop(_ chain: UInt64) -> UInt64 {
        entryCount &-= 1
        guard !Chunks.isSingle(chain) else { return Chunks.empty }
        let position = chain &- 1
        return position & Chunks.placeMask == 0 ? free(position) : position
    }

    /// Where an entry of a chain's last chunk is, counted from its first; the chain holds a chunk.
    static func position(_ index: Int, inLast chain: UInt64) -> UInt64 {
        chain & ~placeMask &+ 1 &+ UInt64(truncatingIfNeeded: index)
    }

    /// Frees a chain's last chunk with all its entries, and returns the rest of the chain.
    mutating func dropLast(_ chain: UInt64) -> UInt64 {
        entryCount &-= Int(truncatingIfNeeded: chain & Chunks.placeMask)
        return free(chain & ~Chunks.placeMask)
    }

    /// Asks for the cache lines of the chunk below a chain's last one, which will be needed next
    /// and lies anywhere in memory. Chunk 0 stands for none.
    mutating func fetchBelow(_ chain: UInt64) {
        let start = self[chain & ~Chunks.placeMask] &<< Chunks.placeBits
        fetched =
            self[start] ^ self[start &+ 8] ^ self[start &+ 16] ^ self[start &+ 24]
            ^ self[start &+ 32] ^ self[start &+ 40] ^ self[start &+ 48] ^ self[start &+ 56]
    }

    @inlinable subscript(position: UInt64) -> UInt64 {
        get { words[Int(truncatingIfNeeded: position)] }
        set { words[Int(truncatingIfNeeded: position)] = newValue }
    }

    /// Frees the chunk that starts at `start`, and returns the chain below it.
    private mutating func free(_ start: UInt64) -> UInt64 {
        let below = self[start]
        self[start] = freeHead
        freeHead = start &>> Chunks.placeBits
        return below &<< Chunks.placeBits | Chunks.placeMask
    }

    /// Returns the position of a new chunk's link.
    private mutating func makeChunk(above below: UInt64) -> UInt64 {
        var chunk = freeHead
        if chunk == 0 {
            chunk = used
            used &+= 1
        } else {
            freeHead = self[chunk &<< Chunks.placeBits]
        }
        self[chunk &<< Chunks.placeBits] = below
        return chunk &<< Chunks.placeBits
    }
}
