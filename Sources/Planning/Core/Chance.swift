public import Ledger
import Synchronization

/// A source of randomness that is passed in: the system's own, or a seeded one in tests. It can be
/// shared between tasks.
public final class Chance: Sendable {
    private let generator: Mutex<any RandomNumberGenerator & Sendable>

    /// Creates a source that draws from this generator.
    public init(_ generator: any RandomNumberGenerator & Sendable) {
        self.generator = Mutex(generator)
    }

    /// A new random id.
    public func id<Subject>() -> Identifier<Subject> {
        var source = self.source
        return Identifier.random(using: &source)
    }

    /// A random number generator that draws from this source.
    public var source: Source { Source(chance: self) }

    /// A random number generator that draws from a shared source.
    public struct Source: RandomNumberGenerator, Sendable {
        fileprivate let chance: Chance

        /// The next 64 random bits.
        public mutating func next() -> UInt64 {
            chance.generator.withLock { $0.next() }
        }
    }
}
