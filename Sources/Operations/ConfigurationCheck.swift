public import Planning
public import Settings
import Timekeeping

/// A setting, as `config show` prints it.
public struct SettingView: Encodable, Sendable {
    /// The name.
    public let name: String
    /// The value, with any password in it hidden; `(set)` for a secret, `null` if it is not set.
    @Null public var value: String?
    /// The origin of the value: `environment`, `letsmeet.yaml`, `a credential file`, `default`, or
    /// `not set`.
    public let origin: String
    /// The environment variable that sets it; `null` if there is none.
    @Null public var variable: String?
    /// The reason why the value cannot be read; `null` if it can.
    @Null public var problem: String?
}

/// Checks a configuration against the rules of its settings.
public struct ConfigurationCheck: Sendable {
    private let home: Home
    private let environment: [String: String]

    /// Creates a check of the configuration of a home.
    public init(home: Home, environment: [String: String]) {
        self.home = home
        self.environment = environment
    }

    /// All settings, including those that are not set.
    ///
    /// - Throws: ``SettingsError`` if the configuration cannot be read.
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

    /// The errors, with file and line.
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
            return ConfigurationProblem(of: name, in: configuration, home, message: message)
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
        case .homeNotWritable, .homeIsFile, .homeIsEmpty, .unwritable, .noShippedFiles:
            ConfigurationProblem(file: home.configuration, message: error.description)
        }
    }

    /// The error in a value; `nil` if it is valid.
    private func message(
        on value: String, for name: SettingName, _ zones: ZoneDirectory
    ) -> String? {
        do throws(Refusal) {
            _ = try SettingRules.checked(value, for: name, zones: zones)
            return nil
        } catch {
            // Reports and logs must not contain personal data.
            let isAddress = name == .ownerAddress || name == .mailFrom
            return isAddress ? "this is not a mail address." : error.message
        }
    }
}
