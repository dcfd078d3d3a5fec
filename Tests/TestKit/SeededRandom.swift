/// Chance that repeats itself: SplitMix64, the same on every machine, so that a printed seed
/// repeats a failure.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    /// What it was started with.
    public let seed: UInt64
    private var state: UInt64

    /// Starts with a seed.
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

    /// True in so many of a hundred cases.
    public mutating func chance(percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &self) < percent
    }
}
