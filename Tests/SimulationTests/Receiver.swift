import Ledger
import Notifications
import Sinks
import Synchronization
import TestKit
import Timekeeping

/// One parcel as a sink was given it, and what the sink made of it.
struct Send: Sendable {
    let outgoing: OutgoingMessage
    /// The step in which it was given, and the clock then.
    let step: Int
    let wall: Moment
    /// How many of the same delivery were given before.
    let earlier: Int
    /// Whether another one to this person about this meeting was under way.
    let isCrowded: Bool
    let isArrived: Bool
    /// What the engine was told; `nil` as long as it was told nothing.
    var report: AttemptReport?
    /// The clock when it was told.
    var endedAt: Moment?

    /// Whether the engine has to take it for arrived.
    var mayHaveArrived: Bool { report?.outcome.mayHaveArrived ?? true }
}

/// The sink of a simulation: it behaves like the weather, and forgets nothing.
final class Receiver: Sendable {
    private struct Thread: Hashable {
        let meeting: String
        let name: String
    }

    private struct State {
        var step = 0
        var weather = Weather.fair
        var sends: [Send] = []
        /// How many engines have died.
        var deaths = 0
        var underWay: [Thread: Int] = [:]
        var counts: [String: Int] = [:]
    }

    let seed: UInt64
    /// What people read on their clocks.
    private let clock: ManualClock
    /// What nobody sets.
    private let machineClock: ManualClock
    private let state = Mutex(State())

    init(seed: UInt64, clock: ManualClock, machineClock: ManualClock) {
        self.seed = seed
        self.clock = clock
        self.machineClock = machineClock
    }

    func begin(step: Int) {
        state.withLock { $0.step = step }
    }

    var weather: Weather { state.withLock(\.weather) }

    func set(_ weather: Weather) {
        state.withLock { $0.weather = weather }
    }

    /// All that was ever given.
    var sends: [Send] { state.withLock(\.sends) }
    /// The meetings of which something is under way.
    var busy: Set<String> {
        state.withLock { state in
            Set(state.underWay.filter { $0.value > 0 }.keys.map(\.meeting))
        }
    }

    /// What is under way comes to nothing that anybody would hear of.
    func die() {
        state.withLock { state in
            state.deaths += 1
            state.underWay = [:]
        }
    }

    /// What a dead engine goes on with reaches nobody.
    func sink() -> some Sink {
        Door(receiver: self, number: state.withLock(\.deaths))
    }

    fileprivate func deliver(_ outgoing: OutgoingMessage, by number: Int) async -> AttemptReport {
        let thread = Thread(meeting: outgoing.meeting, name: outgoing.name)
        let wall = clock.now
        let begun = state.withLock { state -> (place: Int, deed: Weather.Deed)? in
            guard state.deaths == number else { return nil }
            let earlier = state.counts[outgoing.identity, default: 0]
            state.counts[outgoing.identity] = earlier + 1
            let deed = state.weather.deed(seed: seed, outgoing: outgoing.identity, attempt: earlier)
            state.sends.append(
                Send(
                    outgoing: outgoing, step: state.step, wall: wall, earlier: earlier,
                    isCrowded: state.underWay[thread, default: 0] > 0, isArrived: deed.isArrived))
            state.underWay[thread, default: 0] += 1
            return (state.sends.count - 1, deed)
        }
        guard let (place, deed) = begun else { return AttemptReport(.retry) }
        var report = deed.report
        if deed.seconds > 0 {
            do {
                try await machineClock.sleep(
                    until: machineClock.now.advanced(bySeconds: deed.seconds))
            } catch {
                report = AttemptReport(.ambiguous, code: "stuck", reply: "told to end")
            }
        }
        let (end, ended) = (clock.now, report)
        return state.withLock { state in
            guard state.deaths == number else { return ended }
            state.sends[place].report = ended
            state.sends[place].endedAt = end
            state.underWay[thread, default: 0] -= 1
            return ended
        }
    }
}

/// The receiver as one engine knows it.
private struct Door: Sink {
    let receiver: Receiver
    let number: Int

    var name: String { "stdout" }
    var schedule: RetrySchedule { .stdout }
    var policy: AmbiguityPolicy { .resend }
    /// Three at once by every other seed.
    var limits: DestinationLimits {
        DestinationLimits(concurrency: receiver.seed.isMultiple(of: 2) ? 3 : 1)
    }

    func deliver(_ outgoing: OutgoingMessage) async -> AttemptReport {
        await receiver.deliver(outgoing, by: number)
    }
}
