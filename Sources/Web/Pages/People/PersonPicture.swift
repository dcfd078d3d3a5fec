import Foundation
import NIOCore
import NIOHTTP1
import Planning
import Storage
import Timekeeping
import Wording

/// The links to pictures of people. A link names the picture, so that a browser may keep it until
/// there is another one.
enum PersonPicture {
    /// The digits of a picture's name that stand in a link.
    private static let digitsMax = 16
    /// The time for which a browser keeps a picture without asking: an hour.
    private static let seconds = 3600

    /// The link to the small size of a picture of a contact.
    static func small(of who: String, name: String) -> String {
        "people/\(Link.segment(who))/picture?\(query(.small, name))"
    }

    /// The link to the large size of a picture of a contact.
    static func large(of who: String, name: String) -> String {
        "people/\(Link.segment(who))/picture?\(query(.large, name))"
    }

    /// The link to the large size of the reader's own picture.
    static func own(name: String) -> String { "me/picture?\(query(.large, name))" }

    /// The link to the small size of the picture that somebody in a meeting chose for themselves.
    static func small(of guest: String, in meeting: MeetingView, name: String) -> String {
        let date = meeting.occurrence.map { "&date=\($0)" } ?? ""
        return "m/\(meeting.id)/picture?guest=\(guest)\(date)&\(query(.small, name))"
    }

    /// The query of a link, such as `size=96&v=…`.
    private static func query(_ size: ContactPicture.Size, _ name: String) -> String {
        "size=\(size.rawValue)&v=\(name.prefix(digitsMax))"
    }

    /// The size that a request asks for; the small one for any other text.
    static func size(_ text: String) -> ContactPicture.Size {
        Int(text).flatMap(ContactPicture.Size.init(rawValue:)) ?? .small
    }

    /// The answer with a picture; without content if there is none, or 304 if the browser has it.
    static func answer(
        _ picture: (name: String, jpeg: Data)?, _ size: ContactPicture.Size,
        _ request: PageRequest
    ) -> PageAnswer {
        guard let picture else { return PageAnswer(.noContent, "image/jpeg", "") }
        let tag = "\"\(picture.name)-\(size.rawValue)\""
        let isKnown =
            !request.fields["if-none-match"].isEmpty
            && Conditions(request.fields).areMet([tag], changedAt: .earliest)
        var answer =
            isKnown
            ? PageAnswer(.notModified, "image/jpeg", "")
            : PageAnswer(.ok, "image/jpeg", body: ByteBuffer(bytes: picture.jpeg))
        answer.fields = [
            ("ETag", tag), ("Cache-Control", "private, max-age=\(seconds)"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
        ]
        return answer
    }

    /// The octets of the picture in a sent form; `nil` if no file was chosen.
    static func octets(of request: PageRequest) -> [UInt8]? {
        let file = request.files.first { $0.field == "picture" }
        guard let octets = file.flatMap({ FileManager.default.contents(atPath: $0.path) }),
            !octets.isEmpty
        else { return nil }
        return Array(octets)
    }
}

extension Site {
    /// The pictures of contacts.
    var personPictureRoutes: [Route] {
        var sending = route(.post, "/people/:person/picture", changePicture)
        sending.admission = { try await refusalToSend($0) }
        return [route(.get, "/people/:person/picture", showPicture), sending]
    }

    private func showPicture(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer
    {
        let view = try await visitor.planner.contact(withID: request["person"]).view
        let size = PersonPicture.size(request.query["size"])
        return PersonPicture.answer(
            try await visitor.planner.picture(ofID: view.id, size), size, request)
    }

    private func changePicture(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let (person, view) = try await visitor.planner.contact(withID: request["person"])
        if request.form["do"] == "remove" {
            try await visitor.planner.removePicture(of: person)
            return redirect(to: .person(view.id, saved: "person"))
        }
        guard let octets = PersonPicture.octets(of: request) else {
            return redirect(to: .person(view.id, saved: "nofile"))
        }
        do {
            try await visitor.planner.setPicture(octets, of: person)
            return redirect(to: .person(view.id, saved: "person"))
        } catch let refusal as Refusal {
            return show(
                try await pictureForm(of: view, sentence(refusal, visitor), visitor),
                in: Frame(visitor: visitor), .badRequest)
        }
    }

    /// The form of a contact with a sentence beside the picture.
    private func pictureForm(
        of view: PersonView, _ fault: String, _ visitor: Visitor
    ) async throws -> PersonFormPage {
        let fields = PersonFields(view)
        var page = PersonFormPage(
            person: view, merge: PersonFieldMerge(fields, since: fields, theirs: fields))
        page.picture = try await visitor.planner.pictureNames(of: [view.id])[view.id]
        page.pictureFault = fault
        return page
    }
}
