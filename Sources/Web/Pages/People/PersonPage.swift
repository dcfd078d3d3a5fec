import Agenda
import Ledger
import Planning
import Storage
import Timekeeping
import Wording

/// The page of a contact: their data, the meetings that the reader has with them, and the messages
/// to them that the reader may see.
struct PersonPage: PageModel {
    static let template = "person"
    static let names = TemplateNames(
        [
            "id", "name", "note", "hasNote", "hasProfile", "hasCircles", "hasOtherCircles",
            "merged", "isOwner",
            "hasComing", "moreComing", "hasPast", "earlier", "later", "hasTold", "moreTold",
            "toldNothing",
        ] + Face.names,
        lists: [
            "facts": ["fact", "lines", "line", "lineType", "mail", "phone"],
            "circles": ["circle", "segment"], "otherCircles": ["circle"],
            "coming": AttendanceLines.names, "past": AttendanceLines.names,
            "told": ["toldMeeting", "toldWhat", "toldWhen", "stateName", "stateClass"],
        ])

    /// The number of meetings and messages in each list.
    static let rowsMax = 20

    let person: PersonView
    /// The names of the reader's circles with this person, and of the others.
    let circles: (with: [String], without: [String])
    let coming: FirstRows<MeetingWithPerson>
    let past: FirstRows<MeetingWithPerson>
    /// The number of past meetings on the pages before this one.
    let pastBefore: Int
    let told: FirstRows<MessageLine>
    /// The last merge that can be taken back; `nil` for none.
    let merge: RecentMerge?
    /// True if the reader may merge and erase people.
    let isOwner: Bool
    let zone: Zone
    /// The name of the picture; `nil` for none.
    var picture: String?
    /// True if the person has an account that the reader can see.
    var hasProfile = false

    var section: Section? { .people }
    var topics: [String] { [ChangeTopic.people, ChangeTopic.circles, ChangeTopic.meetings] }

    func title(_ words: PageWords) -> String { person.name }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "id": .text(person.id), "name": .text(person.name), "isOwner": .flag(isOwner),
            "hasNote": .flag(!person.note.isEmpty), "note": .text(person.note),
            "facts": .list(ContactFacts(person, words).values(words)),
            "hasComing": .flag(!coming.isEmpty), "hasPast": .flag(!past.isEmpty || pastBefore > 0),
            "moreComing": .flag(coming.isTruncated),
            "coming": .list(coming.map { AttendanceLines.values(of: $0, words) }),
            "past": .list(past.map { AttendanceLines.values(of: $0, words) }),
            "hasTold": .flag(!told.isEmpty), "toldNothing": .text(toldNothing(words)),
            "moreTold": .flag(told.isTruncated),
            "told": .list(told.map { self.values(of: $0, words) }),
            "hasProfile": .flag(hasProfile),
        ]
        values.merge(circleValues) { $1 }
        let face = picture.map { PersonPicture.large(of: person.id, name: $0) }
        values.merge(Face(of: person.name, person.id, face).values) { $1 }
        values[text: "earlier"] =
            past.isTruncated ? "\(pastBefore + Self.rowsMax)" : nil
        values[text: "later"] = pastBefore > 0 ? "\(max(0, pastBefore - Self.rowsMax))" : nil
        values[text: "merged"] = merge.map { merge in
            words(
                "%name% was merged into this contact on %when%. This can be taken back until "
                    + "%until%.",
                [
                    "name": merge.name, "when": words.moment(merge.at, in: zone),
                    "until": words.moment(merge.until, in: zone),
                ])
        }
        return values
    }

    private var circleValues: TemplateValues {
        [
            "hasCircles": .flag(!circles.with.isEmpty),
            "circles": .list(
                circles.with.map {
                    ["circle": .text($0), "segment": .text(Link.segment($0))]
                }), "hasOtherCircles": .flag(!circles.without.isEmpty),
            "otherCircles": .list(circles.without.map { ["circle": .text($0)] }),
        ]
    }

    /// The sentence in place of an empty list of messages.
    private func toldNothing(_ words: PageWords) -> String {
        isOwner
            ? words("No messages were sent to this person.")
            : words(
                "Here you see the messages about meetings that you organize. There are none to "
                    + "this person.")
    }

    private func values(of message: MessageLine, _ words: PageWords) -> TemplateValues {
        let kind = words.notification(message.kind)
        return [
            "toldMeeting": .text(message.meeting),
            "toldWhat": .text(
                message.title.isEmpty
                    ? kind
                    : words("%kind%: %title%", ["kind": kind, "title": message.title])),
            "toldWhen": .text(words.moment(message.due.moment, in: zone)),
            "stateName": .text(
                words.state(message.state, isOnlyPrinted: message.isOnlyPrinted)),
            "stateClass": .text(
                StoryPage.style(of: message.state, isOnlyPrinted: message.isOnlyPrinted)),
        ]
    }
}

/// The lines of a list of meetings with a person.
enum AttendanceLines {
    static let names = [
        "meetingId", "meetingDate", "meetingName", "meetingWhen", "answerName", "isSingle",
        "isCancelled",
    ]

    static func values(of shared: MeetingWithPerson, _ words: PageWords) -> TemplateValues {
        let meeting = shared.meeting
        let when = TimeWords.range(
            from: meeting.start.moment, to: meeting.end.moment, in: meeting.start.reader,
            at: meeting.start.zone, words.language)
        let isWhole = meeting.occurrence == nil
        return [
            "meetingId": .text(meeting.id), "meetingName": .text(meeting.title),
            "meetingDate": .text(meeting.occurrence ?? ""),
            "meetingWhen": .text(
                meeting.repeats && isWhole
                    ? words("repeats, first on %when%", ["when": when]) : when),
            "answerName": .text(answer(to: shared, words)), "isSingle": .flag(shared.isOfDates),
            "isCancelled": .flag(meeting.status == .cancelled),
        ]
    }

    private static func answer(to shared: MeetingWithPerson, _ words: PageWords) -> String {
        if shared.meeting.isOrganizer { return words("organizes it") }
        return words.answer(shared.meeting.answer)
    }
}

extension Site {
    /// A contact of the reader.
    var personRoutes: [Route] { [route(.get, "/people/:person", showPerson)] }

    private func showPerson(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let planner = visitor.planner
        let (person, view, picture) = try await planner.ownContact(request["person"])
        let limit = PersonPage.rowsMax
        let before = request.query.count("past")
        let page = PersonPage(
            person: view, circles: try await planner.circleNames(with: person),
            coming: try await planner.meetings(with: person, isOver: false, limit: limit),
            past: try await planner.meetings(
                with: person, isOver: true, from: before, limit: limit),
            pastBefore: before, told: try await planner.messages(to: person, limit: limit),
            merge: try await planner.lastMerge(into: person),
            isOwner: planner.actsAsOwner, zone: planner.zone,
            picture: picture, hasProfile: try await planner.hasProfile(person))
        return show(page, in: frame(request, visitor))
    }
}
