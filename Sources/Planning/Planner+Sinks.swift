import Agenda
import Settings
public import Sinks

extension PlannerSurroundings {
    /// The sinks that are on, each held to what it needs.
    ///
    /// - Throws: ``Refusal`` with `unknown_sink`, or with `sink_not_set_up`, which names what is
    ///   missing or wrong.
    public func sinks() throws(Refusal) -> [any Sink] {
        let world = SinkWorld(
            configuration: configuration, clock: waitClock, uptime: uptime, hostName: hostName)
        var sinks: [any Sink] = []
        for channel in try Planner.channels(configuration) {
            guard let kind = SinkTable.kinds.first(where: { $0.channel == channel }) else {
                continue
            }
            do throws(SinkFault) {
                sinks.append(try kind.make(in: world))
            } catch {
                throw Refusal(
                    .invalid, code: "sink_not_set_up",
                    "The sink \(error.sink) is on, and not set up: \(error.reason)")
            }
        }
        return sinks
    }
}
