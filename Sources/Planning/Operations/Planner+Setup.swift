import Agenda
import Foundation
import Ledger
import Places
public import Settings
import Timekeeping
import Wording

/// What an installation is set up with, and what a notification from it looks like.
public struct SetupReport: Encodable, Sendable {
    /// The owner.
    public struct Owner: Encodable, Sendable {
        /// The name that others read.
        public let name: String
        /// The mail address.
        @Null public var address: String?
        /// The zone.
        public let tz: String
    }
    /// A notification in words.
    public struct Sample: Encodable, Sendable {
        /// One line.
        public let subject: String
        /// Any number of lines.
        public let text: String
    }

    /// Whose installation it is.
    public let owner: Owner
    /// Where places are usually looked for.
    @Null public var area: String?
    /// The configuration file.
    public let file: String
    /// The sinks that are on.
    public let sinks: [String]
    /// How a reminder to the owner reads.
    public let sample: Sample

    /// The sample as standard output shows it on a terminal.
    public var sampleBlock: String {
        NotificationText(subject: sample.subject, text: sample.text)
            .block(kind: .reminder, name: owner.name, address: owner.address ?? "")
    }
}

extension Planner {
    /// The settings that setting up asks for, in the order in which it does.
    public static let setupNames: [SettingName] = [.ownerName, .ownerAddress, .area, .ownerZone]

    /// The zone of the city that a text means; `nil` where it means none.
    public static func zone(
        aroundCity text: String, in surroundings: PlannerSurroundings
    ) -> String? {
        try? city(named: text, in: surroundings).zone
    }

    /// What somebody means who answers a question for a setting: as ``checkedSetting(_:for:in:)``,
    /// and of a zone its last part will do where one zone alone has it.
    ///
    /// - Throws: ``Refusal`` as there, with the zones that may be meant as candidates.
    public static func answeredSetting(
        _ answer: String, for name: SettingName, in surroundings: PlannerSurroundings
    ) throws -> String {
        guard name == .ownerZone else {
            return try checkedSetting(answer, for: name, in: surroundings)
        }
        do throws(ZoneError) {
            return try surroundings.zones.zone(answer).id
        } catch {
            guard case .unknown(let id, let nearest) = error else {
                throw Refusal(.invalid, code: "unknown_zone", error.description)
            }
            let city = nearest.first?.split(separator: "/").last ?? ""
            if nearest.count == 1, SearchKey.fold(String(city)) == SearchKey.fold(id) {
                return nearest[0]
            }
            throw Refusal(
                .invalid, code: "unknown_zone", error.description,
                candidates: nearest.map(Candidate.word))
        }
    }

    /// Holds a value that somebody typed for a setting to its rules; an empty one, by which it is
    /// set no longer, is held to none.
    ///
    /// - Returns: the value as it is to be kept.
    /// - Throws: ``Refusal`` with the rule that it breaks, such as `bad_address`, or with
    ///   `ambiguous_city` or `unknown_city`.
    public static func checkedSetting(
        _ value: String, for name: SettingName, in surroundings: PlannerSurroundings
    ) throws -> String {
        guard !value.isEmpty else { return value }
        guard name == .area else {
            return try SettingRules.checked(value, for: name, zones: surroundings.zones)
        }
        let city = try city(named: value, in: surroundings)
        let again = try? Self.city(named: city.label, in: surroundings)
        // Who picks one of several gives its id, and shall read words.
        return Int(value) != nil && again?.id == city.id ? city.label : value
    }

    /// Writes settings into the configuration file, and shows what a reminder looks like.
    ///
    /// An empty value is one that shall be set no longer. Nothing is planned and nothing is kept of
    /// the sample: it only goes through the templates of this home.
    ///
    /// - Throws: ``Refusal``, with `not_allowed` for all but the owner; nothing has changed then.
    public static func setUp(
        _ surroundings: PlannerSurroundings, _ values: [SettingName: String]
    ) async throws -> SetupReport {
        try await checkMaySetUp(surroundings)
        let edit = try edit(surroundings, with: values)
        try surroundings.home.make()
        return try await edit.save(in: surroundings.home) {
            try await Planner(try configured(surroundings)).setupReport()
        }
    }

    /// Who may set up: the owner, while nothing is set that setting up could not mend.
    ///
    /// - Throws: ``Refusal`` with `not_allowed` or `unknown_sink`.
    public static func checkMaySetUp(_ surroundings: PlannerSurroundings) async throws {
        _ = try sinks(surroundings.configuration)
        try await checkIsOwner(to: "set it up", in: surroundings)
    }

    /// What is to be written, held to its rules.
    private static func edit(
        _ surroundings: PlannerSurroundings, with values: [SettingName: String]
    ) throws -> ConfigurationEdit {
        var checked: [SettingName: String] = [:]
        for (name, value) in values {
            checked[name] = try checkedSetting(value, for: name, in: surroundings)
        }
        if checked[.ownerZone] == nil { _ = try ownerZone(in: surroundings) }
        return ConfigurationEdit(checked)
    }

    /// The surroundings after the file was written.
    private static func configured(
        _ surroundings: PlannerSurroundings
    ) throws -> PlannerSurroundings {
        var surroundings = surroundings
        surroundings.zoneOption = nil
        // The owner, who may have another name now.
        surroundings.actingAs = nil
        surroundings.configuration = try Configuration(
            home: surroundings.home, environment: ProcessInfo.processInfo.environment)
        return surroundings
    }

    private func setupReport() throws -> SetupReport {
        let templates = try surroundings.templateLibrary()
        let notification = templates.notification(sampleFacts)
        return SetupReport(
            owner: SetupReport.Owner(
                name: owner.name, address: owner.address.isEmpty ? nil : owner.address,
                tz: zone.id),
            area: surroundings.configuration[.area], file: surroundings.home.configuration,
            sinks: sinks.map(\.name),
            sample: SetupReport.Sample(subject: notification.subject, text: notification.text))
    }

    /// A meeting that is never saved: tomorrow at noon.
    private var sampleFacts: NotificationFacts {
        let start = WallTime(date: zone.wallTime(at: now).date.adding(days: 1), time: .noon)
        let meeting = Meeting(
            id: MeetingID(text: "sample"), uid: "sample", organizer: owner.id,
            title: "A meeting, for show", place: MeetingPlace(text: "Café Engel, Helsinki"),
            time: MeetingTime(start: start, zone: zone, duration: Meeting.durationDefault),
            reminders: Meeting.remindersDefault)
        return NotificationFacts(
            kind: .reminder, meeting: meeting, organizer: owner, reader: owner,
            turnout: Turnout(answers: AnswerCounts(of: [.going])), before: nil, body: nil,
            now: meeting.time.startsAt.advanced(bySeconds: -3600))
    }
}
