import Agenda
import Ledger
public import Storage
import Timekeeping

/// The result of applying the current time zone rules to coming meetings.
public struct ZoneRulesOutcome: Sendable {
    /// The time zones whose rules have changed.
    public internal(set) var changed: [String] = []
    /// The meetings that moved to other moments.
    public internal(set) var moved: [MovedMeeting] = []
    /// The time zones of coming meetings whose rules cannot be read. Their meetings are not
    /// changed.
    public internal(set) var missing: [String] = []
    /// The time zones of coming meetings.
    public internal(set) var inUse: [String] = []
}

extension Planner {
    /// The number of meetings that are processed at once.
    private static let zonePageRows = 500
    /// The time since the end for which a meeting is still processed, in seconds. A meeting that is
    /// over by the old rules may not be over by the new ones.
    private static let zoneSlackSeconds: Int64 = 86_400

    /// Recomputes the moments of coming meetings by the current rules of their time zones. The
    /// wall-clock time of a meeting does not change, so nobody is notified of a change, but
    /// reminders move.
    ///
    /// - Parameter isKnownOnly: true to leave out time zones whose rules have never been checked.
    /// - Returns: the changes.
    /// - Throws: ``StoreError``. Time zones that were processed by then are not undone.
    public func followZoneRules(isKnownOnly: Bool = false) async throws -> ZoneRulesOutcome {
        let since = now.advanced(bySeconds: -Self.zoneSlackSeconds)
        var outcome = ZoneRulesOutcome()
        outcome.inUse = try await store.zonesInUse(endingAfter: since)
        let known = try await store.zoneDigests()
        for id in outcome.inUse where known[id] != nil || !isKnownOnly {
            let digest = surroundings.zones.digest(of: id)
            guard known[id] != digest else { continue }
            guard let zone = try? surroundings.zones.zone(id) else {
                outcome.missing.append(id)
                continue
            }
            let moved = try await follow(zone, named: id, since: since)
            outcome.moved += moved
            try await store.saveZoneDigest(digest, of: id)
            if known[id] != nil || !moved.isEmpty { outcome.changed.append(id) }
        }
        return outcome
    }

    private func follow(
        _ zone: Zone, named id: String, since: Moment
    ) async throws -> [MovedMeeting] {
        let now = self.now
        var moved: [MovedMeeting] = []
        var last: MeetingMoments?
        repeat {
            let page = try await store.meetingMoments(
                inZone: id, endingAfter: since, after: last, limit: Self.zonePageRows)
            let ids = page.filter { $0.isSeries || $0.time != $0.time.byToday(of: zone) }.map(\.id)
            if !ids.isEmpty {
                moved += try await store.moveMeetings(ids, now: now) { bundle in
                    try following(zone, bundle, now: now)
                }
            }
            last = page.count == Self.zonePageRows ? page.last : nil
        } while last != nil
        return moved
    }

    /// The revision of a meeting by new time zone rules, with its reminders. A waiting reminder
    /// whose new time has already passed is sent at once instead of never.
    private func following(
        _ zone: Zone, _ bundle: MeetingBundle, now: Moment
    ) throws -> MeetingRevision {
        var draft = MeetingDraft(bundle)
        let old = draft.meeting.time.startsAt
        draft.meeting.follow(zone)
        let start = draft.meeting.time.startsAt
        draft.snoozes = draft.snoozes.mapValues { snooze in
            snooze.startsAt == old && snooze.due < start
                ? Snooze(due: snooze.due, startsAt: start) : snooze
        }
        var revision = try drafting.decided(
            draft, deed: nil, reason: "the rules of \(zone.id) changed", now: now)
        revision.difference.catchUp(through: drafting.directory(of: draft), now: now)
        return revision
    }
}

extension ZoneDirectory {
    /// A digest of the rules of a time zone, to detect changes; "none" if the zone has no file.
    /// Such a zone has fixed rules, or does not exist.
    package func digest(of zone: String) -> String {
        fileContents(of: zone).map { SipHash.digest(of: $0) } ?? "none"
    }
}
