import Planning
import Settings
import Timekeeping

/// What `setup` asks for one setting.
struct SetupQuestion {
    let setting: SettingName
    /// The city that was given or answered before.
    let area: String?
    let surroundings: PlannerSurroundings

    /// Asks until the answer can be kept.
    ///
    /// - Returns: the value, empty where nothing shall be set; `nil` leaves the setting as it is.
    func ask(_ questioner: inout any Questioner) async throws -> String? {
        let value = try await questioner.settle(question) { reply in
            let words = reply.words
            guard !Self.isNone(words) else { return "" }
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
            question.notes = ["The clocks of \(city ?? "") show \(cityZone)."]
        }
        return question
    }

    /// What it means to set nothing; where that is suggested already, there is no need to say it.
    private var skipped: String {
        guard let standard else { return "none" }
        switch setting {
        case .ownerName where known != nil: return "\(standard), as your login has it"
        case .ownerZone where known != nil: return "\(standard), as this machine has it"
        default: return ""
        }
    }

    private static func isNone(_ words: String) -> Bool {
        ["", "-", "none"].contains(words.lowercased())
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

    /// What holds where nothing is set.
    private var standard: String? {
        switch setting {
        case .ownerName: surroundings.loginName
        case .ownerZone: surroundings.systemZone.id
        default: nil
        }
    }

    private var suggestion: String { cityZone ?? standard ?? "" }

    /// The city in which one usually meets.
    private var city: String? { area ?? surroundings.configuration[.area] }

    /// The zone of that city, where a zone is asked for.
    private var cityZone: String? {
        guard setting == .ownerZone else { return nil }
        return city.flatMap { Planner.zone(aroundCity: $0, in: surroundings) }
    }
}
