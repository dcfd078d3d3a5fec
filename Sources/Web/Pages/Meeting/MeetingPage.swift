import Agenda
import Ledger
import NIOHTTP1
import Planning
import Storage
import Timekeeping
import Wording

/// A meeting with its people.
struct MeetingPage: PageModel {
    static let template = "meeting"
    static let names = TemplateNames(
        [
            "id", "name", "query", "byline", "herePath", "when", "whenThere", "startISO", "soon",
            "mayAnswer", "startForForm", "askedAgain", "answerBy",
            "yes", "maybe", "no", "counts", "hasDates", "isOrganizing", "isGoverning",
            "mayUncancel", "mayRepeat", "mayThank", "hasDetails",
            "offersPasskey", "offersLinks", "isDate", "repeats", "place", "usualPlace", "map",
            "link", "note",
            "pill", "isMaybe",
            "isNo",
            "isWaiting", "isMember", "isNew", "hiddenNames", "hasSeats",
        ] + Pager.names + MapBox.names + MeetingSeats.names,
        lists: [
            "people": [
                "person", "isOrganizer", "answer", "answerClass", "plus", "address", "said",
                "oldTime", "unreached", "isRemovable", "personId", "removeDate",
            ] + Face.names,
            "dates": [
                "dateName", "dateClass", "dateWhen", "datePlace", "dateNote", "isDateAsked",
                "dateYes", "dateMaybe", "dateNo", "dateStart",
            ],
        ].merging(MapBox.lists) { $1 }.merging(MeetingSeats.lists) { $1 })

    let meeting: MeetingView
    /// The id of the reader.
    let reader: String
    let mayChange: Bool
    let zone: Zone
    let now: Moment
    /// True to offer a passkey: the reader has just planned a meeting, and has none.
    var offersPasskey = false
    /// True to offer the guests' links: the reader has just planned a meeting, and mail is off.
    var offersLinks = false
    /// The map around the place; `nil` if its position is not known.
    var map: MapBox?
    /// The links to the pictures of people that the reader may see, by person.
    var pictures: [String: String] = [:]
    /// The page of the list of people, from 1.
    var guestsPage = 1
    /// The requests to join, for those who decide on them.
    var requests: [SeatRequestLine] = []
    /// The link with which everybody sees the meeting; `nil` for none.
    var shareLink: String?
    /// True if the reader has just planned the meeting.
    var isNew = false
    /// The people on a page.
    private static let guestRows = 100

    var section: Section? { .meetings }
    var topics: [String] {
        [ChangeTopic.meetings + meeting.id, ChangeTopic.people, ChangeTopic.places]
    }

    func title(_ words: PageWords) -> String { meeting.title }

    var own: MeetingView.Guest? { meeting.participants.first { $0.id == reader } }
    /// The date of a series that comes next, which the page of the whole series shows.
    private var next: MeetingView.Date? {
        meeting.occurrence == nil ? meeting.nextDate(after: now) : nil
    }
    private var start: Timestamp { next?.start ?? meeting.start }
    private var end: Timestamp { next?.end ?? meeting.end }
    var isOver: Bool { end.moment <= now }
    var isOwn: Bool { meeting.organizer.id == reader }
    private var isChangeable: Bool { mayChange && !isOver && !isOff }
    var isOff: Bool { meeting.status == .cancelled }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "id": .text(meeting.id), "name": .text(meeting.title),
            "query": .text(meeting.occurrence.map { "?date=\($0)" } ?? ""),
            "byline": .text(byline(words)), "herePath": .text("/m/\(meeting.id)"),
            "when": .text(
                TimeWords.range(
                    from: start.moment, to: end.moment, in: zone, at: start.zone, words.language)
            ),
            "startISO": .text(start.text), "soon": .text(soon(words)),
            "mayAnswer": .flag(
                own != nil && !isOver && !isOff && !isOwn && seats?.isJoiner != true),
            "yes": .text("\(own?.presentAnswer == .going)"),
            "maybe": .text("\(own?.presentAnswer == .maybe)"),
            "no": .text("\(own?.presentAnswer == .declined)"),
            "startForForm": .text("\(start.moment.milliseconds)"),
            "counts": .text(counts(words)),
            "people": .list(people(words)), "dates": .list(dates(words)),
            "hasDates": .flag(!meeting.dates.isEmpty && meeting.occurrence == nil),
            "offersPasskey": .flag(offersPasskey),
            "offersLinks": .flag(offersLinks && isChangeable && isOwn),
            "isDate": .flag(meeting.occurrence != nil),
            "hasDetails": .flag(
                meeting.occurrence != nil || !meeting.link.isEmpty || !meeting.note.isEmpty),
            "isOrganizing": .flag(isChangeable && isOwn),
            "isGoverning": .flag(isChangeable && !isOwn),
            "mayRepeat": .flag(isOwn), "mayUncancel": .flag(mayChange && isOff && !isOver),
            "mayThank": .flag(
                mayChange && isOver && !isOff && now < Planner.lastMessage(afterEnd: end.moment)),
        ]
        values[text: "whenThere"] =
            meeting.whenThere == nil ? nil : words.whenThere(from: start, to: end)
        values[text: "repeats"] = meeting.`repeat`.flatMap { try? RecurrenceRule($0) }
            .map { TimeWords.repetition($0, in: words.language) }
        values[text: "askedAgain"] = own?.outdated.map {
            words.language.asksAgain($0, in: zone, at: start.zone)
        }
        values[text: "answerBy"] = meeting.answerBy.flatMap { deadline in
            isOver || isOff || deadline.moment <= now
                ? nil : TimeWords.deadline(deadline.moment, in: zone, words.language)
        }
        let (place, usual) = (meeting.place(of: next), meeting.usualPlace(besides: next))
        values[text: "usualPlace"] = usual.map {
            words("usually %place%", ["place": $0])
        }
        values[text: "place"] = place?.text ?? usual.map { _ in words("no place yet") }
        values[text: "map"] = place?.map
        values[text: "link"] = meeting.link.isEmpty ? nil : meeting.link
        values[text: "note"] = meeting.note.isEmpty ? nil : meeting.note
        values.merge(pill(words)) { $1 }
        values.merge(seatValues(words)) { $1 }
        values.merge(pager.values) { $1 }
        values.merge(map?.values(words) ?? [:]) { $1 }
        return values
    }

    private var pager: Pager {
        let date = meeting.occurrence.map { "date=\($0)&" } ?? ""
        let hasNext = meeting.participants.count > guestsPage * Self.guestRows
        return Pager(guestsPage, hasNext: hasNext) { number in
            "m/\(meeting.id)?\(date)guests=\(number)#people"
        }
    }

    var turnout: Turnout {
        let guests = meeting.participants
        let current = guests.filter { $0.answeredFor == nil }
        return Turnout(
            answers: AnswerCounts(of: current.map(\.answer)),
            plus: current.filter { $0.answer == .going }.map(\.plus).reduce(0, +),
            outdated: guests.count - current.count)
    }

    private func byline(_ words: PageWords) -> String {
        let name = ["name": meeting.organizer.name]
        if isOwn { return words("You organize this meeting.") }
        return own == nil || seats?.isJoiner == true
            ? words("%name% organizes this meeting.", name) : words("%name% invites you.", name)
    }

    private func soon(_ words: PageWords) -> String {
        isOver
            ? words("This meeting is over.")
            : TimeWords.distance(from: now, to: start.moment, in: words.language)
    }

    private func pill(_ words: PageWords) -> TemplateValues {
        let (text, kind): (String?, String) =
            if isOff { (words("cancelled"), "isNo") } else {
                switch own?.presentAnswer {
                case .going where meeting.organizer.id != reader: (words("You're going"), "")
                case .maybe: (words("You may come"), "isMaybe")
                case .declined: (words("You're not coming"), "isNo")
                case .invited: (words("Can you make it?"), "isWaiting")
                case .waiting: (words("You're on the waiting list"), "isWaiting")
                default:
                    seats?.seating.standing == .requested
                        ? (words("You asked to join"), "isWaiting") : (nil, "")
                }
            }
        var values: TemplateValues = [:]
        for name in ["isMaybe", "isNo", "isWaiting"] { values[name] = .flag(name == kind) }
        values["pill"] = .optional(text)
        return values
    }

    /// The people on the page that is shown, sorted by their answers.
    var shownPeople: [MeetingView.Guest] {
        let order: [Answer] = [.going, .maybe, .invited, .waiting, .declined]
        let sorted = order.flatMap { answer in
            meeting.participants.filter { $0.presentAnswer == answer }
        }
        return Array(
            sorted.dropFirst((guestsPage - 1) * Self.guestRows).prefix(Self.guestRows))
    }

    private func people(_ words: PageWords) -> [TemplateValues] {
        shownPeople.map { guest in
            var values: TemplateValues = [
                "person": .text(guest.name),
                "isOrganizer": .flag(guest.id == meeting.organizer.id),
                "answer": .text(words.answer(guest.answer)),
                "answerClass": .text(Self.style(of: guest.presentAnswer)),
                "isRemovable": .flag(isChangeable && isOwn && guest.id != meeting.organizer.id),
                "personId": .text(guest.id),
                "removeDate": .text(meeting.occurrence.map { "&date=\($0)" } ?? ""),
            ]
            let face = Face(of: guest.name, guest.id, pictures[guest.id])
            values.merge(face.values) { $1 }
            values[text: "plus"] = guest.plus > 0 ? "\(guest.plus)" : nil
            values[text: "address"] = guest.address == guest.name ? nil : guest.address
            values[text: "oldTime"] = guest.answeredFor.map {
                words("answered for %start%", ["start": words.start($0, in: zone)])
            }
            values[text: "unreached"] = guest.unreached.map { Self.sentence(on: $0, words) }
            values[text: "said"] = guest.note.isEmpty ? nil : guest.note
            return values
        }
    }

    /// The sentence about a person whom nothing reaches.
    private static func sentence(on obstacle: String, _ words: PageWords) -> String {
        if obstacle.hasPrefix(MeetingView.bounceMark) {
            return words("The last mail to this address came back.")
        }
        if obstacle.hasPrefix(MeetingView.refusalMark) {
            return words("The last message to this person could not be delivered.")
        }
        return obstacle.hasPrefix(MeetingView.missingAddressMark)
            ? words("No mail address is known, so this person gets no mail.")
            : words("Nothing is sent to this address at present.")
    }

    private static func style(of answer: Answer) -> String {
        switch answer {
        case .going: ""
        case .maybe: "maybe"
        case .declined: "no"
        case .invited, .waiting: "wait"
        }
    }

    private func dates(_ words: PageWords) -> [TemplateValues] {
        let isJoiner = seats?.isJoiner == true
        return meeting.dates.map { date in
            let isOff = date.status == .cancelled
            let answer =
                isOff || isOwn || isJoiner ? nil : ownAnswer(on: date)
            var values: TemplateValues = [
                "isDateAsked": .flag(answer != nil), "dateYes": .text("\(answer == .going)"),
                "dateMaybe": .text("\(answer == .maybe)"),
                "dateNo": .text("\(answer == .declined)"), "dateName": .text(date.occurrence),
                "dateStart": .text("\(date.start.moment.milliseconds)"),
                "dateWhen": .text(
                    words.plainRange(
                        from: date.start.moment, to: date.end.moment, in: zone,
                        at: date.start.zone)),
            ]
            values[text: "datePlace"] = date.place == meeting.place?.text ? nil : date.place
            let isAskedAgain = date.others.contains { $0.id == reader && $0.outdated != nil }
            values["dateClass"] = isOff ? "no" : "wait"
            values[text: "dateNote"] =
                isOff ? words("cancelled") : isAskedAgain ? words("new time") : nil
            return values
        }
    }

    /// The reader's answer for one date; `nil` if they are not invited to it.
    private func ownAnswer(on date: MeetingView.Date) -> Answer? {
        guard let other = date.others.first(where: { $0.id == reader }) else {
            return own?.presentAnswer
        }
        return other.isAsked ? other.presentAnswer : nil
    }
}

extension PageWords {
    /// An answer in a word.
    func answer(_ answer: Answer) -> String {
        switch answer {
        case .going: self("going")
        case .maybe: self("maybe")
        case .declined: self("not coming")
        case .invited: self("no answer yet")
        case .waiting: self("on the waiting list")
        }
    }
}

extension Site {
    /// A meeting, and the answers to it.
    var meetingRoutes: [Route] {
        [route(.get, "/m/:id", meeting), route(.post, "/m/:id/answer", answer)]
    }

    @Sendable private func meeting(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        try await meeting(request, visitor, warning: nil)
    }

    /// The page of a meeting, with the reason why an answer was not saved.
    func meeting(
        _ request: PageRequest, _ visitor: Visitor, warning refusal: Refusal?
    ) async throws -> PageAnswer {
        let planner = visitor.planner
        let asked = request.query["date"]
        let view = try await sight(
            of: MeetingID(text: request["id"]), on: asked, planner, isRefused: refusal != nil)
        let date = view.occurrence ?? (refusal == nil ? asked : "")
        var page = MeetingPage(
            meeting: view, reader: planner.actor.id.text, mayChange: planner.mayChange(view),
            zone: planner.zone, now: planner.now)
        page.guestsPage = max(1, request.query.count("guests"))
        if page.isMember {
            page.pictures = try await pictures(of: page.shownPeople.map(\.id), in: view, planner)
        }
        page.isNew = request.query["saved"] == "new"
        try await page.addSeats(planner, local: localBase(request))
        if page.isNew {
            page.offersPasskey = try await planner.passkeys().isEmpty
        }
        page.offersLinks = !planner.reachesPeople && view.participants.count > 1
        var frame = frame(request, visitor)
        if let refusal {
            let text = frame.words(world).refusal(refusal)
            frame.notices = [Frame.Notice(kind: .warning, text: text)]
        }
        let next = date.isEmpty ? view.nextDate(after: planner.now) : nil
        if let place = view.place(of: next), let latitude = place.latitude,
            let longitude = place.longitude
        {
            let pin = MapDrawing.Pin(
                mark: "", name: place.text, latitude: latitude, longitude: longitude)
            page.map = try await MapBox(
                around: pin, radius: request.query["map"], in: world.maps, planner.store,
                frame.words(world),
                query: date.isEmpty ? [] : [("date", date)])
        }
        let status: HTTPResponseStatus =
            switch refusal?.category {
            case nil: .ok
            case .invalid: .badRequest
            default: .conflict
            }
        return show(page, in: frame, status)
    }

    /// The meeting, or the date of it that a request names. If an answer was refused because the
    /// date does not take place any more, the whole meeting is shown.
    private func sight(
        of id: MeetingID, on date: String, _ planner: Planner, isRefused: Bool
    ) async throws -> MeetingView {
        do {
            return try await planner.seenMeeting(id, on: date.isEmpty ? nil : date)
        } catch is Refusal where isRefused && !date.isEmpty {
            return try await planner.seenMeeting(id)
        }
    }

    private func answer(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        let planner = visitor.planner
        let date = request.query["date"]
        let id = MeetingID(text: try await planner.sight(of: MeetingID(text: request["id"])).id)
        do {
            guard let answer = Self.answers[request.form["answer"]] else {
                throw Refusal(.invalid, code: "bad_answer", "The answer must be yes, maybe or no.")
            }
            _ = try await planner.answer(
                id, on: date.isEmpty ? nil : date, answer, of: planner.actor, plus: nil, note: nil,
                seeing: Int64(request.form["for"]).map(Moment.init(milliseconds:)), saving: true)
        } catch let refusal as Refusal where refusal.fault == nil {
            return try await meeting(request, visitor, warning: refusal)
        }
        if let next = Link.local(request.form["next"]) {
            return redirect(toPath: world.address.folder + next)
        }
        return redirect(
            to: .meeting(id.text, date: date.isEmpty ? nil : date, saved: "answer"))
    }

    private static let answers: [String: Answer] = [
        "yes": .going, "maybe": .maybe, "no": .declined,
    ]
}
