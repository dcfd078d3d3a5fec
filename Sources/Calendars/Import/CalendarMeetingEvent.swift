import Agenda
import Interchange
import Planning
import StreamSafe
import Timekeeping

/// An event with its changed occurrences.
struct CalendarMeetingEvent {
    /// The component of the whole event, or of the single occurrence that the file describes.
    let main: CalendarEntry
    /// The components of the changed occurrences.
    let dates: [CalendarEntry]
    /// The time zones of its calendar.
    let zones: CalendarZones
    /// The recurrence rules, each once: some programs write a rule twice, or an empty one.
    let ruleTexts: Set<String>
    /// The dates added to the recurrence rule (RDATE).
    let additions: [CalendarEntry.Addition]
    /// The dates removed from the recurrence rule (EXDATE).
    let exceptions: [StatedTime]
    /// The zone that the meeting has for the zone of the start; `nil` if the start names none.
    var zoneChoice: ZoneChoice?

    /// Reads an event.
    ///
    /// - Parameters:
    ///   - read: the calendar object.
    ///   - own: the zone of times without a zone.
    ///   - directory: the zone rules of the system.
    ///   - address: the mail address of the reader. Of a series that they declined, only the dates
    ///     that they did not decline are read.
    /// - Throws: ``Unplanned``.
    init(
        _ read: CalendarObject, in own: Zone, _ directory: ZoneDirectory, of address: String
    ) throws(Unplanned) {
        guard read.components.count <= Self.componentsMax else {
            throw Unplanned("has more than \(Self.componentsMax) changed dates")
        }
        let object = read.inEffect(in: own, by: directory)
        let zones = object.zoneRules
        let entries = object.entries(by: zones, directory)
        var wholes = entries.filter { $0.recurrenceID == nil }
        guard entries.allSatisfy({ !$0.isOfFollowing }) else {
            throw Unplanned("changes from one date on, but its rule cannot be split there")
        }
        var singles = object.newestDates(in: own, by: directory)
        let left = Self.remaining(singles, without: wholes.newest, of: address)
        if !left.isEmpty { (wholes, singles) = ([], left) }
        guard let main = wholes.newest ?? singles.standingForWhole else {
            throw Unplanned("describes no event")
        }
        self.main = main
        self.zones = zones
        dates =
            wholes.isEmpty
            ? singles.filter { !$0.isOff && $0.component != main.component } : singles
        // A single date does not repeat, even if it names the rule of its series.
        let isWhole = main.recurrenceID == nil
        let rules =
            isWhole
            ? Set(
                main.component.lines("RRULE").map(\.plainText).filter {
                    !$0.allSatisfy(\.isWhitespace)
                }) : []
        // A rule that ends before the start leaves the start as the only date.
        ruleTexts = rules.filter { text in
            guard let start = main.start, let rule = try? RecurrenceRule.lenient(text).rule else {
                return true
            }
            return !start.isBehind(rule, else: own)
        }
        additions = isWhole ? main.additions(by: zones, directory) : []
        exceptions = main.times("EXDATE", by: zones, directory)
    }

    /// The dates that take place although their series does not.
    ///
    /// - Parameters:
    ///   - dates: the changed dates.
    ///   - whole: the series; `nil` if only dates of it are known.
    ///   - address: the mail address of the reader.
    /// - Returns: the dates that are newer than the cancellation of the series (RFC 5546, 2.1.5),
    ///   or that the reader of a declined series did not decline; none if the series takes place.
    private static func remaining(
        _ dates: [CalendarEntry], without whole: CalendarEntry?, of address: String
    ) -> [CalendarEntry] {
        guard let whole else { return dates.filter { !$0.isDeclined(by: address) } }
        if whole.isOff {
            return dates.filter {
                !$0.isOff && !$0.isDeclined(by: address) && whole.isOlder(than: $0)
            }
        }
        guard whole.isDeclined(by: address) else { return [] }
        return dates.filter { date in
            !date.isOff && date.participation(of: address).map { $0 != "DECLINED" } ?? false
        }
    }

    /// The most components that are read: each date may have two versions.
    private static let componentsMax = 2 * CalendarMeetings.changesMax

    /// True if the event has a recurrence rule or further dates.
    var repeats: Bool {
        (!ruleTexts.isEmpty && !hasUnreadableRule) || !additions.isEmpty
            || main.recurrenceID != nil && !dates.isEmpty
    }

    /// True if the recurrence rule cannot be read at all, so that only its first date is known.
    var hasUnreadableRule: Bool {
        guard ruleTexts.count == 1, let text = ruleTexts.first else { return false }
        guard let rule = try? RecurrenceRule.lenient(text).rule else { return true }
        // Whole days cannot repeat within a day.
        return main.start?.isDay == true && rule.frequency < .daily
    }

    /// The note of the meeting: the beginning of ``words``.
    var note: String { ShortText.of(words, charactersMax: MeetingRules.noteCharactersMax) }

    /// The description without the link. Files that letsmeet writes repeat the link at the end of
    /// the description, for programs that do not show links.
    var words: String {
        var details = main.details
        if !main.link.isEmpty, details.hasSuffix(main.link) {
            details.removeLast(main.link.count)
        }
        return details.withoutControls(charactersMax: .max, keepingLines: true)
    }

    var title: String {
        let title = (main.summary ?? "").withoutControls(
            charactersMax: MeetingRules.titleCharactersMax)
        return title.showsNothing ? "No title" : title
    }
}

extension CalendarEntry {
    /// True if an attendee with this mail address declined.
    func isDeclined(by address: String) -> Bool { participation(of: address) == "DECLINED" }
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
        return ShortText.of(lines.joined(separator: " "), charactersMax: charactersMax)
    }
}
