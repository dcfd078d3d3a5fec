public import Agenda
import Foundation
import Ledger
import Places
public import Planning
public import Settings
import Timekeeping
import Wording

/// The settings of an installation after its setup, with a sample notification.
public struct SetupReport: Encodable, Sendable {
    /// The owner.
    public struct Owner: Encodable, Sendable {
        /// The name that other people see.
        public let name: String
        /// The mail address.
        @Null public var address: String?
        /// The time zone.
        public let tz: String
    }
    /// The text of a notification.
    public struct Sample: Encodable, Sendable {
        /// The subject, in one line.
        public let subject: String
        /// The text, in any number of lines.
        public let text: String
    }

    /// The owner of the installation.
    public let owner: Owner
    /// The city in which places are searched by default.
    @Null public var area: String?
    /// The path of the configuration file.
    public let file: String
    /// The enabled sinks.
    public let sinks: [String]
    /// Remarks for the owner.
    public let remarks: [Remark]
    /// A sample reminder to the owner.
    public let sample: Sample
    /// The result of a test mail; `null` if none was sent.
    @Null public var mailTest: SinkTestReport?

    /// The sample as standard output shows it on a terminal.
    public var sampleBlock: String {
        NotificationText(subject: sample.subject, text: sample.text)
            .block(kind: .reminder, name: owner.name, address: owner.address ?? "")
    }
}

extension Planner {
    /// The settings that the setup asks for, in this order.
    public static let setupNames: [SettingName] = [.ownerName, .ownerAddress, .area, .ownerZone]

    /// The time zone of a city; `nil` if the text does not name exactly one city.
    public static func zone(
        aroundCity text: String, in surroundings: PlannerSurroundings
    ) -> String? {
        try? surroundings.city(named: text).zone
    }

    /// Checks the answer to a question for a setting, like ``checkedSetting(_:for:in:)``. The last
    /// part of a time zone is enough if only one zone has it.
    ///
    /// - Returns: the value to save.
    /// - Throws: ``Refusal`` as there, with similar time zones as candidates.
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

    /// Checks a typed value against the rules of its setting. An empty value, which removes the
    /// setting, is always valid.
    ///
    /// - Returns: the value to save.
    /// - Throws: ``Refusal`` with the broken rule, such as `bad_address` or `bad_setting`, or with
    ///   `ambiguous_city` or `unknown_city`.
    public static func checkedSetting(
        _ value: String, for name: SettingName, in surroundings: PlannerSurroundings
    ) throws -> String {
        guard !value.isEmpty else { return value }
        guard name == .area else {
            let checked = try SettingRules.checked(value, for: name, zones: surroundings.zones)
            if !name.isSecret, let fault = SettingText.fault(in: checked) {
                throw SettingRules.bad("\(name.rawValue) \(fault)")
            }
            return checked
        }
        let city = try surroundings.city(named: value)
        let again = try? surroundings.city(named: city.label)
        // A city that was picked from a list is given as an id; save its readable name instead.
        return Int(value) != nil && again?.id == city.id ? city.label : value
    }

    /// Writes settings into the configuration file, and renders a sample reminder.
    ///
    /// An empty value removes its setting. The sample is rendered with the templates of this home;
    /// nothing of it is planned or saved.
    ///
    /// - Throws: ``Refusal``, for example with `not_allowed` if the actor is not the owner; nothing
    ///   has changed then.
    public static func setUp(
        _ surroundings: PlannerSurroundings, _ values: [SettingName: String]
    ) async throws -> SetupReport {
        try await checkMaySetUp(surroundings)
        let edit = try edit(surroundings, with: values)
        try surroundings.home.make()
        return try await edit.save(in: surroundings.home) {
            let planner = try await Planner(try configured(surroundings))
            try await planner.keepOwnersAccount()
            if values[.quietHours] != nil { _ = try await planner.followQuietHours() }
            return try planner.setupReport()
        }
    }

    /// Checks that the actor is the owner, and that the configured sinks exist, because the setup
    /// cannot correct them.
    ///
    /// - Throws: ``Refusal`` with `not_allowed` or `unknown_sink`.
    public static func checkMaySetUp(_ surroundings: PlannerSurroundings) async throws {
        _ = try sinks(surroundings.configuration)
        try await checkIsOwner(to: "change the settings", in: surroundings)
    }

    /// The change to the configuration file, with checked values.
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

    /// The surroundings with the settings that were just written.
    private static func configured(
        _ surroundings: PlannerSurroundings
    ) throws -> PlannerSurroundings {
        var surroundings = surroundings
        surroundings.zoneOption = nil
        // The owner may have another name now.
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
            remarks: onlyPrints
                ? [Remark(Self.onlyPrinting, advice: .installation(.setUpMail))] : [],
            sample: SetupReport.Sample(subject: notification.subject, text: notification.text))
    }

    /// The facts of a sample meeting tomorrow at noon, which is never saved.
    private var sampleFacts: NotificationFacts {
        let start = WallTime(date: zone.wallTime(at: now).date.adding(days: 1), time: .noon)
        let meeting = Meeting(
            id: MeetingID(text: "sample"), uid: "sample", organizer: owner.id,
            title: "Sample meeting", place: MeetingPlace(text: "Café Engel, Helsinki"),
            time: MeetingTime(start: start, zone: zone, duration: Meeting.durationDefault),
            reminders: Meeting.remindersDefault)
        return NotificationFacts(
            kind: .reminder, meeting: meeting, organizer: owner, reader: owner,
            turnout: Turnout(answers: AnswerCounts(of: [.going])), before: nil, body: nil,
            now: meeting.time.startsAt.advanced(bySeconds: -3600))
    }
}
