public import Storage
import Synchronization

/// The nth access of a store fails, and no other.
public final class NthAccessHook: StoreAccessHook {
    private let nth: Int
    /// Whether the work is done and only its answer lost.
    private let losesAnswer: Bool
    private let count = Mutex(0)

    /// Refuses one access, counted from 1.
    ///
    /// - Parameters:
    ///   - nth: which.
    ///   - losesAnswer: whether the work is done and only its answer lost.
    public init(nth: Int, losesAnswer: Bool) {
        self.nth = nth
        self.losesAnswer = losesAnswer
    }

    /// Whether there were so many accesses at all.
    public var isReached: Bool { count.withLock { $0 >= nth } }

    /// An access begins.
    public func enter() throws {
        let number = count.withLock { count in
            count += 1
            return count
        }
        if number == nth, !losesAnswer { throw fault }
    }

    /// It has ended.
    public func leave() throws {
        if losesAnswer, count.withLock({ $0 == nth }) { throw fault }
    }

    private var fault: StoreError { .disk(path: "the home", detail: "call \(nth)") }
}
