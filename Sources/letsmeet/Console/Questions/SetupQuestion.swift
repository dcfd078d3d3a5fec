import Operations
import Planning
import Settings
import TextUI
import Timekeeping

/// The question of `setup` for one setting.
struct SetupQuestion {
    let setting: SettingName
    /// The city given as an option or answered before.
    let area: String?
    let surroundings: PlannerSurroundings

    /// Asks until the answer is valid.
    ///
    /// - Returns: the value; empty to remove the setting, `nil` to leave it unchanged.
    func ask(_ questioner: inout any Questioner) async throws -> String? {
        let value = try await questioner.settle(question) { reply in
            let words = reply.words
            guard !isNone(words) else { return "" }
            return try Planner.answeredSetting(words, for: setting, in: surroundings)
        }
        questioner.say("\(label): \(value.isEmpty ? standard ?? "none" : value)")
        return value == known ?? "" ? nil : value
    }

    private var known: String? { surroundings.configuration[setting] }

    private var question: Question {
        var question = Question(label: label, text: known ?? suggestion)
        question.skipped = skipped
        if let known, let cityZone, cityZone != known {
            question.notes = ["The time zone of \(city ?? "") is \(cityZone)."]
        }
        return question
    }

    /// The meaning of an empty setting; empty if it is suggested already.
    private var skipped: String {
        guard let standard else { return "none" }
        switch setting {
        case .ownerName where known != nil: return "\(standard), the name in your user account"
        case .ownerZone where known != nil: return "\(standard), the zone of this machine"
        default: return ""
        }
    }

    /// True if an answer means no value. "No" may be a name, and is no answer about a time zone.
    private func isNone(_ words: String) -> Bool {
        [.ownerAddress, .area].contains(setting)
            ? MailSetup.isNone(words) : ["", "-", "none"].contains(words.lowercased())
    }

    private var label: String {
        switch setting {
        case .ownerName: "Your name"
        case .ownerAddress: "Your mail address"
        case .ownerZone: "Your time zone"
        case .area: "The city in which you usually meet"
        default: setting.rawValue
        }
    }

    /// The value that applies if nothing is set.
    private var standard: String? {
        switch setting {
        case .ownerName: surroundings.loginName
        case .ownerZone: surroundings.systemZone.id
        default: nil
        }
    }

    private var suggestion: String { cityZone ?? standard ?? "" }

    /// The city in which the owner usually meets.
    private var city: String? { area ?? surroundings.configuration[.area] }

    /// The time zone of that city, if the question is about the time zone.
    private var cityZone: String? {
        guard setting == .ownerZone else { return nil }
        return city.flatMap { Planner.zone(aroundCity: $0, in: surroundings) }
    }
}
