import Agenda
import Ledger
import Planning
import Storage
import Timekeeping
import Wording

/// The invitations of others that go to an address of the reader, as a part of a page.
struct OtherInvitations: Sendable {
    /// The variables of the part of the template.
    static let names = ["hasOthers"]
    static let lists = [
        "others": ["otherTitle", "otherWhen", "otherAddress", "otherMeeting", "otherGuest"]
    ]

    var all: [OtherInvitation] = []
    /// The time zone of the reader.
    let zone: Zone

    func values(_ words: PageWords) -> TemplateValues {
        [
            "hasOthers": .flag(!all.isEmpty),
            "others": .list(
                all.map { other in
                    [
                        "otherTitle": .text(other.title), "otherWhen": .text(when(other, words)),
                        "otherAddress": .text(
                            words("invited at %address%", ["address": other.address])),
                        "otherMeeting": .text(other.meeting), "otherGuest": .text(other.guest),
                    ]
                }),
        ]
    }

    private func when(_ other: OtherInvitation, _ words: PageWords) -> String {
        other.repeats
            ? words("Several dates")
            : words.plainRange(
                from: other.start.moment, to: other.end.moment, in: zone, at: other.start.zone)
    }
}

extension Site {
    /// Opening an invitation of somebody else whose mail the reader gets.
    var invitedRoutes: [Route] { [route(.post, "/invited", openInvitation)] }

    /// The invitations of others that go to an address of the reader. Most accounts have none,
    /// which is known from the session.
    func otherInvitations(_ visitor: Visitor, limit: Int) async throws -> OtherInvitations {
        var others = OtherInvitations(zone: visitor.planner.zone)
        guard visitor.signedIn.sharesMail else { return others }
        others.all = try await visitor.planner.otherInvitations(limit: limit)
        return others
    }

    private func openInvitation(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let token = try await visitor.planner.linkToken(
            of: PersonID(text: request.form["guest"]),
            to: MeetingID(text: request.form["meeting"]), otherwise: localBase(request))
        // It may have ended, or been taken back, since the page was opened.
        guard let token else { return redirect(to: .meetings()) }
        return redirect(toPath: "\(world.address.folder)/g/\(token)")
    }
}
