import Agenda
import Ledger
public import Storage
import Timekeeping

/// What became of coming meetings when the rules of zones were looked at.
public struct ZoneRulesOutcome: Sendable {
    /// The zones whose rules are other than before.
    public internal(set) var changed: [String] = []
    /// The meetings whose moments moved.
    public internal(set) var moved: [MovedMeeting] = []
    /// The zones of coming meetings whose rules cannot be read; their meetings stay as they are.
    public internal(set) var missing: [String] = []
    /// The zones of coming meetings.
    public internal(set) var inUse: [String] = []
}

extension Planner {
    /// How many meetings are looked at together.
    private static let zonePageRows = 500
    /// A meeting that was over by the old rules may not be by the new ones: so far back it is
    /// looked for, in seconds.
    private static let zoneSlackSeconds: Int64 = 86_400

    /// Gives coming meetings the moments that the rules of their zones give them now. A meeting is
    /// meant by its time on the wall, which stays: so nobody is told of a change, and reminders
    /// move.
    ///
    /// - Parameter isKnownOnly: whether zones are left out whose rules were never looked at.
    /// - Returns: what changed.
    /// - Throws: ``StoreError``; zones that were done by then stay done.
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

    /// The meeting at the moments of new rules, and what follows for its reminders. One that waits,
    /// and whose new time has passed already, is sent at once rather than never.
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
        var revision = try decided(
            draft, deed: nil, reason: "the rules of \(zone.id) changed", now: now)
        revision.difference.catchUp(through: directory(of: draft), now: now)
        return revision
    }
}

extension ZoneDirectory {
    /// A short name of a zone's rules, to see whether they are still the same. What has no file has
    /// rules that never change, or none.
    func digest(of zone: String) -> String {
        fileContents(of: zone).map { SipHash.digest(of: $0) } ?? "none"
    }
}
