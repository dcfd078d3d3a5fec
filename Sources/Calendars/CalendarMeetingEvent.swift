import Agenda
import Interchange
import Planning
import Timekeeping

/// An event with its changed occurrences.
struct CalendarMeetingEvent {
    /// The component of the whole event, or of the single occurrence that the file describes.
    let main: CalendarEntry
    /// The components of the changed occurrences.
    let dates: [CalendarEntry]
    /// The time zones of its calendar.
    let zones: CalendarZones
    /// The dates added to the recurrence rule (RDATE).
    let additions: [CalendarEntry.Addition]
    /// The dates removed from the recurrence rule (EXDATE).
    let exceptions: [StatedTime]

    init(
        _ read: CalendarObject, in own: Zone, _ directory: ZoneDirectory
    ) throws(Unplanned) {
        let object = read.inEffect(in: own, by: directory)
        let zones = object.zoneRules
        let entries = object.entries(by: zones, directory)
        let wholes = entries.filter { $0.recurrenceID == nil }
        guard entries.allSatisfy({ !$0.isOfFollowing }) else {
            throw Unplanned("changes from one date on, but its rule cannot be split there")
        }
        let singles = object.newestDates(in: own, by: directory)
        guard let main = wholes.newest ?? singles.standingForWhole else {
            throw Unplanned("describes no event")
        }
        self.main = main
        self.zones = zones
        dates =
            wholes.isEmpty
            ? singles.filter { !$0.isOff && $0.component != main.component } : singles
        additions = main.additions(by: zones, directory)
        exceptions = main.times("EXDATE", by: zones, directory)
    }

    /// True if the event has a recurrence rule or further dates.
    var repeats: Bool {
        main.component.line("RRULE") != nil || !additions.isEmpty
            || main.recurrenceID != nil && !dates.isEmpty
    }

    /// The note of the meeting: the description without the link. Files that letsmeet writes repeat
    /// the link at the end of the description, for programs that do not show links.
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
    /// The text without line breaks and other control characters, shortened to a maximum length.
    ///
    /// - Parameters:
    ///   - charactersMax: the maximum length in characters.
    ///   - keepsLines: true to keep line breaks and tabs.
    /// - Returns: the text; unless line breaks are kept, also without leading, trailing and
    ///   repeated spaces.
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
