/// The chains of entries that the slots hold.
///
/// An entry is half a word, the index of a record; all else the record tells. A chain is one word,
/// and lives in its slot:
/// ```
/// 0                            no entry
/// top bit set                  one entry, and this is it
/// chunk * halves + 0...126     several; this is the position of the last one
/// ```
/// A chunk is filled from its end: a link to the full chunk below it, then entries. So filing an
/// entry writes half a word and reads no header, and the many slots with a single timer need no
/// chunk. A chain whose low bits are 0 has no room: it is empty, a single entry, or its chunk is
/// full.
@usableFromInline struct Chunks<Memory: Words & ~Copyable>: ~Copyable {
    /// The low bits of a position: its place in the chunk.
    @inlinable static var placeMask: UInt64 { 127 }
    static var placeBits: UInt64 { 7 }
    static var wordCount: Int { 64 }
    static var entriesMax: Int { 127 }
    /// A position in chunk 0, which is never used.
    static var empty: UInt64 { 0 }
    /// The mark of a single entry; a position never has it.
    private static var mark: UInt64 { 1 << 63 }

    @usableFromInline var words = Memory(repeating: 0, count: wordCount)
    /// How many chunks were ever made, with chunk 0.
    private(set) var used: UInt32 = 1
    private var freeHead: UInt32 = 0
    /// How many chunks may be full before memory must be made sure of again.
    private var fullMax = 0

    /// Written and never read, so that the loads which fetch a chunk ahead are not left out.
    private var fetched: UInt32 = 0

    /// How many chunks lie below others. Not so each chain's last one, which may be full or not.
    private(set) var fullCount = 0

    static func isSingle(_ chain: UInt64) -> Bool { chain >= mark }

    /// The entry of a chain that has a single one.
    static func single(_ chain: UInt64) -> UInt32 {
        UInt32(truncatingIfNeeded: chain &>> placeBits)
    }

    /// Whether the chain's last chunk has room for one more.
    @inlinable static func hasRoom(_ chain: UInt64) -> Bool {
        chain & placeMask != 0
    }

    /// How many entries a chain's last chunk holds; the chain holds a chunk.
    static func countInLast(_ chain: UInt64) -> Int {
        Int(truncatingIfNeeded: placeMask &- chain & placeMask)
    }

    /// One of the entries of a chain's last chunk, counted from its last.
    func entry(_ index: Int, inLast chain: UInt64) -> UInt32 {
        self[chain &+ UInt64(truncatingIfNeeded: index)]
    }

    /// The last entry of a chain that is not empty.
    func last(_ chain: UInt64) -> UInt32 {
        Chunks.isSingle(chain) ? Chunks.single(chain) : self[chain]
    }

    /// Makes sure that there is memory for the chunks that may come until this is called again,
    /// which must be before each new one but those that an advance makes. It moves entries between
    /// the slots, and at the most then leaves a chunk that is not full in each, where there was a
    /// full one before. Memory that is never written costs nothing but addresses.
    mutating func reserve(slotCount: Int) {
        guard fullCount >= fullMax else { return }
        fullMax = max(fullMax * 16, 1 << 14)
        let chunksMax = fullMax + 2 * slotCount + 3
        words.grow(
            toCount: chunksMax * Chunks.wordCount, keeping: Int(used) * Chunks.wordCount)
    }

    /// Adds an entry to a chain that has room, and returns what the chain is then.
    @inlinable mutating func append(_ entry: UInt32, to chain: UInt64) -> UInt64 {
        self[chain &- 1] = entry
        return chain &- 1
    }

    /// Adds an entry to any chain, and returns what the chain is then.
    @inline(__always)
    mutating func insert(_ entry: UInt32, into chain: UInt64) -> UInt64 {
        if chain == Chunks.empty {
            return Chunks.mark | UInt64(entry) &<< Chunks.placeBits
        }
        return Chunks.hasRoom(chain) ? append(entry, to: chain) : extend(chain, by: entry)
    }

    /// Adds an entry to a chain that holds some and has no room.
    @inline(never)
    private mutating func extend(_ chain: UInt64, by entry: UInt32) -> UInt64 {
        guard Chunks.isSingle(chain) else {
            fullCount &+= 1
            let below = UInt32(truncatingIfNeeded: chain &>> Chunks.placeBits)
            return append(entry, to: makeChunk(above: below))
        }
        return append(entry, to: append(Chunks.single(chain), to: makeChunk(above: 0)))
    }

    /// Drops the last entry of a chain that is not empty, and returns what is left.
    mutating func pop(_ chain: UInt64) -> UInt64 {
        guard !Chunks.isSingle(chain) else { return Chunks.empty }
        let position = chain &+ 1
        return position & Chunks.placeMask == Chunks.placeMask ? free(position) : position
    }

    /// Frees a chain's last chunk with all its entries, and returns the rest of the chain.
    mutating func dropLast(_ chain: UInt64) -> UInt64 {
        free(chain | Chunks.placeMask)
    }

    /// Asks for the cache lines of the chunk below a chain's last one, which will be needed next
    /// and lies anywhere in memory. Chunk 0 stands for none.
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

    /// Returns the position of a new chunk's link.
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
