public import Storage
import Synchronization

/// Makes the nth access to a store fail, and no other.
public final class NthAccessHook: StoreAccessHook {
    private let nth: Int
    /// True if the access takes effect and only its answer is lost.
    private let losesAnswer: Bool
    private let count = Mutex(0)

    /// Creates a hook for one access.
    ///
    /// - Parameters:
    ///   - nth: the number of the access, counted from 1.
    ///   - losesAnswer: whether the access takes effect and only its answer is lost.
    public init(nth: Int, losesAnswer: Bool) {
        self.nth = nth
        self.losesAnswer = losesAnswer
    }

    /// True if the store was accessed at least `nth` times.
    public var isReached: Bool { count.withLock { $0 >= nth } }

    /// Called before an access.
    public func enter() throws {
        let number = count.withLock { count in
            count += 1
            return count
        }
        if number == nth, !losesAnswer { throw fault }
    }

    /// Called after an access.
    public func leave() throws {
        if losesAnswer, count.withLock({ $0 == nth }) { throw fault }
    }

    private var fault: StoreError { .disk(path: "the home", detail: "call \(nth)") }
}
