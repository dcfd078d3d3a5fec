/// The chains of entries that the slots hold.
///
/// An entry is one word: the record's index, and the low 32 bits of the deadline it was filed
/// under. A chain is one word too, and lives in its slot:
/// ```
/// empty                       no entry
/// top bit set                 one entry, and this is it
/// chunk * 32 + 1...31         several; this is the position of the last one
/// ```
/// A chunk is 32 words: a link to the full chunk below it, then 31 entries. So filing an entry
/// writes one word and reads no header, and the many slots with a single timer need no chunk.
struct Chunks<Memory: Words & ~Copyable>: ~Copyable {
    static var entriesMax: Int { 31 }
    /// The last position of chunk 0, which is never used.
    static var empty: UInt64 { 31 }
    /// The mark of an entry; a position never has it.
    static var mark: UInt64 { 1 << 63 }

    private var words = Memory(repeating: 0, count: 32)
    /// How many chunks were ever made, with chunk 0.
    private(set) var used: UInt64 = 1
    private var freeHead: UInt64 = 0
    /// How many entries there may be before memory must be made sure of again.
    private var entryCapacity = 0

    /// Written and never read, so that the loads which fetch a chunk ahead are not left out.
    private var fetched: UInt64 = 0

    /// How many entries all chains hold, live or stale.
    private(set) var entryCount = 0

    static func entry(index: UInt32, due: UInt64) -> UInt64 {
        mark | UInt64(index) &<< 32 | due & 0xFFFF_FFFF
    }

    static func index(of entry: UInt64) -> UInt32 {
        UInt32(truncatingIfNeeded: entry &>> 32) & 0x7FFF_FFFF
    }

    static func isSingle(_ chain: UInt64) -> Bool { chain >= mark }

    /// Whether the chain's last chunk has room for one more.
    static func hasRoom(_ chain: UInt64) -> Bool {
        chain & 31 != 31 && !isSingle(chain)
    }

    /// Makes sure that there is memory for the entries that may come before the next chunk is made,
    /// however they move between the slots. Nothing else takes memory, so an advance never does.
    ///
    /// Each slot may have one chunk that is not full, and another that gets full meanwhile. Memory
    /// that is never written costs nothing but addresses.
    mutating func reserve(slotCount: Int) {
        guard entryCount >= entryCapacity else { return }
        entryCapacity = max(entryCapacity * 16, 1 << 17)
        let chunksMax = entryCapacity / Chunks.entriesMax + 2 * slotCount + 2
        words.grow(toCount: chunksMax * 32, keeping: Int(used) * 32)
    }

    /// The last entry of a chain that is not empty.
    func last(_ chain: UInt64) -> UInt64 {
        Chunks.isSingle(chain) ? chain : self[chain]
    }

    /// Adds an entry to a chain that has room, and returns what the chain is then.
    mutating func append(_ entry: UInt64, to chain: UInt64) -> UInt64 {
        entryCount &+= 1
        self[chain &+ 1] = entry
        return chain &+ 1
    }

    /// Adds an entry to a chain that has no room, and returns what the chain is then.
    mutating func extend(_ chain: UInt64, by entry: UInt64) -> UInt64 {
        guard chain != Chunks.empty else {
            entryCount &+= 1
            return entry
        }
        guard Chunks.isSingle(chain) else {
            return append(entry, to: makeChunk(above: chain &>> 5))
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
        return position & 31 == 0 ? free(position) : position
    }

    /// Moves the entries of the last chunk to `scratch`, and counts them; the chain is not empty.
    mutating func popChunk(_ chain: inout UInt64, to scratch: inout Memory) -> Int {
        guard !Chunks.isSingle(chain) else {
            scratch[0] = chain
            chain = Chunks.empty
            entryCount &-= 1
            return 1
        }
        let count = Int(truncatingIfNeeded: chain & 31)
        let start = chain & ~31
        for index in 0..<count {
            scratch[index] = self[start &+ UInt64(truncatingIfNeeded: index) &+ 1]
        }
        chain = free(start)
        entryCount &-= count
        fetch(chain & ~31)
        return count
    }

    /// Asks for the four cache lines of a chunk that will be needed next, which lies anywhere in
    /// memory. Chunk 0 stands for none.
    private mutating func fetch(_ start: UInt64) {
        fetched = self[start] ^ self[start &+ 8] ^ self[start &+ 16] ^ self[start &+ 24]
    }

    private subscript(position: UInt64) -> UInt64 {
        get { words[Int(truncatingIfNeeded: position)] }
        set { words[Int(truncatingIfNeeded: position)] = newValue }
    }

    /// Frees the chunk that starts at `start`, and returns the chain below it.
    private mutating func free(_ start: UInt64) -> UInt64 {
        let below = self[start]
        self[start] = freeHead
        freeHead = start &>> 5
        return below &<< 5 | 31
    }

    /// Returns the position of a new chunk's link.
    private mutating func makeChunk(above below: UInt64) -> UInt64 {
        var chunk = freeHead
        if chunk == 0 {
            chunk = used
            used &+= 1
        } else {
            freeHead = self[chunk &<< 5]
        }
        self[chunk &<< 5] = below
        return chunk &<< 5
    }
}
