import Agenda
import Ledger
import NIOHTTP1
import Planning
import Settings
import Wording

/// The private links of the guests of a meeting, to copy and share.
struct LinksPage: PageModel {
    static let template = "links"
    static let names = TemplateNames(
        ChangeTarget.names + [
            "isLocal", "isEmpty", "areMissing", "previous", "next", "shareLink",
        ],
        lists: [
            "links": [
                "person", "personId", "link", "mail", "code", "codeLink", "isOpen", "initials",
                "colour",
            ]
        ].merging(ChangeTarget.lists) { $1 })

    let target: ChangeTarget
    let links: GuestLinks
    let share: ShareLink
    /// True if the links lead to this machine, and others cannot open them.
    let isLocal: Bool
    /// The number of guests before the first one on the page.
    var guestsBefore = 0
    /// The id of the guest whose QR code is shown.
    var codeOf = ""

    var section: Section? { .meetings }

    func title(_ words: PageWords) -> String {
        words("Links for the guests of “%title%”", ["title": target.view.title])
    }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "isLocal": .flag(isLocal), "isEmpty": .flag(links.links.isEmpty),
            "areMissing": .flag(links.links.contains { $0.url == nil }),
            "links": .list(
                links.links.dropFirst(guestsBefore).prefix(Self.guestsMax).map {
                    line(of: $0, words)
                }),
        ]
        values[text: "shareLink"] = share.url
        if guestsBefore > 0 {
            values["previous"] = .text("\(max(guestsBefore - Self.guestsMax, 0))")
        }
        let next = guestsBefore + Self.guestsMax
        if next < links.links.count { values["next"] = .text("\(next)") }
        values.merge(target.values(words)) { $1 }
        return values
    }

    /// The most guests on a page.
    private static let guestsMax = 20
    /// The most guests whose QR codes are all on the page, because each takes some kilobytes.
    private static let codesMax = 4

    private func line(of link: GuestLinks.Link, _ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "person": .text(link.person.name), "personId": .text(link.person.id),
            "isOpen": .flag(link.person.id == codeOf),
            "initials": .text(Initials.of(link.person.name)),
            "colour": .text(Initials.colour(of: link.person.id)),
        ]
        values[text: "link"] = link.url
        let hasCode = links.links.count <= Self.codesMax || link.person.id == codeOf
        if !hasCode { values["codeLink"] = .text("?code=\(link.person.id)&from=\(guestsBefore)") }
        if hasCode, let code = link.url.flatMap({ QRCode($0) }) {
            values["code"] = .html(
                code.svg(
                    label: words("QR code of the link of %name%", ["name": link.person.name])))
        }
        values[text: "mail"] = link.url.map { url in
            let text = words(
                "You are invited to %title%, %when%. See it and answer here: %link%",
                ["title": target.view.title, "when": words.when(target.view), "link": url])
            return "mailto:\(Link.segment(link.person.address, and: "@"))?subject="
                + Link.segment(target.view.title) + "&body=" + Link.segment(text)
        }
        return values
    }
}

extension Site {
    /// The links of guests.
    var linksRoutes: [Route] {
        [
            route(.get, "/m/:id/links") { request, visitor in
                let target = try await linksTarget(request, visitor)
                let base = localBase(request)
                let links = try await visitor.planner.guestLinks(
                    of: target.id, change: .looked, otherwise: base)
                let share = try await visitor.planner.shareLink(
                    of: target.id, change: .looked, otherwise: base)
                var page = LinksPage(
                    target: target, links: links, share: share, isLocal: isLocal(base))
                page.guestsBefore = request.query.count("from")
                page.codeOf = request.query["code"]
                return show(page, in: Frame(visitor: visitor))
            }, route(.post, "/m/:id/links", changeLinks),
        ]
    }

    private func linksTarget(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> ChangeTarget {
        try await changeTarget(request, "links", [], visitor)
    }

    /// The changes of the link for everybody, by the words of the form.
    private static let shareChanges: [String: LinkChange] = [
        "share": .none, "replace-share": .renewed, "end-share": .revoked,
    ]

    private func changeLinks(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let planner = visitor.planner
        let target = try await linksTarget(request, visitor)
        if let change = Self.shareChanges[request.form["do"]] {
            _ = try await planner.shareLink(
                of: target.id, change: change, otherwise: localBase(request))
            return redirect(to: .links(target.id.text))
        }
        let guest = request.form["guest"]
        // Somebody who was removed meanwhile has no link any more, as the page then shows.
        let isThere = target.view.participants.contains { $0.id == guest }
        guard guest.isEmpty || isThere else { return redirect(to: .links(target.id.text)) }
        let people =
            guest.isEmpty
            ? nil : try await planner.participants(named: [guest], of: target.id, on: nil)
        let change: LinkChange = request.form["do"] == "renew" ? .renewed : .none
        _ = try await planner.guestLinks(
            of: target.id, to: people, change: change, otherwise: localBase(request))
        return redirect(to: .links(target.id.text))
    }

    /// The address at which the browser has opened this page. It is used in links if no public
    /// address is set.
    func localBase(_ request: PageRequest) -> BaseURL? {
        guard let host = request.fields["host"].first, world.address.isOwn(host) else { return nil }
        return try? BaseURL("http://\(host)")
    }

    private func isLocal(_ base: BaseURL?) -> Bool {
        guard world.address.base == nil else { return false }
        return base?.text.contains("//localhost") ?? true
    }
}
