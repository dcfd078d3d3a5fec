import Agenda
import Ledger
import NIOHTTP1
import Planning
import Storage
import Wording

/// The picture that readers choose for themselves.
extension Site {
    /// The picture of the reader, and those of people in a meeting of theirs.
    var ownPictureRoutes: [Route] {
        var sending = route(.post, "/me/picture", changeOwnPicture)
        sending.admission = { try await refusalToSend($0) }
        return [
            route(.get, "/me/picture") { request, visitor in
                let size = PersonPicture.size(request.query["size"])
                return PersonPicture.answer(visitor.planner.ownPicture(size), size, request)
            }, sending, route(.get, "/m/:id/picture", showPictureInMeeting),
        ]
    }

    private func changeOwnPicture(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        if request.form["do"] == "remove" {
            try await visitor.planner.removeOwnPicture()
            return redirect(to: .me(saved: "me"))
        }
        guard let octets = PersonPicture.octets(of: request) else {
            return redirect(to: .me(saved: "nofile"))
        }
        do {
            try await visitor.planner.setOwnPicture(octets)
            return redirect(to: .me(saved: "me"))
        } catch let refusal as Refusal {
            var page = try await mePage(visitor)
            page.pictureFault = try sentence(refusal, visitor)
            return show(page, in: Frame(visitor: visitor), .badRequest)
        }
    }

    /// Shows the picture of somebody who is in the meeting as the reader sees it.
    private func showPictureInMeeting(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let date = request.query["date"]
        let meeting = try await visitor.planner.sight(
            of: MeetingID(text: request["id"]), on: date.isEmpty ? nil : date)
        let size = PersonPicture.size(request.query["size"])
        let picture = try visitor.planner.ownPicture(
            of: request.query["guest"], in: meeting, size)
        return PersonPicture.answer(picture, size, request)
    }
}
