import ArgumentParser
import Planning
import Settings
import Timekeeping

/// The name of a setting as it is typed.
enum TypedSetting {
    /// Words that people may type for a setting.
    private static let otherWords: [String: SettingName] = [
        "zone": .ownerZone, "timezone": .ownerZone, "time-zone": .ownerZone, "email": .ownerAddress,
        "mailserver": .smtpURL, "server": .smtpURL, "sender": .mailFrom, "city": .area,
        "lang": .language,
        "locale": .language, "port": .listen, "host": .listen, "website": .baseURL,
        "domain": .baseURL, "quiet": .quietHours, "sink": .sinks, "channels": .sinks,
        "tiles": .mapTiles, "signup": .registration,
    ]

    /// Reads the name of a setting.
    ///
    /// - Parameter key: the typed name.
    /// - Returns: the setting.
    /// - Throws: `ValidationError`, which names the most similar settings.
    static func name(_ key: String) throws(ValidationError) -> SettingName {
        guard let name = SettingName(rawValue: key.lowercased()) else { throw unknown(key) }
        return name
    }

    /// The settings that a name, or the first part of names, means.
    ///
    /// - Parameter key: as in `smtp.url` or `smtp`.
    /// - Returns: at least one setting.
    /// - Throws: `ValidationError`, which names the most similar settings.
    static func names(_ key: String) throws(ValidationError) -> [SettingName] {
        let key = key.lowercased()
        let found = SettingName.allCases.filter {
            $0.rawValue == key || $0.rawValue.hasPrefix("\(key).")
        }
        guard !found.isEmpty else { throw unknown(key) }
        return found
    }

    private static func unknown(_ key: String) -> ValidationError {
        let near = near(key)
        return ValidationError(
            "There is no setting \(key)."
                + (near.isEmpty
                    ? " To list the settings: letsmeet config show"
                    : " Did you mean: \(near.joined(separator: ", "))?"))
    }

    /// The settings whose names, or parts of them, are spelled almost like a word.
    static func near(_ key: String) -> [String] {
        let key = key.lowercased()
        var spelling = Spelling(of: key)
        let alike = SettingName.allCases.map(\.rawValue).filter { name in
            let parts = name.split(separator: ".").map(String.init)
            return ([name] + parts).contains { spelling.distance(to: $0.utf8) != nil }
        }
        guard alike.isEmpty else { return alike }
        return otherWords[key].map { [$0.rawValue] } ?? []
    }

    /// The refusal of a value, with the name of its setting.
    static func refusal(_ refusal: Refusal, of name: SettingName) -> Refusal {
        guard refusal.category == .invalid, !refusal.message.contains(name.rawValue) else {
            return refusal
        }
        let reason = refusal.message.prefix(1).uppercased() + refusal.message.dropFirst()
        return Refusal(
            .invalid, code: refusal.code, "\(name.rawValue) was not changed. \(reason)",
            candidates: refusal.candidates, advice: refusal.advice)
    }
}
