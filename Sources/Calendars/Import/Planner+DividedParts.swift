import Agenda
import Interchange
import Ledger
import Planning
import Storage
import Timekeeping

extension Planner {
    /// The state that the meetings of imported series take over from each other, because a newer
    /// version of a file divides a series at other dates.
    ///
    /// - Parameter found: the objects of the files.
    /// - Returns: what each meeting takes over, by its UID, and remarks on what is lost.
    /// - Throws: ``StoreError``.
    func seriesShares(
        among found: [ReadObject]
    ) async throws -> (shares: [String: SeriesShare], lost: [ImportReport.Skipped]) {
        let known = Dictionary(grouping: try await store.calendarContinuations(of: actor.id)) {
            CalendarObject.wholeUID(of: $0) ?? ""
        }
        let divided = found.compactMap { CalendarObject.wholeUID(of: $0.name.uid) }
        let uids = Set(known.keys).union(divided)
        let whole = found.filter { $0.name.kind == "VEVENT" && $0.object.isWhole }
        let read = Dictionary(grouping: whole) {
            CalendarObject.wholeUID(of: $0.name.uid) ?? $0.name.uid
        }.filter { uids.contains($0.key) }
        var shares: [String: SeriesShare] = [:]
        var lost: [ImportReport.Skipped] = []
        for (uid, parts) in read.sorted(by: { $0.key < $1.key }) {
            guard let first = parts.first(where: { $0.name.uid == uid }) else { continue }
            let former = try await [uid] + lasting(among: known[uid] ?? [])
            guard Set(former) != Set(parts.map(\.name.uid)) else { continue }
            let stored = try await store.importedMeetings(of: former, readBy: actor.id)
            guard let inheritance = inheritance(of: parts, from: stored, in: uid) else { continue }
            shares.merge(inheritance.shares) { $1 }
            lost += inheritance.remarks.map(first.remark)
        }
        return (shares, lost)
    }

    /// The continuations of a series without those that a file ended: a newer file may begin such a
    /// part again.
    private func lasting(among continuations: [String]) async throws -> [String] {
        let meetings = CalendarMeetings(
            own: zone, directory: surroundings.zones, organizer: actor.id, address: actor.address)
        return try await store.calendarTexts(of: continuations, readBy: actor.id)
            .compactMap(CalendarObject.init(text:)).filter { !meetings.isOff($0) }.map(\.uid)
    }

    /// The state that the parts of a series take over; `nil` if its new version is an older
    /// one, or if it has not been imported before.
    private func inheritance(
        of parts: [ReadObject],
        from stored: [(uid: String, text: String, bundle: MeetingBundle)], in uid: String
    ) -> SeriesInheritance? {
        let directory = surroundings.zones
        let meetings = CalendarMeetings(
            own: zone, directory: directory, organizer: actor.id, address: actor.address)
        let known = Dictionary(
            stored.compactMap { part in
                CalendarObject(text: part.text).map { (part.uid, $0.isWhole ? $0 : $0.marked()) }
            }, uniquingKeysWith: { $1 })
        let isOlder = parts.contains { read in
            known[read.name.uid].map {
                read.object.isOlder(than: $0, in: zone, by: directory)
            } ?? false
        }
        guard known[uid] != nil, !isOlder else { return nil }
        let former = stored.compactMap { part -> DividedPart? in
            guard let object = known[part.uid], isOwn(part.bundle),
                let stated = meetings.described(by: object, like: part.bundle.meeting, now: now),
                stated.status == .confirmed
            else { return nil }
            return DividedPart(
                uid: part.uid, at: object.continuation(in: zone, by: directory), stated: stated,
                current: part.bundle.meeting)
        }
        let new = parts.compactMap { read -> DividedPart? in
            let uid = read.name.uid
            let all =
                known[uid].map { read.object.following($0, in: zone, by: directory) } ?? read.object
            let object = all.inEffect(in: zone, by: directory)
            let meeting = try? meetings.planned(
                of: object, id: MeetingID(text: ""), uid: uid, now: now)
            return meeting.map {
                DividedPart(
                    uid: uid, at: object.continuation(in: zone, by: directory), stated: $0,
                    current: $0)
            }
        }
        return SeriesInheritance(from: former.byDate, to: new.byDate) { directory.zoneIfKnown($0) }
    }

    /// True if an import may change a meeting: the actor organizes it, and nobody else takes part.
    func isOwn(_ bundle: MeetingBundle) -> Bool {
        bundle.meeting.organizer == actor.id
            && !bundle.participants.contains { $0.person != actor.id && !$0.isRemoved }
    }
}
