import Agenda
import GRDB
import Ledger

extension MeetingRevision {
    /// Saves people, history and ledger. The caller saves the meeting's own row.
    func save(in db: Database) throws {
        try save(besides: try Participant.fetchAll(of: meeting.id, in: db), in: db)
    }

    /// Saves people, history and ledger, if the stored participants are already known.
    func save(besides known: [Participant], in db: Database) throws {
        try Participant.save(participants, besides: known, of: meeting.id, now: now, in: db)
        if let dateParticipants {
            try Participant.save(dates: dateParticipants, of: meeting, now: now, in: db)
        }
        if let joinRequests, meeting.seating != nil {
            try JoinRequest.save(joinRequests, of: meeting, in: db)
        }
        try Person.saveTypedNames(people.values, of: meeting.id, in: db)
        try Person.saveKnownAddresses(knownAddresses, of: meeting, in: db)
        if let introduced {
            try Person.introduce(introduced, to: meeting.organizer, in: db)
        }
        if let act { try act.append(to: meeting, in: db) }
        for (person, snooze) in snoozes { try snooze.save(of: person, in: meeting.id, in: db) }
        let bodyID = try insertBody(in: db)
        try LedgerChanges.supersede(difference.superseded, reason: reason, now: now, in: db)
        try LedgerChanges.suppress(difference.suppressed, now: now, in: db)
        try LedgerChanges.reschedule(difference.rescheduled, now: now, in: db)
        for row in difference.added {
            let key = row.key.notification
            let isWritten = key.bringsText && bodyKeys?.contains(key) ?? true
            try LedgerChanges.plan(
                row, bodyID: (isWritten ? bodyID : nil) ?? row.body, now: now, in: db)
        }
    }

    /// Updates the stored meeting to this revision.
    func replace(_ before: MeetingBundle, in db: Database) throws {
        try meeting.update(in: db)
        if before.meeting.series != nil, meeting.series == nil {
            try Series.forgetDates(of: meeting.id, in: db)
        }
        if let circlesAsked, circlesAsked != before.circlesAsked {
            try CircleID.save(circlesAsked, of: meeting.id, in: db)
        }
        try save(in: db)
        try noteOpenNews(after: before, in: db)
    }

    /// Saves a new meeting that replaces the rest of a series.
    func insertRest(in db: Database) throws {
        try meeting.insert(requestKey: nil, now: now, in: db)
        try save(besides: [], in: db)
        try noteOpenNews(after: nil, in: db)
        try CircleID.save(circlesAsked ?? [:], of: meeting.id, in: db)
    }

    private func insertBody(in db: Database) throws -> Int64? {
        guard let body else { return nil }
        return try LedgerChanges.insertBody(body.text, by: body.author, now: now, in: db)
    }
}

extension NotificationKey {
    /// Whether the text of a change is part of this notification.
    fileprivate var bringsText: Bool {
        switch kind {
        case .nudge, .message, .proposal, .refusal, .change, .cancellation, .invitation, .join,
            .leave, .request:
            true
        // The note that a guest writes with an answer is for the organizer only.
        case .answer: receiver.audience == nil
        case .promotion, .admission, .decision, .reminder, .link, .digest, .alarm, .signIn, .follow:
            false
        }
    }
}
