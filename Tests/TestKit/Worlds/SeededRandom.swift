/// A reproducible random number generator: SplitMix64, the same on every machine, so that a printed
/// seed reproduces a failure.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    /// The seed.
    public let seed: UInt64
    private var state: UInt64

    /// Creates a generator from a seed.
    public init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// True with a probability of `percent` percent.
    public mutating func chance(percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &self) < percent
    }
}
