import Agenda
import Calendars
import Ledger
import Planning
import Timekeeping
import Wording

/// Times at which people can meet, as a form offers them.
struct FreeSlots: Sendable {
    static let names = ["hasSlots", "slotsNote"]
    static let lists = ["slots": ["slotValue", "slotText", "slotNote"]]

    /// The hours of free times, in the zone of each person, as on the command line.
    private static let hours = "9:00-21:00"
    private static let slotsMax = 5

    private let times: FreeTimes
    /// The zone in which the reader sees them.
    private let zone: Zone
    /// The zone of the form's fields.
    private let ownZone: Zone

    /// Searches for times.
    ///
    /// - Parameters:
    ///   - people: the people to meet. The reader is added.
    ///   - start: the first day, as the form has it.
    ///   - duration: the length, as the form has it.
    ///   - meeting: a meeting that is to be moved, so that its own time counts as free.
    ///   - zone: the zone of the form's fields.
    ///   - planner: the planner of the reader.
    /// - Throws: ``Refusal``, or `TimeTextError` if the length cannot be read.
    init(
        for people: [Person], from start: String, lasting duration: String,
        moving meeting: MeetingID? = nil, zone: Zone, _ planner: Planner
    ) async throws {
        var request = FreeTimeRequest()
        request.people = people
        if !people.contains(where: { $0.id == planner.actor.id }) {
            request.people.append(planner.actor)
        }
        request.from = start
        request.duration = try TimeSpan.parse(duration)
        request.hours = [try WeekSpan.parse(Self.hours)]
        request.count = Self.slotsMax
        request.besides = meeting
        times = try await planner.freeTimes(request)
        self.zone = planner.zone
        ownZone = zone
    }

    /// The variables that show them.
    func values(_ words: PageWords) -> TemplateValues {
        let lines = times.slots.map { slot -> TemplateValues in
            let start = ownZone.wallTime(at: slot.start.moment)
            var values: TemplateValues = [
                "slotValue": .text("\(start.date) \(start.time.shortText) \(ownZone.id)"),
                "slotText": .text(words.moment(slot.start.moment, in: zone)),
            ]
            values[text: "slotNote"] =
                slot.missing.isEmpty
                ? nil : slot.missing.map { words.say($0.phrase) }.joined(separator: "; ")
            return values
        }
        return [
            "slots": .list(lines), "hasSlots": .flag(!lines.isEmpty),
            "slotsNote": .text(
                times.remarks.isEmpty && lines.isEmpty
                    ? words("No time suits everybody.")
                    : times.remarks.map { words($0) }.joined(separator: " ")),
        ]
    }
}
