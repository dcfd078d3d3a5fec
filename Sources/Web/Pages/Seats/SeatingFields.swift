import Agenda
import Planning
import Timekeeping
import Wording

/// The fields of a form about the seats of a meeting and the people who can join it. A box has the
/// value "1" with a tick, and is empty without one.
struct SeatingFields: Codable, Equatable, Sendable {
    /// `followers`, `circle:NAME`, `link` or `public`; empty so that only invited people can come.
    var audience = ""
    /// The number of seats; empty for no limit.
    var seats = ""
    var waitingList = "1"
    var approve = ""
    var namesFor = NameSight.members.rawValue
    /// The number of people who have to join; empty for no condition.
    var minimum = ""
    /// The time at which it is decided if the meeting takes place.
    var minimumBy = ""
    /// "1" to confirm the meeting as soon as enough people have joined.
    var early = ""

    /// The names of the fields.
    static var fields: [(name: String, path: WritableKeyPath<SeatingFields, String>)] {
        [
            ("audience", \.audience), ("seats", \.seats), ("waitingList", \.waitingList),
            ("approve", \.approve), ("namesFor", \.namesFor), ("minimum", \.minimum),
            ("minimumBy", \.minimumBy), ("early", \.early),
        ]
    }

    /// A meeting of invited people.
    init() {}

    /// The fields of a form; those of a meeting of invited people if the form has none of them.
    init(_ form: FormFields) {
        guard form.has("audience") else { return }
        for (name, path) in Self.fields { self[keyPath: path] = form[name][...].trimmingSpaces }
        if namesFor.isEmpty { namesFor = NameSight.members.rawValue }
    }

    /// The fields of a meeting, with times in the time zone of the meeting.
    init(_ meeting: MeetingView, in zone: Zone) {
        guard let seating = meeting.seating else { return }
        audience = meeting.audience ?? ""
        seats = seating.seats.map { "\($0)" } ?? ""
        waitingList = seating.waitingList ? "1" : ""
        approve = seating.approve ? "1" : ""
        namesFor = seating.namesFor.rawValue
        guard let minimum = seating.minimum else { return }
        self.minimum = "\(minimum.people)"
        let wall = zone.wallTime(at: minimum.by.moment)
        minimumBy = "\(wall.date)T\(wall.time.shortText)"
        early = minimum.early ? "1" : ""
    }

    /// The wishes for a new meeting; `nil` for a meeting of invited people without a limit.
    var request: SeatingEdit? {
        guard self != SeatingFields() else { return nil }
        return edit(of: Set(Self.fields.map(\.name)))
    }

    /// The wishes for a change of single fields.
    ///
    /// - Parameter changed: the names of the fields.
    /// - Returns: the wishes; `nil` for none.
    func edit(of changed: Set<String>) -> SeatingEdit? {
        func text(_ name: String, _ value: String) -> String? {
            changed.contains(name) ? value.isEmpty ? "none" : value : nil
        }
        func flag(_ name: String, _ value: String) -> Bool? {
            changed.contains(name) ? value == "1" : nil
        }
        var edit = SeatingEdit()
        edit.audience = text("audience", audience)
        edit.seats = text("seats", seats)
        edit.hasWaitingList = flag("waitingList", waitingList)
        edit.needsApproval = flag("approve", approve)
        edit.namesFor = changed.contains("namesFor") && !namesFor.isEmpty ? namesFor : nil
        edit.minimum = text("minimum", minimum)
        // The deadline and the choice belong to a minimum.
        if !minimum.isEmpty {
            edit.minimumBy =
                changed.contains("minimumBy") && !minimumBy.isEmpty ? minimumBy : nil
            edit.confirmsEarly = flag("early", early)
        }
        return edit.isEmpty ? nil : edit
    }

    /// The faults of the fields.
    ///
    /// - Parameters:
    ///   - words: the phrases of the page.
    ///   - now: the current time of day, by which a typed time is read.
    /// - Returns: the faults, each with its field.
    func faults(_ words: PageWords, now: WallTime) -> [FieldFault] {
        var faults: [FieldFault] = []
        func note(_ field: String, _ text: String) {
            faults.append(FieldFault(field: field, text: text))
        }
        if !seats.isEmpty, !(1...Seating.seatsMax).contains(Int(seats) ?? 0) {
            note(
                "seats",
                words(
                    "Give the number of seats, from 1 to %n%, or leave it empty.",
                    ["n": "\(Seating.seatsMax)"]))
        }
        if minimum.isEmpty {
            if !minimumBy.isEmpty {
                note("minimum", words("Say how many people have to join until then."))
            }
        } else if !(1..<Seating.seatsMax).contains(Int(minimum) ?? 0) {
            note("minimum", words("Give a number of people, at least 1, or leave it empty."))
        } else if minimumBy.isEmpty {
            note("minimumBy", words("Say until when they have to join."))
        } else if (try? TypedTime.parse(minimumBy, now: now)) == nil {
            note("minimumBy", words("This is not a date and time."))
        }
        return faults
    }
}

extension SeatingFields {
    /// The variables of the part of a form.
    static let names = [
        "seatsValue", "waitsForSeat", "needsApproval", "minimumValue", "minimumByValue",
        "isEarly", "hasSeating", "seatsFault", "minimumFault",
        "minimumByFault", "audienceFault",
    ]
    static let lists = [
        "audiences": ["value", "isChosen", "text"], "namesChoices": ["value", "isChosen", "text"],
    ]

    /// The variables.
    ///
    /// - Parameters:
    ///   - circles: the names of the reader's circles.
    ///   - faults: the faults of the form.
    ///   - words: the phrases of the page.
    /// - Returns: the variables.
    func values(
        circles: [String], faults: [FieldFault], _ words: PageWords
    ) -> TemplateValues {
        var values: TemplateValues = [
            "seatsValue": .text(seats), "waitsForSeat": .flag(waitingList == "1"),
            "needsApproval": .flag(approve == "1"), "minimumValue": .text(minimum),
            "minimumByValue": .text(minimumBy), "isEarly": .flag(early == "1"),
            "hasSeating": .flag(isUnfolded(faults)),
            "audiences": .list(
                Self.choices(audiences(circles: circles, words), chosen: audience)),
            "namesChoices": .list(
                Self.choices(
                    NameSight.allCases.map { ($0.rawValue, words.namesFor($0)) },
                    chosen: namesFor)),
        ]
        for field in ["audience", "seats", "minimum", "minimumBy"] {
            values[text: "\(field)Fault"] = faults.first { $0.field == field }?.text(words)
        }
        return values
    }

    /// True if the part with the rarer fields is open: one of them is filled in, or has a fault.
    private func isUnfolded(_ faults: [FieldFault]) -> Bool {
        var plain = SeatingFields()
        plain.audience = audience
        let rare = ["seats", "minimum", "minimumBy"]
        return self != plain || faults.contains { rare.contains($0.field) }
    }

    private static func choices(
        _ choices: [(value: String, text: String)], chosen: String
    ) -> [TemplateValues] {
        choices.map { value, text in
            ["value": .text(value), "text": .text(text), "isChosen": .flag(value == chosen)]
        }
    }

    /// The audiences to choose from. The chosen one may be a circle that the reader does not have.
    private func audiences(
        circles: [String], _ words: PageWords
    ) -> [(value: String, text: String)] {
        let named = circles.map {
            ("circle:\($0)", words("People in my circle “%name%”", ["name": $0]))
        }
        var choices =
            [
                ("", words("Only the people whom I invite")),
                ("followers", words("People who follow me")),
            ] + named + [
                ("link", words("Everybody who has the link")),
                ("public", words("Everybody with an account here")),
            ]
        if !choices.contains(where: { $0.0 == audience }) {
            let name = audience.split(separator: ":", maxSplits: 1).dropFirst().first
            choices.append(
                (
                    audience,
                    name.map { words("People in the circle “%name%”", ["name": String($0)]) }
                        ?? words("People in a circle of the organizer")
                ))
        }
        return choices
    }
}

extension PageWords {
    fileprivate func namesFor(_ sight: NameSight) -> String {
        switch sight {
        case .organizer: self("Only I see who comes")
        case .members: self("The people who take part see each other")
        case .everyone: self("Everybody who sees the meeting")
        }
    }
}
