import Ledger
import Notifications
import Sinks
import Synchronization
import TestKit
import Timekeeping

/// One message given to a sink, and the result.
struct Send: Sendable {
    let outgoing: OutgoingMessage
    /// The step in which it was given, and the wall clock at that time.
    let step: Int
    let wall: Moment
    /// The number of earlier sends of the same delivery.
    let earlier: Int
    /// True if another message to this person about this meeting was under way.
    let isCrowded: Bool
    let isArrived: Bool
    /// The report that the engine got; `nil` until it gets one.
    var report: AttemptReport?
    /// The wall clock when the engine got the report.
    var endedAt: Moment?

    /// True if the engine has to assume that it arrived.
    var mayHaveArrived: Bool { report?.outcome.mayHaveArrived ?? true }
}

/// The sink of a simulation: it behaves like the current weather, and remembers every send.
final class Receiver: Sendable {
    private struct Thread: Hashable {
        let meeting: String
        let name: String
    }

    private struct State {
        var step = 0
        var weather = Weather.fair
        var sends: [Send] = []
        /// The number of engines that have crashed.
        var deaths = 0
        var underWay: [Thread: Int] = [:]
        var counts: [String: Int] = [:]
    }

    let seed: UInt64
    /// The wall clock, which may be set.
    private let clock: ManualClock
    /// The machine's clock, which is never set.
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

    /// All sends so far.
    var sends: [Send] { state.withLock(\.sends) }
    /// The meetings with a send under way.
    var busy: Set<String> {
        state.withLock { state in
            Set(state.underWay.filter { $0.value > 0 }.keys.map(\.meeting))
        }
    }

    /// Simulates a crash: no engine learns the results of sends under way.
    func die() {
        state.withLock { state in
            state.deaths += 1
            state.underWay = [:]
        }
    }

    /// The sink for the current engine; sends of a crashed engine are ignored.
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

/// The receiver, for one engine.
private struct Door: Sink {
    let receiver: Receiver
    let number: Int

    var name: String { "stdout" }
    var schedule: RetrySchedule { .stdout }
    var policy: AmbiguityPolicy { .resend }
    /// Three concurrent sends for even seeds, one for odd ones.
    var limits: DestinationLimits {
        DestinationLimits(concurrency: receiver.seed.isMultiple(of: 2) ? 3 : 1)
    }

    func deliver(_ outgoing: OutgoingMessage) async -> AttemptReport {
        await receiver.deliver(outgoing, by: number)
    }
}
