import Interchange
import TestKit
import Timekeeping

/// A test suite that reads calendars of busy times, for a person in Berlin.
protocol ReadsBusyCalendars {}

extension ReadsBusyCalendars {
    /// A calendar with these lines.
    func calendar(_ lines: [String]) -> BusyCalendar {
        let text = (["BEGIN:VCALENDAR"] + lines + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
        return BusyCalendar(
            CalendarReader.read(Array(text.utf8)).calendars, of: [], by: SystemZones.directory)
    }

    /// A calendar with one event.
    func event(_ lines: [String]) -> BusyCalendar {
        calendar(["BEGIN:VEVENT", "UID:a"] + lines + ["END:VEVENT"])
    }

    /// The busy times of a calendar in some seconds from a moment on.
    func periods(
        of calendar: BusyCalendar, from moment: Moment, seconds: Int64
    ) throws -> BusyPeriods {
        BusyPeriods(
            of: calendar.text, from: moment, until: moment.advanced(bySeconds: seconds),
            in: try SystemZones.directory.zone("Europe/Berlin"), by: SystemZones.directory)
    }

    /// True if the person is busy, or maybe busy, at a minute in Berlin.
    func isBusy(
        _ calendar: BusyCalendar, at wall: String, maybe: Bool = false
    ) throws -> Bool {
        let moment = try Moment.parse("\(wall):00+01:00")
        let found = try periods(of: calendar, from: moment, seconds: 60)
        return (maybe ? found.tentative : found.firm).contains { $0.contains(moment) }
    }
}
