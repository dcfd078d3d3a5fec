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
    /// The chosen time zone; empty for the reader's.
    var chosenZone = ""
    /// A typed time zone; if not empty, it replaces the chosen one.
    var otherZone = ""
    var repetition = ""
    /// The repetition in the words of the person; if not empty, it replaces the chosen one.
    var repetitionWords = ""
    var reminders = ""
    var note = ""
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
        link = form["link"]
        date = form["date"]
        time = form["time"]
        duration = form.has("duration") ? form["duration"] : "1h"
        chosenZone = form["tz"]
        otherZone = form["otherZone"].filter { !$0.isWhitespace }
        repetition = form["repeat"] == Repetitions.inWords ? "" : form["repeat"]
        repetitionWords = form["repeatWords"]
        reminders = form["reminders"]
        note = form["note"].replacing("\r\n", with: "\n")
        key = form["key"]
        let names = [
            "title", "place", "placeText", "link", "date", "time", "duration", "tz", "otherZone",
            "repeat", "repeatWords", "reminders", "note", "with", "who",
        ]
        let texts = names.flatMap { [$0] + form.all($0) }
        digest = SipHash.digest(of: texts.joined(separator: "\0"))
        isQuick = form["quick"] == "1"
        // A chosen free time replaces the typed one, and is in the time zone in which it was shown.
        let picked = form["pick"].split(separator: " ").map(String.init)
        if picked.count == 3 {
            (date, time, chosenZone) = (picked[0], picked[1], picked[2])
            otherZone = ""
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
        chosenZone = try text(.chosenZone)
        otherZone = try text(.otherZone)
        repetition = try text(.repetition)
        repetitionWords = try text(.repetitionWords)
        reminders = try text(.reminders)
        note = try text(.note)
        key = try text(.key)
    }

    private var isUntitled: Bool { title.allSatisfy(\.isWhitespace) }
    private var isUntimed: Bool { date.isEmpty || time.isEmpty }

    /// The time zone of the date and time; `nil` for the reader's.
    var zone: String? { [otherZone, chosenZone].first { !$0.isEmpty } }

    /// True if nothing was filled in that would be worth keeping.
    var isEmpty: Bool { isUntitled && with.isEmpty && placeText.isEmpty && note.isEmpty }

    /// The fields that are needed and empty, by `id`, each with what to do.
    func missing(_ words: PageWords) -> [FieldFault] {
        var faults: [FieldFault] = []
        if isUntitled { faults.append(FieldFault(field: "title", text: words("Say what it is."))) }
        if isUntimed {
            faults.append(FieldFault(field: "date", text: words("Say when: a date and a time.")))
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
                "\(date) \(time)",
                repetition: [repetitionWords, repetition].first { !$0.isEmpty })
        }
        try checks.duration(duration)
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
        request.start = "\(date) \(time)"
        request.duration = try TimeSpan.parse(duration)
        request.repetition =
            [repetitionWords, repetition].first { !$0.allSatisfy(\.isWhitespace) }
        request.reminders = reminders.isEmpty ? nil : try ReminderText.parse(reminders)
        request.note = note
        request.key = key.isEmpty ? nil : "\(key)-\(digest)"
        return request
    }
}
