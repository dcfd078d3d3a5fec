import Agenda
package import Settings
public import Sinks
import Transport

extension PlannerSurroundings {
    /// Makes the enabled sinks, and those that serve channels of people and audiences, and checks
    /// their settings.
    ///
    /// - Throws: ``Refusal`` with `unknown_sink`, or with `sink_not_set_up`, which names the
    ///   missing or wrong setting.
    public func sinks() throws(Refusal) -> [any Sink] {
        let on = try Planner.sinks(configuration)
        let world = sinkContext()
        var sinks: [any Sink] = []
        for definition in SinkTable.definitions {
            let isOn = on.contains(definition.kind)
            guard isOn || definition.isAlwaysThere else { continue }
            do throws(SinkFault) {
                sinks.append(try definition.make(in: world, isOn: isOn))
            } catch {
                let what =
                    isOn
                    ? "The sink \(error.sink) is enabled but not set up" : "A setting is not valid"
                throw Refusal(
                    .invalid, code: "sink_not_set_up", "\(what): \(error.reason)",
                    advice: error.advice)
            }
        }
        return sinks
    }

    /// The missing or wrong settings of enabled sinks.
    public var sinkProblems: [ConfigurationProblem] {
        do throws(Refusal) {
            _ = try sinks()
            return []
        } catch {
            return [
                ConfigurationProblem(
                    of: .sinks, in: configuration, home, message: error.message)
            ]
        }
    }

    /// The machine's services and settings for sinks.
    func sinkContext(transcript: Transcript? = nil) -> SinkContext {
        SinkContext(
            configuration: configuration, clock: waitClock, uptime: uptime, hostName: hostName,
            userAgent: Planner.userAgent, transcript: transcript)
    }
}

extension Planner {
    /// The name of letsmeet in requests to servers.
    package static let userAgent = "letsmeet/\(Version.current) (self-hosted meeting planner)"
}

/// A problem in the configuration.
public struct ConfigurationProblem: Encodable, Sendable {
    /// The file, or the environment variable.
    public let file: String
    /// The line of the file; `null` if the problem does not concern a single line.
    @Null public var line: Int?
    /// The setting; `null` if the problem concerns the whole file.
    @Null public var setting: String?
    /// The problem and its remedy.
    public let message: String

    package init(file: String, line: Int? = nil, setting: String? = nil, message: String) {
        self.file = file
        self.line = line
        self.setting = setting
        self.message = message
    }

    /// A problem of the value of a setting, with the place of the value.
    package init(
        of name: SettingName, in configuration: Configuration, _ home: Home, message: String
    ) {
        let entry = configuration.entry(name)
        let isOutside = ["environment", "a credential file"].contains(entry?.origin)
        self.init(
            file: isOutside ? name.variable ?? home.configuration : home.configuration,
            line: entry?.line, setting: name.rawValue, message: message)
    }

    /// The problem in one line, as in `letsmeet.yaml:3: owner.tz: …`.
    public var text: String {
        let place = file + (line.map { ":\($0)" } ?? "")
        return ([place] + [setting].compactMap(\.self) + [message]).joined(separator: ": ")
    }
}
