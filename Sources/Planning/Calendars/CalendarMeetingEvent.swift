import Agenda
import Interchange
import Timekeeping

/// An event with its dates that are otherwise.
struct CalendarMeetingEvent {
    /// The whole, or the one date that is known.
    let main: CalendarEntry
    /// The dates that are otherwise.
    let dates: [CalendarEntry]
    /// The zones of its calendar.
    let zones: CalendarZones
    /// What it adds to its rule.
    let additions: [CalendarEntry.Addition]
    /// What it leaves out.
    let exceptions: [StatedTime]

    init(_ object: CalendarObject, _ directory: ZoneDirectory) throws(Unplanned) {
        let zones = CalendarZones(object.calendar)
        let entries = object.components.map { CalendarEntry($0, by: zones, directory) }
        let wholes = entries.filter { $0.recurrenceID == nil }
        guard entries.allSatisfy({ !$0.isOfFollowing }) else {
            throw Unplanned("changes from one of its dates on")
        }
        guard let main = wholes.newest ?? (entries.count == 1 ? entries[0] : nil) else {
            throw Unplanned("is single dates of a series, and nothing says by which rule")
        }
        self.main = main
        self.zones = zones
        dates = wholes.isEmpty ? [] : entries.filter { $0.recurrenceID != nil }
        additions = main.additions(by: zones, directory)
        exceptions = main.times("EXDATE", by: zones, directory)
    }

    /// Whether it has several dates.
    var repeats: Bool {
        main.component.line("RRULE") != nil || !additions.isEmpty
    }

    /// What else there is to say. Our own files say the link there as well, for programs that do
    /// not show it.
    var note: String {
        var details = main.details
        if !main.link.isEmpty, details.hasSuffix(main.link) {
            details.removeLast(main.link.count)
        }
        return details.withoutControls(
            charactersMax: MeetingRules.noteCharactersMax, keepingLines: true)
    }

    var title: String {
        let title = (main.summary ?? "").withoutControls(
            charactersMax: MeetingRules.titleCharactersMax)
        return title.showsNothing ? "No title" : title
    }
}

extension MeetingPlace {
    init(_ location: CalendarEvent.Location) {
        let text = location.text.withoutControls(charactersMax: Self.textCharactersMax)
        self.init(
            text: text, latitude: location.position?.latitude,
            longitude: location.position?.longitude)
    }
}

extension String {
    /// The text without what ends its line, and other control characters, as far as it may be
    /// long.
    ///
    /// - Parameters:
    ///   - charactersMax: so long it may be.
    ///   - keepsLines: whether lines and tabs stay.
    /// - Returns: the text, without blanks around it.
    func withoutControls(charactersMax: Int, keepingLines keepsLines: Bool = false) -> String {
        let kept: [UnicodeScalar] = keepsLines ? ["\n", "\t"] : []
        var plain = UnicodeScalarView()
        for scalar in unicodeScalars {
            let isControl =
                [.control, .lineSeparator, .paragraphSeparator]
                .contains(scalar.properties.generalCategory)
            if !isControl || kept.contains(scalar) {
                plain.append(scalar)
            } else if scalar != "\r" {
                plain.append(" ")
            }
        }
        let lines = String(plain).split(
            separator: " ", omittingEmptySubsequences: keepsLines == false)
        return String(lines.joined(separator: " ").prefix(charactersMax))
    }
}
