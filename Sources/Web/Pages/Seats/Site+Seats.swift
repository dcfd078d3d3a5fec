import Agenda
import Ledger
import NIOHTTP1
import Planning
import Wording

extension Site {
    /// Joining and leaving a meeting, and the decisions of its organizer.
    var seatRoutes: [Route] {
        [
            route(.post, "/m/:id/join", join), route(.post, "/m/:id/leave", leave),
            route(.post, "/m/:id/admit") { try await decide($0, $1, admitting: true) },
            route(.post, "/m/:id/refuse") { try await decide($0, $1, admitting: false) },
            route(.post, "/m/:id/confirm", confirmNow),
        ]
    }

    private func join(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        let note = request.form["note"][...].trimmingSpaces
        return try await change(request, visitor) { id, date in
            try await visitor.planner.join(
                id, on: date, plus: request.form.count("plus"), note: note.isEmpty ? nil : note,
                saving: true
            ).result
        }
    }

    private func leave(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        try await change(request, visitor) { id, date in
            try await visitor.planner.leave(id, on: date, saving: true).result
        }
    }

    private func decide(
        _ request: PageRequest, _ visitor: Visitor, admitting isAdmitted: Bool
    ) async throws -> PageAnswer {
        let planner = visitor.planner
        return try await change(request, visitor, isForOrganizer: true) { id, date in
            let people = try await planner.people(
                request.form.all("person"), whoAskedToJoin: id)
            guard !people.isEmpty else {
                throw Refusal(
                    .refused, code: "not_joined", "There is no request of this person any more.")
            }
            _ = try await planner.decide(
                admitting: isAdmitted, people, in: id, on: date, saving: true)
            return isAdmitted ? "admitted" : "refused"
        }
    }

    private func confirmNow(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        try await change(request, visitor, isForOrganizer: true) { id, _ in
            _ = try await visitor.planner.confirmMeeting(id, saving: true)
            return "confirmed"
        }
    }

    /// Changes the seats of a meeting that the visitor sees, and leads to its page. A refused
    /// change shows the page with the reason.
    ///
    /// - Parameters:
    ///   - request: the request, with the meeting in its path and a date of a series in its query.
    ///   - visitor: the person who sends the form.
    ///   - isForOrganizer: true if only those who may change the meeting may do it.
    ///   - body: makes the change, and returns the name of what was saved.
    /// - Returns: the answer.
    /// - Throws: ``Refusal`` with `unknown_meeting` or `not_organizer`.
    private func change(
        _ request: PageRequest, _ visitor: Visitor, isForOrganizer: Bool = false,
        _ body: (_ id: MeetingID, _ date: String?) async throws -> String
    ) async throws -> PageAnswer {
        let planner = visitor.planner
        let view = try await planner.seenMeeting(MeetingID(text: request["id"]))
        if isForOrganizer { try planner.checkMayChange(view) }
        let id = MeetingID(text: view.id)
        let date = request.query["date"].isEmpty ? nil : request.query["date"]
        do {
            let saved = try await body(id, date)
            if let next = Link.local(request.form["next"]) {
                return redirect(toPath: world.address.folder + next)
            }
            guard saved == "left", try await !sees(id, planner) else {
                return redirect(to: .meeting(id.text, date: date, saved: saved))
            }
            return redirect(to: .meetings(query: "?joined&saved=left"))
        } catch let refusal as Refusal where refusal.fault == nil {
            return try await meeting(request, visitor, warning: refusal.ofSeenMeeting)
        }
    }

    /// True if the visitor sees a meeting, also after they left it.
    private func sees(_ id: MeetingID, _ planner: Planner) async throws -> Bool {
        do {
            _ = try await planner.seenMeeting(id)
            return true
        } catch let refusal as Refusal where refusal.code == "unknown_meeting" {
            return false
        }
    }
}

extension Planner {
    /// A meeting that the actor takes part in, or else may join, as they see it. For participants,
    /// this reads the meeting once.
    ///
    /// - Parameters:
    ///   - id: the meeting.
    ///   - date: the date of a series; `nil` for all dates.
    /// - Returns: the meeting.
    /// - Throws: ``Refusal`` with `unknown_meeting`.
    func seenMeeting(_ id: MeetingID, on date: String? = nil) async throws -> MeetingView {
        do {
            return try await sight(of: id, on: date)
        } catch let refusal as Refusal where refusal.code == "unknown_meeting" {
            return try await visibleMeeting(id, on: date)
        }
    }
}

extension Refusal {
    /// The same refusal for somebody who sees the meeting: that it is not open to them is no secret
    /// then.
    fileprivate var ofSeenMeeting: Refusal {
        guard code == "unknown_meeting" else { return self }
        return Refusal(
            .refused, code: "not_open", "Only people who are invited can come to this meeting.")
    }
}
