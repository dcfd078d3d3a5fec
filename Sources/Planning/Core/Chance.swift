public import Ledger
import Synchronization

/// Chance, passed in: the system's own, or a seeded one in tests. It may be shared.
public final class Chance: Sendable {
    private let generator: Mutex<any RandomNumberGenerator & Sendable>

    /// Draws from this generator.
    public init(_ generator: any RandomNumberGenerator & Sendable) {
        self.generator = Mutex(generator)
    }

    /// A new id.
    public func id<Subject>() -> Identifier<Subject> {
        var source = self.source
        return Identifier.random(using: &source)
    }

    /// A generator that draws from here.
    public var source: Source { Source(chance: self) }

    /// Draws from a shared source of chance.
    public struct Source: RandomNumberGenerator, Sendable {
        fileprivate let chance: Chance

        /// The next 64 random bits.
        public mutating func next() -> UInt64 {
            chance.generator.withLock { $0.next() }
        }
    }
}
