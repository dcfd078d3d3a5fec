import Agenda
import Settings
public import Sinks
import Transport

extension PlannerSurroundings {
    /// The sinks that are on, and those by which people may have channels of their own, each held
    /// to what it needs.
    ///
    /// - Throws: ``Refusal`` with `unknown_sink`, or with `sink_not_set_up`, which names what is
    ///   missing or wrong.
    public func sinks() throws(Refusal) -> [any Sink] {
        let on = try Planner.sinks(configuration)
        let world = sinkWorld()
        var sinks: [any Sink] = []
        for definition in SinkTable.definitions {
            let isOn = on.contains(definition.kind)
            guard isOn || definition.isAlwaysThere else { continue }
            do throws(SinkFault) {
                sinks.append(try definition.make(in: world, isOn: isOn))
            } catch {
                let what =
                    isOn ? "The sink \(error.sink) is on, and not set up" : "A setting is wrong"
                throw Refusal(
                    .invalid, code: "sink_not_set_up", "\(what): \(error.reason)")
            }
        }
        return sinks
    }

    /// What the sinks that are on lack.
    public var sinkProblems: [ConfigurationProblem] {
        do throws(Refusal) {
            _ = try sinks()
            return []
        } catch {
            return [
                ConfigurationProblem(
                    file: home.configuration, setting: SettingName.sinks.rawValue,
                    message: error.message)
            ]
        }
    }

    /// What sinks take from here.
    func sinkWorld(transcript: Transcript? = nil) -> SinkContext {
        SinkContext(
            configuration: configuration, clock: waitClock, uptime: uptime, hostName: hostName,
            userAgent: Planner.userAgent, transcript: transcript)
    }
}

extension Planner {
    /// How letsmeet names itself to servers.
    static let userAgent = "letsmeet/\(Version.current) (self-hosted meeting planner)"
}
