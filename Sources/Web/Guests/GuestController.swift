import Ledger
public import Logging
import NIOHTTP1
public import Planning
import Storage
import Timekeeping
public import Wording

/// Serves the pages for guests, who have only a private link. A guest can see and answer a meeting,
/// request their links again, and turn off reminders.
///
/// The pages need no script, no account and no cookie. GET and HEAD change nothing, because
/// programs follow links on their own. A revoked link gets the same answer as one that never
/// existed.
public struct GuestController: Sendable {
    /// Returns the planner, the templates and the maps to use now. They may change when the
    /// configuration is reloaded.
    public typealias World =
        @Sendable () -> (planner: Planner, pages: GuestPages, maps: MapAlbum)

    private let world: World
    private let askers: LinkAskers
    private let throttle: Throttle

    /// A controller that uses this planner and these templates.
    public init(logger: Logger, _ world: @escaping World) {
        self.world = world
        askers = LinkAskers(logger: logger, clock: { world().planner.now }) {
            address, isAdmitted in
            try await world().planner.sendLinks(to: address, ifAdmitted: isAdmitted)
        }
        // Twenty changes at once, then one every 30 seconds.
        throttle = Throttle(RateLimit(perSecond: 1.0 / 30, burst: 20))
    }

    /// Its routes.
    public var routes: [Route] {
        [Route(.get, "/g/*", guests), Route(.post, "/g/*", guests)]
            + [Route(.get, "/u/*", subscriptions), Route(.post, "/u/*", subscriptions)]
    }

    /// Sends links to people who requested them, until the task is cancelled.
    public func run() async { await askers.run() }

    // MARK: The meeting

    @Sendable private func guests(_ request: PageRequest) async throws -> PageAnswer {
        switch request["*"] {
        case "style.css" where request.verb == .get: return style
        case "": return lost(LostPageFacts(isAsked: request.query["asked"] == "1"), .ok, request)
        case "links" where request.verb == .post: return ask(request)
        default: break
        }
        let parts = request["*"].split(separator: "/", omittingEmptySubsequences: false)
        if parts.first == "s" { return try await shared(Array(parts.dropFirst()), request) }
        let wrongLink = wrongLink(depth: parts.count - 1, request)
        guard let token = parts.first,
            let visit = try await world().planner.visit(by: token, on: request.query["date"])
        else { return wrongLink }
        switch parts.dropFirst() {
        case []: return try await guest(visit, String(token), request)
        case ["meeting.ics"] where request.verb == .get:
            return try await visit.calendarFile().map(calendarFile) ?? wrongLink
        case ["reminders"] where request.verb == .post:
            return try await setReminders(request.form["want"] == "yes", visit, String(token))
        default: return wrongLink
        }
    }

    /// The page of a meeting for anybody who has its link, and its calendar file.
    private func shared(_ parts: [Substring], _ request: PageRequest) async throws -> PageAnswer {
        let world = world()
        guard request.verb == .get, let token = parts.first,
            let shared = try await world.planner.sharedMeeting(by: token)
        else {
            return parts == ["style.css"] && request.verb == .get
                ? style : wrongLink(depth: parts.count, request)
        }
        guard parts.count == 1 else {
            return parts.dropFirst() == ["meeting.ics"]
                ? calendarFile(shared.calendarFile()) : wrongLink(depth: parts.count, request)
        }
        var facts = shared.facts(String(token), in: language(of: request))
        if let place = shared.place {
            facts.drawing = try await world.maps.drawing(of: place, world.planner.store)
        }
        return page(world.pages.page(facts), .ok)
    }

    /// The content of the page of a guest who has this token; `nil` if nobody has it.
    func facts(
        by token: Substring, _ request: PageRequest
    ) async throws -> GuestPageFacts? {
        guard let visit = try await world().planner.visit(by: token, on: request.query["date"])
        else { return nil }
        return try await facts(visit, String(token))
    }

    private func facts(_ visit: GuestVisit, _ token: String) async throws -> GuestPageFacts {
        let world = world()
        var facts = visit.facts(token)
        let own = try await visit.own()
        facts.areRemindersOn = own.areRemindersOn
        facts.mayStopReminders = visit.mayStopReminders
        // The organizer, who was shown the link, need not know who has an account.
        if own.hasAccount, visit.mayStopReminders { facts.accountMeeting = visit.meeting.id }
        if facts.place != nil, let place = visit.place {
            facts.drawing = try await world.maps.drawing(of: place, world.planner.store)
        }
        return facts
    }

    private func guest(
        _ visit: GuestVisit, _ token: String, _ request: PageRequest
    ) async throws -> PageAnswer {
        let world = world()
        var facts = try await facts(visit, token)
        if visit.date == nil, visit.meeting.repeat != nil, !request.query["date"].isEmpty {
            // Nobody answers for all dates by the link of one that was moved or left out.
            let reason =
                facts.language.problem("date_gone")
                ?? "The date of this link no longer takes place. This page is about the series."
            facts.problem = reason
            guard request.verb == .post else { return page(facts, .ok) }
            facts.keep(request.form)
            facts.chosen = nil
            facts.problem = facts.language.unsaved(because: reason)
            return page(facts, .conflict)
        }
        guard request.verb == .post else {
            facts.isSaved = request.query["saved"] == "1" && facts.said != nil
            let chosen = request.query["answer"]
            facts.chosen = GuestPageFacts.isWord(chosen) && chosen != facts.said ? chosen : nil
            return page(facts, .ok)
        }
        let form = request.form
        facts.keep(form)
        guard throttle.lets(token, at: world.planner.now) else {
            facts.problem = facts.language.unsaved(
                because: facts.language.problem("too_often")
                    ?? "You have changed your answer too often. Wait a minute, then try again.")
            return busy(world.pages.page(facts))
        }
        do {
            try await visit.answer(
                GuestReply(
                    word: form["answer"], plus: form["plus"], note: form["note"],
                    start: form["for"]))
            // Redirects to a GET, so that reloading the page does not send the answer again.
            return redirect(
                to: visit.date.map { "\(token)?date=\($0)&saved=1" } ?? "\(token)?saved=1")
        } catch {
            // A fault of this installation concerns its operator, not the guest.
            guard let refusal = GuestReply.refusal(error) else { throw error }
            facts.problem = facts.language.unsaved(
                because: facts.language.problem(refusal.code) ?? refusal.message)
            return page(facts, refusal.category == .invalid ? .badRequest : .conflict)
        }
    }

    private func setReminders(
        _ areOn: Bool, _ visit: GuestVisit, _ token: String
    ) async throws -> PageAnswer {
        if throttle.lets(token, at: world().planner.now) { try await visit.setReminders(areOn) }
        return redirect(to: "../\(token)")
    }

    private func calendarFile(_ octets: [UInt8]) -> PageAnswer {
        var answer = PageAnswer(
            .ok, "text/calendar; charset=utf-8", String(decoding: octets, as: UTF8.self))
        answer.fields =
            Self.fields + [
                ("Content-Disposition", "attachment; filename=\"meeting.ics\"")
            ]
        return answer
    }

    private func ask(_ request: PageRequest) -> PageAnswer {
        let address = request.form["address"].filter { !$0.isWhitespace }
        guard address.contains("@"), (3...254).contains(address.utf8.count) else {
            return lost(
                LostPageFacts(
                    problem: language(of: request).problem("bad_address")
                        ?? "Enter your mail address, for example anna@example.org."),
                .badRequest, request)
        }
        askers.ask(address, at: world().planner.now)
        return redirect(to: "./?asked=1")
    }

    // MARK: Subscriptions

    @Sendable private func subscriptions(_ request: PageRequest) async throws -> PageAnswer {
        if request["*"] == "style.css", request.verb == .get { return style }
        let (planner, token) = (world().planner, request["*"])
        guard var found = try await planner.subscription(by: token) else {
            return wrongLink(depth: token.count { $0 == "/" }, request)
        }
        // A one-click unsubscribe by a mail program has no `want` field (RFC 8058).
        let isWanted = request.verb == .post ? request.form["want"] == "yes" : found.isOn
        if isWanted != found.isOn, throttle.lets(token, at: planner.now) {
            try await planner.set(isWanted, by: token)
            found.isOn = isWanted
        }
        var facts = StopPageFacts(
            token: token, isReminders: found.kind == .reminders, isOn: found.isOn)
        facts.language = found.language
        let text = world().pages.page(facts)
        return found.isOn == isWanted ? page(text, .ok) : busy(text)
    }

    // MARK: Answers

    /// The time after which a client that changed too much may try again, in seconds.
    private static let retrySeconds = 60

    private func busy(_ text: String) -> PageAnswer {
        var answer = page(text, .tooManyRequests)
        answer.fields.append(("Retry-After", "\(Self.retrySeconds)"))
        return answer
    }

    private static let fields = [
        (name: "Referrer-Policy", value: "no-referrer"), ("X-Robots-Tag", "noindex, nofollow"),
        ("Permissions-Policy", "geolocation=(), camera=(), microphone=()"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        (
            "Content-Security-Policy",
            "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; "
                + "frame-ancestors 'none'"
        ),
    ]

    private func page(_ text: String, _ status: HTTPResponseStatus) -> PageAnswer {
        var answer = PageAnswer(status, "text/html; charset=utf-8", text)
        answer.fields = Self.fields
        return answer
    }

    /// The page of a meeting.
    func page(_ facts: GuestPageFacts, _ status: HTTPResponseStatus) -> PageAnswer {
        page(world().pages.page(facts), status)
    }

    /// The page for visitors without a link.
    func lost(
        _ facts: LostPageFacts, _ status: HTTPResponseStatus, _ request: PageRequest
    ) -> PageAnswer {
        var facts = facts
        facts.language = language(of: request)
        return page(world().pages.page(facts), status)
    }

    /// The best language for somebody who is not known.
    func language(of request: PageRequest) -> Language {
        request.languages.lazy.compactMap { Language(tag: $0) }.first
            ?? world().planner.surroundings.standardLanguage
    }

    private func wrongLink(depth: Int, _ request: PageRequest) -> PageAnswer {
        lost(LostPageFacts(isWrong: true, depth: depth), .notFound, request)
    }

    private var style: PageAnswer {
        var answer = PageAnswer(.ok, "text/css; charset=utf-8", world().pages.style)
        answer.fields = [("Cache-Control", "public, max-age=3600")]
        return answer
    }

    private func redirect(to place: String) -> PageAnswer {
        var answer = PageAnswer(.seeOther, "text/plain; charset=utf-8", "")
        answer.fields = Self.fields + [("Location", place)]
        return answer
    }
}

extension GuestPageFacts {
    /// Keeps what a guest typed, for the form that is shown if their answer is refused.
    fileprivate mutating func keep(_ form: FormFields) {
        plus = form["plus"]
        guestNote = form["note"].filter { $0 != "\0" }
        chosen = Self.isWord(form["answer"]) ? form["answer"] : nil
    }
}

extension Language {
    /// The reason why an answer was refused, followed by the sentence that it was not saved.
    fileprivate func unsaved(because reason: String) -> String {
        "\(reason) \(problem("not_saved") ?? "Your answer was not saved.")"
    }
}

extension GuestVisit {
    /// The facts that the guest's page shows.
    fileprivate func facts(_ token: String) -> GuestPageFacts {
        var facts = GuestPageFacts(
            token: token, reader: readerName, title: meeting.title,
            organizer: meeting.organizer.name, standing: standing, when: when)
        facts.language = language
        // A person who was removed from a meeting does not see its later changes.
        guard guest != nil else { return facts }
        facts.whenThere = whenThere
        facts.repeats = repetition
        facts.date = date
        facts.isInSeries = isInSeries
        facts.dates = dates
        facts.place = place?.text
        facts.map = place?.map
        facts.link = meeting.link.isEmpty ? nil : meeting.link
        facts.note = meeting.note.isEmpty ? nil : meeting.note
        facts.coming = AnswerWords.counts(turnout, in: language)
        facts.going = names(answering: "yes")
        facts.maybe = names(answering: "maybe")
        facts.said = guest.flatMap { GuestReply.word(of: $0.presentAnswer) }
        facts.askedAgain = askedAgain
        facts.answerBy = answerBy
        facts.start = startForForm
        facts.plus = "\(guest?.plus ?? 0)"
        facts.plusMax = GuestReply.plusMax
        facts.guestNote = guest?.note ?? ""
        facts.noteMax = GuestReply.noteMax
        return facts
    }

    private var standing: GuestPageFacts.Standing {
        if guest == nil { return .off }
        if isCancelled { return .cancelled }
        if isOrganizer { return isOver ? .over : .organizing }
        return isOver ? .over : .invited
    }

    private func names(answering word: String) -> [String] {
        meeting.participants.filter { GuestReply.word(of: $0.presentAnswer) == word }
            .map { $0.plus > 0 && word == "yes" ? "\($0.name) +\($0.plus)" : $0.name }
    }
}

extension MapAlbum {
    /// Half the width of the map on a guest's page, in metres.
    private static let guestRadius = 400

    /// The surroundings of a place; `nil` if its position is not known.
    fileprivate func drawing(
        of place: MeetingView.Place, _ store: Store
    ) async throws -> GuestPageFacts.PlaceDrawing? {
        guard let latitude = place.latitude, let longitude = place.longitude else { return nil }
        let pin = MapDrawing.Pin(
            mark: "", name: place.text, latitude: latitude, longitude: longitude)
        let map = try await map(
            Request(
                latitude: latitude, longitude: longitude, radius: Self.guestRadius, pins: [pin],
                label: place.text), store)
        return GuestPageFacts.PlaceDrawing(svg: map.svg, source: map.source)
    }
}
