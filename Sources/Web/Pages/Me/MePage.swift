import Agenda
import Ledger
import NIOHTTP1
import Planning
import Storage
import Timekeeping
import Wording

/// The account of the reader.
struct MePage: PageModel {
    static let template = "me"
    static let names = TemplateNames(
        [
            "name", "address", "since", "zoneName", "isOwner", "version", "hasOthers",
            "hasPasskeys",
            "hasPassword", "passwordFault", "initials", "colour", "face", "picturePath",
            "isOwnPicture", "pictureFault", "myId",
        ],
        lists: [
            "languages": ["value", "text", "isChosen"], "themes": ["value", "text", "isChosen"],
            "sessions": ["sessionId", "device", "seen", "isThis"],
            "passkeys": ["passkeyId", "passkeyName", "passkeyUsed"],
        ])

    let signedIn: SignedIn
    let theme: Theme
    let sessions: [Session]
    let passkeys: [Passkey]
    let hasPassword: Bool
    /// The reason why a new password is refused.
    var passwordFault: String?
    let zone: Zone
    let now: Moment
    /// The version of the reader's own picture; `nil` for none.
    let picture: String?
    /// The reason why a sent picture was not taken.
    var pictureFault: String?

    func title(_ words: PageWords) -> String { words("Me") }

    func values(_ words: PageWords) -> TemplateValues {
        let person = signedIn.person
        var values: TemplateValues = [
            "name": .text(person.name), "zoneName": .text(zone.id), "myId": .text(person.id.text),
            "since": .text(TimeWords.date(day(signedIn.account.madeAt), in: words.language)),
            "isOwner": .flag(signedIn.account.role == .owner),
            "hasOthers": .flag(sessions.count > 1), "hasPasskeys": .flag(!passkeys.isEmpty),
            "passkeys": .list(passkeys.map { self.values(of: $0, words) }),
            "languages": .list(
                ([("", words("As the browser has it"))]
                    + Language.allCases.map { ($0.rawValue, $0.ownName) })
                    .map { choice($0, chosen: person.language ?? "") }),
            "themes": .list(
                Theme.allCases.map {
                    choice(($0.rawValue, words.theme($0)), chosen: theme.rawValue)
                }),
            "sessions": .list(sessions.map { self.values(of: $0, words) }),
        ]
        values[text: "passwordFault"] = passwordFault
        values["hasPassword"] = .flag(hasPassword)
        values[text: "address"] = person.address.isEmpty ? nil : person.address
        values.merge(pictureValues) { $1 }
        return values
    }

    private var pictureValues: TemplateValues {
        let face = Face(
            of: signedIn.person.name, signedIn.person.id.text,
            picture.map(PersonPicture.own))
        var values = face.values.merging([
            "picturePath": "me/picture", "isOwnPicture": .flag(true),
        ]) { $1 }
        values[text: "pictureFault"] = pictureFault
        return values
    }

    private func choice(_ choice: (value: String, text: String), chosen: String) -> TemplateValues {
        [
            "value": .text(choice.value), "text": .text(choice.text),
            "isChosen": .flag(choice.value == chosen),
        ]
    }

    private func day(_ moment: Moment) -> CivilDate { zone.wallTime(at: moment).date }

    private func values(of passkey: Passkey, _ words: PageWords) -> TemplateValues {
        [
            "passkeyId": .text(passkey.id),
            "passkeyName": .text(
                passkey.name.isEmpty ? words("An unknown browser") : passkey.name),
            "passkeyUsed": .text(
                words(
                    "Last used %when%", ["when": words.moment(passkey.usedAt, in: zone)])),
        ]
    }

    private func values(of session: Session, _ words: PageWords) -> TemplateValues {
        let isThis = session.id == signedIn.session.id
        return [
            "sessionId": .text(session.id.text), "isThis": .flag(isThis),
            "device": .text(
                words.device(session.device)),
            "seen": .text(
                isThis
                    ? words("This browser")
                    : words(
                        "Last used %when%", ["when": words.moment(session.seenAt, in: zone)])),
        ]
    }
}

/// The colours of the pages.
enum Theme: String, CaseIterable, Sendable {
    case system, light, dark

    init(_ request: PageRequest, _ address: SiteAddress) {
        self = request.cookie(.theme, for: address).flatMap { Theme(rawValue: $0) } ?? .system
    }
}

extension PageWords {
    fileprivate func theme(_ theme: Theme) -> String {
        switch theme {
        case .system: self("As the system has it")
        case .light: self("Light")
        case .dark: self("Dark")
        }
    }
}

extension Language {
    /// The name of the language in the language itself.
    var ownName: String {
        switch self {
        case .english: "English"
        case .german: "Deutsch"
        }
    }
}

extension PageWords {
    /// The browser and system of a session, as in "Firefox on Linux".
    fileprivate func device(_ name: String) -> String {
        guard let parts = name.wholeMatch(of: /(.+) on (.+)/) else {
            return name.isEmpty ? self("An unknown browser") : name
        }
        return self(
            "%browser% on %system%",
            ["browser": String(parts.1), "system": String(parts.2)])
    }
}

extension Site {
    /// The account of the reader.
    var meRoutes: [Route] {
        [
            route(.get, "/me", me), route(.post, "/me", changeMe),
            route(.post, "/me/theme", changeTheme),
            confirmedRoute(.post, "/me/sessions", endSession),
            confirmedRoute(.post, "/me/password", changePassword),
        ]
    }

    private func me(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        show(try await mePage(visitor), in: frame(request, visitor))
    }

    /// The page of the reader's account.
    func mePage(_ visitor: Visitor) async throws -> MePage {
        let planner = visitor.planner
        return MePage(
            signedIn: visitor.signedIn, theme: visitor.theme,
            sessions: try await planner.sessions(), passkeys: try await planner.passkeys(),
            hasPassword: try await planner.hasPassword(), zone: planner.zone, now: planner.now,
            picture: planner.ownPictureName)
    }

    private func changePassword(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        do {
            let isRemoved = request.form["do"] == "remove"
            try await visitor.planner.setPassword(
                isRemoved ? nil : request.form["password"],
                keeping: visitor.signedIn.session.id)
            return await keepingBrowser(of: visitor, redirect(to: .me(saved: "me")), request)
        } catch let refusal as Refusal {
            let frame = Frame(visitor: visitor)
            var page = try await mePage(visitor)
            page.passwordFault = frame.words(world).refusal(refusal)
            return show(page, in: frame, .badRequest)
        }
    }

    private func changeMe(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        try await visitor.planner.chooseLanguage(Language(rawValue: request.form["language"]))
        return redirect(to: .me(saved: "me"))
    }

    private func changeTheme(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let theme = Theme(rawValue: request.form["theme"]) ?? .system
        var answer =
            Link.local(request.form["next"]).map { redirect(toPath: world.address.folder + $0) }
            ?? redirect(to: .me(saved: "theme"))
        answer.fields.append(
            SiteCookie.theme.field(
                theme == .system ? nil : theme.rawValue, seconds: Self.yearSeconds,
                for: world.address, request))
        return answer
    }

    static let yearSeconds: Int64 = 365 * 86_400

    private func endSession(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let own = visitor.signedIn.session.id
        let answer = redirect(to: .me(saved: "sessions"))
        guard request.form["session"] == "others" else {
            try await visitor.planner.signOut(SessionID(text: request.form["session"]))
            return answer
        }
        try await visitor.planner.signOut(keeping: own)
        return await keepingBrowser(of: visitor, answer, request)
    }

    /// The answer that lets this browser stay known after all others were forgotten.
    func keepingBrowser(
        of visitor: Visitor, _ answer: PageAnswer, _ request: PageRequest
    ) async -> PageAnswer {
        var answer = answer
        answer.fields += await knownFields(of: visitor.signedIn.person.id, request)
        return answer
    }
}
