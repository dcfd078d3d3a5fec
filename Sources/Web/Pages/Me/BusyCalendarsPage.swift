import Agenda
import Calendars
import Ledger
import NIOHTTP1
import Planning
import Timekeeping
import Wording

/// The calendars elsewhere that show when the reader is busy.
struct BusyCalendarsPage: PageModel {
    static let template = "calendars"
    static let names = TemplateNames(
        FieldFault.names + ["isEmpty", "key", "urlValue"],
        lists: [
            "calendars": [
                "calendarId", "calendarName", "calendarTimes", "calendarRead", "calendarTrouble",
                "calendarAdvice", "isWeb",
            ], "doubts": ["doubt"],
        ].merging(FieldFault.lists) { $1 })

    let calendars: [BusyCalendarView]
    let zone: Zone
    var key = ""
    /// The address that was typed and refused.
    var url = ""
    var faults: [FieldFault] = []

    func title(_ words: PageWords) -> String { words("My busy times") }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "isEmpty": .flag(calendars.isEmpty), "key": .text(key), "urlValue": .text(url),
            "calendars": .list(calendars.map { self.values(of: $0, words) }),
            "doubts": .list(
                calendars.flatMap { calendar in
                    calendar.remarks.map { ["doubt": .text("\(calendar.name): \($0)")] }
                }),
        ]
        values.merge(FieldFault.values(faults, words)) { $1 }
        return values
    }

    private func values(of calendar: BusyCalendarView, _ words: PageWords) -> TemplateValues {
        let busy = words(calendar.busy, "1 busy time", "%n% busy times")
        let tentative =
            calendar.tentative == 0
            ? nil : words(calendar.tentative, "1 tentative time", "%n% tentative times")
        let times = [busy, tentative].compactMap(\.self).joined(separator: ", ")
        var values: TemplateValues = [
            "calendarId": .text(calendar.id), "calendarName": .text(calendar.name),
            "isWeb": .flag(calendar.host != nil), "calendarTimes": .text(times),
            "calendarRead": .text(
                words(
                    "Last read %when%", ["when": words.moment(calendar.read.moment, in: zone)])),
        ]
        values[text: "calendarTrouble"] = calendar.failure.map {
            words("The last attempt failed: %reason%", ["reason": $0])
        }
        values[text: "calendarAdvice"] = calendar.failure.map(words.calendarAdvice)
        return values
    }
}

extension BusyCalendarView {
    /// The host or the file that people see as its name.
    fileprivate var name: String { host ?? file ?? "" }
}

extension PageWords {
    /// The advice about a calendar that could not be read, by the reason.
    func calendarAdvice(_ failure: String) -> String {
        if failure.contains(#/ answered 40[13]\./#) {
            return self(
                "It needs a sign-in. Use the secret address that your calendar program offers for "
                    + "subscriptions.")
        }
        if failure.contains(#/ answered 4(?:04|10)\./#) {
            return self(
                "There is no calendar at this address any more. Add the calendar by its new "
                    + "address.")
        }
        if failure.contains("is not a calendar") {
            return self(
                "The address leads to something else, such as a page to sign in. Use the address "
                    + "for subscriptions, which often ends in .ics.")
        }
        if failure.contains("too large") {
            return self("Share a calendar with fewer entries.")
        }
        if failure.contains("private or reserved") {
            return self("Nothing is read from private networks. Use a public address.")
        }
        return self("Try again later. If it stays like this, check the address.")
    }
}

extension Site {
    /// The calendars that show when the reader is busy.
    var busyCalendarRoutes: [Route] {
        [
            route(.get, "/me/calendars") { request, visitor in
                show(try await busyCalendarsPage(visitor), in: frame(request, visitor))
            }, formRoute(.post, "/me/calendars", changeBusyCalendars),
        ]
    }

    private func busyCalendarsPage(_ visitor: Visitor) async throws -> BusyCalendarsPage {
        let planner = visitor.planner
        return BusyCalendarsPage(
            calendars: try await planner.personalBusyCalendars(), zone: planner.zone,
            key: planner.newKey())
    }

    private func changeBusyCalendars(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let planner = visitor.planner
        guard ["read", "remove"].contains(request.form["do"]) else {
            return try await addBusyCalendar(request, visitor)
        }
        let wanted = try await planner.personalBusyCalendars()
            .first { $0.id == request.form["calendar"] }
        // Pressed twice, the calendar is removed already.
        guard let wanted else { return redirect(to: .busyCalendars()) }
        guard request.form["do"] == "read" else {
            _ = try await planner.removeBusyCalendars([wanted.id])
            return redirect(to: .busyCalendars(saved: "calendar-removed"))
        }
        do {
            try outsideTurns.countReading(by: planner.actor.id.text)
            _ = try await planner.rereadBusyCalendar(wanted.id, seconds: OutsideTurns.secondsMax)
            return redirect(to: .busyCalendars())
        } catch {
            return try await show(error, field: "calendars", request, visitor)
        }
    }

    private func addBusyCalendar(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let planner = visitor.planner
        do {
            try outsideTurns.countReading(by: planner.actor.id.text)
            _ = try await planner.addBusyCalendar(
                at: request.form["url"][...].trimmingSpaces, of: planner.actor,
                seconds: OutsideTurns.secondsMax)
            return redirect(to: .busyCalendars(saved: "calendar"))
        } catch {
            return try await show(error, field: "url", request, visitor)
        }
    }

    /// The page with the reason why something was refused, and what to do.
    private func show(
        _ error: any Error, field: String, _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let fault = try FieldFault(error, field: field)
        let frame = Frame(visitor: visitor)
        let words = frame.words(world)
        var text = fault.text(words)
        if let refusal = error as? Refusal, refusal.code == "unreachable_calendar" {
            text += " " + words.calendarAdvice(refusal.message)
        }
        var page = try await busyCalendarsPage(visitor)
        (page.key, page.url) = (request.form["key"], request.form["url"])
        page.faults = [FieldFault(field: field, text: text)]
        return show(page, in: frame, .badRequest)
    }
}
