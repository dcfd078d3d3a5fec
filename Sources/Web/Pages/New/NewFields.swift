import Agenda
import Ledger
import Planning
import Timekeeping

/// The fields of the form that plans a meeting.
struct NewFields: Codable, Equatable, Sendable {
    var title = ""
    /// The chosen guests, each as a WHO that means exactly this guest.
    var with: [String] = []
    var city = ""
    var interest = ""
    /// A position, as in "60.1699,24.9384"; empty for the city.
    var near = ""
    var place = ""
    var placeText = ""
    var link = ""
    var date = ""
    var time = ""
    var duration = "1h"
    /// True if the meeting lasts whole days, and has no time of day.
    var isAllDay = false
    /// The last of whole days; empty for one day.
    var lastDay = ""
    /// The chosen time zone; empty for the reader's.
    var chosenZone = ""
    /// A typed time zone; if not empty, it replaces the chosen one.
    var otherZone = ""
    var repetition = ""
    /// The repetition in the words of the person; if not empty, it replaces the chosen one.
    var repetitionWords = ""
    /// The time until which people are asked to answer; empty for none.
    var answerBy = ""
    var reminders = ""
    /// The seats and the people who can join.
    var seating = SeatingFields()
    var note = ""
    /// The id of the earlier meeting that is planned again; empty for none.
    var like = ""
    /// True for a form that was begun with a few fields only.
    var isQuick = false
    /// The idempotency key: two forms with the same key and contents create one meeting.
    var key = ""
    /// Tells the contents of forms with the same key apart: a browser that goes back shows the form
    /// of a meeting that was planned already, and its next one is another meeting.
    private(set) var digest = ""

    init() {}

    init(_ form: FormFields) {
        title = form["title"]
        city = form["city"]
        interest = form["interest"]
        near = form["near"]
        place = form["place"]
        placeText = form["placeText"]
        // Other words than those that were filled in mean another place.
        if form.has("filled"), form["filled"] != placeText { place = "" }
        link = form["link"]
        date = form["date"]
        time = form["time"]
        duration = form.has("duration") ? form["duration"] : "1h"
        isAllDay = form["allDay"] == "1"
        lastDay = form["lastDay"]
        chosenZone = form["tz"]
        otherZone = form["otherZone"].filter { !$0.isWhitespace }
        repetition = form["repeat"] == Repetitions.inWords ? "" : form["repeat"]
        repetitionWords = form["repeatWords"]
        answerBy = form["answerBy"]
        reminders = form["reminders"]
        seating = SeatingFields(form)
        note = form["note"].replacing("\r\n", with: "\n")
        like = form["like"]
        key = form["key"]
        let plain = [
            "title", "place", "placeText", "link", "date", "time", "duration", "allDay", "lastDay",
            "tz", "otherZone", "repeat", "repeatWords", "answerBy", "reminders", "note", "with",
            "who",
        ]
        let names = plain + SeatingFields.fields.map(\.name)
        let texts = names.flatMap { [$0] + form.all($0) }
        digest = SipHash.digest(of: texts.joined(separator: "\0"))
        isQuick = form["quick"] == "1"
        apart()
        // A chosen free time replaces the typed one, and is in the time zone in which it was shown.
        let picked = form["pick"].split(separator: " ").map(String.init)
        if picked.count == 3 {
            (date, time, chosenZone) = (picked[0], picked[1], picked[2])
            otherZone = ""
        }
    }

    /// Takes the length from a time with an end, such as "19:00-22:00".
    private mutating func apart() {
        guard let typed = TypedPeriod(times: time), typed.isLikely else { return }
        (time, duration) = (typed.start, typed.length.typedText)
    }

    /// The fields for an earlier meeting that is planned again.
    ///
    /// - Parameters:
    ///   - copy: the request for it.
    ///   - id: the earlier meeting.
    ///   - date: the new day.
    init(_ copy: MeetingCopy, of id: MeetingID, on date: CivilDate) {
        let request = copy.request
        title = request.title
        with = request.with
        note = request.note
        link = request.link
        duration = request.duration?.typedText ?? duration
        reminders = (request.reminders ?? []).map(\.typedText).joined(separator: ", ")
        self.date = "\(date)"
        like = id.text
        guard let model = request.model else { return }
        placeText = model.place?.text ?? ""
        isAllDay = model.time.isOfDays
        if isAllDay {
            duration = "1h"
            let days = model.time.duration.days
            lastDay = days == 1 ? "" : "\(date.adding(days: days - 1))"
        } else {
            time = model.time.start.time.shortText
        }
    }

    /// Reads a draft, also one of an earlier version, which has fewer fields.
    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys, _ standard: String = "") throws -> String {
            try fields.decodeIfPresent(String.self, forKey: key) ?? standard
        }
        title = try text(.title)
        with = try fields.decodeIfPresent([String].self, forKey: .with) ?? []
        city = try text(.city)
        interest = try text(.interest)
        near = try text(.near)
        place = try text(.place)
        placeText = try text(.placeText)
        link = try text(.link)
        date = try text(.date)
        time = try text(.time)
        duration = try text(.duration, "1h")
        isAllDay = try fields.decodeIfPresent(Bool.self, forKey: .isAllDay) ?? false
        lastDay = try text(.lastDay)
        chosenZone = try text(.chosenZone)
        otherZone = try text(.otherZone)
        repetition = try text(.repetition)
        repetitionWords = try text(.repetitionWords)
        answerBy = try text(.answerBy)
        reminders = try text(.reminders)
        seating =
            try fields.decodeIfPresent(SeatingFields.self, forKey: .seating) ?? SeatingFields()
        note = try text(.note)
        like = try text(.like)
        key = try text(.key)
    }

    private var isUntitled: Bool { title.allSatisfy(\.isWhitespace) }
    private var isUntimed: Bool { date.isEmpty || (time.isEmpty && !isAllDay) }

    /// The start as a person would type it.
    var start: String { isAllDay ? date : "\(date) \(time)" }

    /// The time zone of the date and time; `nil` for the reader's.
    var zone: String? { [otherZone, chosenZone].first { !$0.isEmpty } }

    /// True if nothing was filled in that would be worth keeping.
    var isEmpty: Bool { isUntitled && with.isEmpty && placeText.isEmpty && note.isEmpty }

    /// The fields that are needed and empty, by `id`, each with what to do.
    func missing(_ words: PageWords) -> [FieldFault] {
        var faults: [FieldFault] = []
        if isUntitled { faults.append(FieldFault(field: "title", text: words("Say what it is."))) }
        if isUntimed {
            let text = isAllDay ? words("Say on which day.") : words("Say when: a date and a time.")
            faults.append(FieldFault(field: "date", text: text))
        }
        return faults
    }

    /// The faults of the fields that are filled in.
    ///
    /// - Throws: an error that is a bug.
    func faults(_ planner: Planner) throws -> [FieldFault] {
        var checks = FieldChecks(for: planner)
        if !isUntitled { try checks.title(title) }
        if !isUntimed {
            try checks.time(
                start, repetition: [repetitionWords, repetition].first { !$0.isEmpty })
        }
        if isAllDay {
            try checks.lastDay(lastDay, from: date)
        } else {
            try checks.duration(duration)
        }
        try checks.answerBy(answerBy)
        if !reminders.isEmpty { try checks.reminders(reminders) }
        try checks.link(link)
        try checks.zone(zone)
        try checks.note(note)
        return checks.faults
    }

    /// The request that the fields describe.
    ///
    /// - Throws: `TimeTextError` if a length of time cannot be read.
    func request() throws -> MeetingRequest {
        var request = MeetingRequest()
        request.title = title
        request.with = with
        let isSearched = !place.isEmpty
        request.place = isSearched ? place : placeText.isEmpty ? nil : placeText
        request.placeText = isSearched && !placeText.isEmpty ? placeText : nil
        request.link = link
        request.start = start
        request.isAllDay = isAllDay
        request.end = isAllDay && !lastDay.isEmpty ? lastDay : nil
        request.duration = isAllDay ? nil : try TimeSpan.parse(duration)
        request.repetition =
            [repetitionWords, repetition].first { !$0.allSatisfy(\.isWhitespace) }
        request.reminders = reminders.isEmpty ? nil : try ReminderText.parse(reminders)
        request.answerBy = answerBy.isEmpty ? nil : answerBy
        request.seating = seating.request
        request.note = note
        request.like = like.isEmpty ? nil : MeetingID(text: like)
        request.key = key.isEmpty ? nil : "\(key)-\(digest)"
        return request
    }
}
