import Agenda
import Interchange
import Planning
import Timekeeping

extension CalendarMeetings {
    /// The differences between an object and its meeting, as phrases that follow the title.
    func doubts(about object: CalendarObject) -> [String] {
        guard object.kind == "VEVENT", let event = try? event(of: object) else { return [] }
        return [
            zoneDoubt(of: event), ruleDoubt(of: event), linkDoubt(of: event),
            alarmDoubt(of: event), repeatedAlarms(of: event), repeatedHour(of: event),
        ].compactMap(\.self) + lengthDoubts(of: event) + unusedAlarms(of: event)
            + wordDoubts(of: event)
    }

    private func ruleDoubt(of event: Event) -> String? {
        event.hasUnreadableRule
            ? "repeats by a rule that cannot be read: only its first date and added ones are "
                + "planned" : nil
    }

    private func alarmDoubt(of event: Event) -> String? {
        let alarms = event.main.reminders(in: clock(of: event)).uniqued().count
        guard alarms > MeetingRules.remindersMax else { return nil }
        return "has \(alarms) alarms: only the first \(MeetingRules.remindersMax) become reminders"
    }

    /// The zone of the meeting, in which its alarms are read.
    private func clock(of event: Event) -> Zone { (try? time(of: event))?.1 ?? own }

    /// The texts that are longer than those of a meeting may be.
    private func lengthDoubts(of event: Event) -> [String] {
        let places = ([event.main] + event.dates.filter { !$0.isOff }).compactMap(\.location?.text)
        let kinds: [(word: String, texts: [String], most: Int)] = [
            ("title", [event.main.summary ?? ""], MeetingRules.titleCharactersMax),
            ("description", longWords(of: event), MeetingRules.noteCharactersMax),
            ("place", places, MeetingPlace.textCharactersMax),
        ]
        return kinds.compactMap { word, texts, most in
            // Only a text with more octets can have more characters. Spaces that follow others do
            // not count: a meeting has none.
            let count =
                texts.filter { $0.utf8.count > most }
                .map { $0.withoutControls(charactersMax: .max).count }.max() ?? 0
            guard count > most else { return nil }
            return "has a \(word) of \(count) characters: the first \(most) are used"
        }
    }

    /// The description, if it has more octets than a note may have characters.
    private func longWords(of event: Event) -> [String] {
        event.main.details.utf8.count > MeetingRules.noteCharactersMax ? [event.words] : []
    }

    /// Dates of a series are wall-clock times, of which the earlier one counts where clocks are set
    /// back.
    private func repeatedHour(of event: Event) -> String? {
        guard event.repeats, let start = event.main.start, !start.isDay else { return nil }
        let zone = start.clock(else: own)
        let starts =
            event.additions.map(\.start) + event.dates.filter { !$0.isOff }.compactMap(\.start)
        let late = starts.filter { !$0.isDay }.map { $0.moment(in: own) }.first {
            zone.moment(of: zone.wallTime(at: $0)) != $0
        }
        return late.map {
            "has a date at \(zone.wallTime(at: $0).time), which occurs twice that day: the "
                + "earlier one is planned"
        }
    }

    private func linkDoubt(of event: Event) -> String? {
        do throws(RuleViolation) { try MeetingRules.checkLink(event.main.link) } catch {
            return "has a link that is not used: \(error)"
        }
        return nil
    }

    private func repeatedAlarms(of event: Event) -> String? {
        event.main.hasRepeatedAlarms
            ? "has an alarm that goes off several times: each alarm becomes one reminder" : nil
    }

    private func unusedAlarms(of event: Event) -> [String] {
        let zone = clock(of: event)
        let unused = ([event.main] + event.dates).map { entry in
            entry.alarmCount
                - (entry.recurrenceID == nil
                    ? entry.reminders(in: zone).count(where: Self.isPossible) : 0)
        }.reduce(0, +)
        guard unused > 0 else { return [] }
        let words = unused == 1 ? "an alarm that becomes" : "\(unused) alarms that become"
        return [
            "has \(words) no reminder: reminders are before the start, and the same for all dates "
                + "of a series"
        ]
    }

    /// The words of single dates, for which meetings have no place.
    private func wordDoubts(of event: Event) -> [String] {
        let dates = event.dates.filter { !$0.isOff }
        let kinds: [(word: String, text: (CalendarEntry) -> String)] = [
            ("title", { $0.summary ?? "" }), ("description", { $0.details }),
            ("link", { $0.link }),
        ]
        return kinds.compactMap { word, text in
            let known = text(event.main)
            let count = dates.count { !text($0).isEmpty && text($0) != known }
            guard count > 0 else { return nil }
            let others = count == 1 ? "a date with its own" : "\(count) dates with their own"
            return "has \(others) \(word): meetings have the same \(word) for all dates"
        }
    }
}
