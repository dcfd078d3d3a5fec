public import Settings
import Timekeeping

/// Something that is wrong with a configuration.
public struct ConfigurationProblem: Encodable, Sendable {
    /// The file, or the variable's place.
    public let file: String
    /// The line of the file; `null` where none is meant.
    @Null public var line: Int?
    /// The setting; `null` where the whole file is meant.
    @Null public var setting: String?
    /// What is wrong, and what to do.
    public let message: String

    /// `letsmeet.yaml:3: owner.tz: …`.
    public var text: String {
        let place = file + (line.map { ":\($0)" } ?? "")
        return ([place] + [setting].compactMap(\.self) + [message]).joined(separator: ": ")
    }
}

/// One setting, as `config show` prints it.
public struct SettingView: Encodable, Sendable {
    /// The name.
    public let name: String
    /// The value, a password in it hidden; `(set)` for a secret, `null` when it is not set.
    @Null public var value: String?
    /// Where it comes from: `environment`, `letsmeet.yaml`, `a credential file`, `default`, or
    /// `not set`.
    public let origin: String
    /// The variable that sets it; `null` where there is none.
    @Null public var variable: String?
    /// Why what is set cannot be read; `null` when it can.
    @Null public var problem: String?
}

/// Holds a configuration to its rules.
public struct ConfigurationCheck: Sendable {
    private let home: Home
    private let environment: [String: String]

    /// Looks at the configuration of a home.
    public init(home: Home, environment: [String: String]) {
        self.home = home
        self.environment = environment
    }

    /// Every setting, whether it is set or not.
    ///
    /// - Throws: ``SettingsError`` when the configuration cannot be read.
    public func settings() throws(SettingsError) -> [SettingView] {
        let configuration = try Configuration(home: home, environment: environment)
        return SettingName.allCases.map { name in
            let entry = configuration.entry(name)
            return SettingView(
                name: name.rawValue,
                value: entry.map { name.shown($0.value) },
                origin: entry?.origin ?? "not set", variable: name.variable,
                problem: configuration.fault(of: name)?.description)
        }
    }

    /// What is wrong, with file and line.
    public var problems: [ConfigurationProblem] {
        let configuration: Configuration
        do throws(SettingsError) {
            configuration = try Configuration(home: home, environment: environment)
        } catch {
            return [problem(error)]
        }
        let zones = ZoneDirectory(path: environment["TZDIR"])
        return SettingName.allCases.compactMap { name in
            if let fault = configuration.fault(of: name) { return problem(fault, of: name) }
            guard let entry = configuration.entry(name),
                name != .ownerAddress || entry != configuration.entry(.mailFrom),
                let message = message(on: entry.value, for: name, zones)
            else { return nil }
            let isFile = entry.origin == "letsmeet.yaml"
            return ConfigurationProblem(
                file: isFile ? home.configuration : name.variable ?? entry.origin,
                line: entry.line, setting: name.rawValue, message: message)
        }
    }

    private func problem(
        _ error: SettingsError, of setting: SettingName? = nil
    ) -> ConfigurationProblem {
        switch error {
        case .unreadable(let file, let line, let reason):
            ConfigurationProblem(
                file: file, line: line, setting: setting?.rawValue, message: reason)
        case .badValue(let name, let reason):
            ConfigurationProblem(file: home.configuration, setting: name, message: reason)
        case .homeNotWritable, .homeIsFile, .unwritable, .noShippedFiles:
            ConfigurationProblem(file: home.configuration, message: error.description)
        }
    }

    /// What is wrong with a value; `nil` when it is sound.
    private func message(
        on value: String, for name: SettingName, _ zones: ZoneDirectory
    ) -> String? {
        do throws(Refusal) {
            _ = try SettingRules.checked(value, for: name, zones: zones)
            return nil
        } catch {
            // What a doctor or a log shows of it shall be safe to send on.
            let isAddress = name == .ownerAddress || name == .mailFrom
            return isAddress ? "this is no mail address." : error.message
        }
    }
}
