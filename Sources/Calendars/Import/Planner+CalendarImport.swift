import Agenda
import Interchange
import Ledger
public import Planning
import Secrets
import Storage
import Synchronization
import Timekeeping

extension Planner {
    /// The number of objects to save in one transaction.
    private static let importObjectsMax = 200

    /// Imports calendar files: each event becomes a meeting without guests, and all other objects
    /// are stored unchanged. Objects that were imported before are updated, not duplicated.
    ///
    /// - Parameters:
    ///   - paths: the files; `-` for standard input.
    ///   - datesMax: the dates of all series together from which on no further series is planned.
    ///   - seriesMax: the most series of the actor that go on.
    ///   - datesOfDayMax: the most dates of them a day, on average.
    ///   - entriesMax: the number of imported entries from which on the actor imports no new ones,
    ///     unless they own the installation.
    ///   - progress: called after each transaction with the number of objects saved so far and the
    ///     total of the files that were read.
    /// - Returns: the result for all objects in the files.
    /// - Throws: ``Refusal`` with `unreadable_file`, or with `nothing_read` if there is nothing to
    ///   import or a file is too large.
    public func importCalendars(
        _ paths: [String], datesMax: Int = 1_000_000, seriesMax: Int = 5000,
        datesOfDayMax: Int = 1000, entriesMax: Int = Planner.calendarEntriesMax,
        progress: (_ done: Int, _ of: Int) -> Void = { _, _ in }
    ) async throws -> CalendarImportReport {
        try Self.checkLimits(of: paths)
        let budget = try await budget(
            SeriesBudget.Limits(
                laidOut: datesMax, series: seriesMax, datesOfDay: datesOfDayMax))
        var report = CalendarImportReport()
        var outdated: Set<String> = []
        var datesLeft = CalendarObject.comparedDatesMax
        for path in paths {
            let read = try objects(in: path, datesLeft: &datesLeft, report: &report)
            let fitting = try await fitting(read, entriesMax: entriesMax, report: &report)
            try await save(
                fitting, budget, outdated: &outdated, report: &report, progress: progress)
        }
        guard report.read > 0 || !report.skipped.isEmpty else { throw Self.nothingRead(report) }
        return report
    }

    /// The budget for an import, with the series of the actor that go on.
    private func budget(_ limits: SeriesBudget.Limits) async throws -> SeriesBudget {
        var filter = MeetingFilter(limit: 1)
        filter.organizer = actor.id
        filter.endsAfter = now
        filter.isOnlyConfirmed = true
        let budget = SeriesBudget(limits)
        for listing in try await store.series(filter, limit: limits.series) {
            budget.count(listing.meeting, in: home(of: listing.meeting), now: now)
        }
        return budget
    }

    private func home(of meeting: Meeting) -> Zone {
        surroundings.zones.zoneIfKnown(meeting.time.zone) ?? zone
    }

    /// Saves the objects of a file.
    ///
    /// - Parameters:
    ///   - read: the objects.
    ///   - budget: the series that may be planned.
    ///   - outdated: the UIDs of series that were older than the known versions.
    ///   - report: gets the outcomes.
    ///   - progress: called after each transaction.
    /// - Throws: ``StoreError``.
    private func save(
        _ read: [ReadObject], _ budget: SeriesBudget, outdated: inout Set<String>,
        report: inout CalendarImportReport, progress: (_ done: Int, _ of: Int) -> Void
    ) async throws {
        let before = report.read
        var found = try await divided(read)
        report.warnings += doubts(about: found)
        let (shares, lost) = try await seriesShares(among: found)
        found += try await endedContinuations(besides: found)
        report.read += found.count
        for start in stride(from: 0, to: found.count, by: Self.importObjectsMax) {
            let chunk = Array(found[start..<min(start + Self.importObjectsMax, found.count)])
            let outcomes = try await save(chunk, shares, budget, besides: outdated)
            for (object, outcome) in zip(chunk, outcomes) {
                report.take(outcome, of: object)
                if outcome == .skipped(Self.outdated), object.object.isWhole {
                    outdated.insert(object.name.uid)
                }
            }
            progress(before + start + chunk.count, report.read)
        }
        report.warnings += lost
    }

    /// The objects, with changes to single dates given to the continuations of their series.
    private func divided(_ found: [ReadObject]) async throws -> [ReadObject] {
        let wholes = Set(found.filter(\.object.isWhole).map(\.name.uid))
        let single = Set(found.map(\.name.uid)).subtracting(wholes)
        guard !single.isEmpty else { return found }
        let known = try await store.calendarContinuations(of: actor.id).filter { uid in
            CalendarObject.wholeUID(of: uid).map(single.contains) ?? false
        }
        let series = Dictionary(
            grouping: try await store.calendarTexts(of: known, readBy: actor.id)
                .compactMap(CalendarObject.init(text:))
        ) { CalendarObject.wholeUID(of: $0.uid) ?? "" }
        return found.flatMap { read in
            guard !read.object.isWhole, let later = series[read.name.uid] else { return [read] }
            return read.divided(among: later, in: zone, by: surroundings.zones)
        }
    }

    /// Cancellations of meetings that continued an imported event from some date on, if its new
    /// file no longer contains them.
    private func endedContinuations(besides found: [ReadObject]) async throws -> [ReadObject] {
        let wholes = Dictionary(
            found.filter(\.object.isWhole).map { ($0.name.uid, $0) }, uniquingKeysWith: { $1 })
        let known = try await store.calendarContinuations(of: actor.id)
        return known.compactMap { uid in
            guard wholes[uid] == nil, let whole = CalendarObject.wholeUID(of: uid) else {
                return nil
            }
            return wholes[whole]?.ending(uid)
        }
    }

    /// Warnings about differences between objects and their meetings.
    private func doubts(about found: [ReadObject]) -> [ImportReport.Skipped] {
        let meetings = CalendarMeetings(
            own: zone, directory: surroundings.zones, organizer: actor.id, address: actor.address)
        return found.flatMap { read in
            meetings.doubts(about: read.object).map(read.remark)
        }
    }

    private static func nothingRead(_ report: CalendarImportReport) -> Refusal {
        let reasons = report.warnings.prefix(5).map { part in
            "\(part.file)\(part.line.map { ", line \($0)" } ?? ""): \(part.reason)"
        }
        let sentence = "There is no event, task or other calendar object to import."
        return Refusal(
            .invalid, code: "nothing_read", ([sentence] + reasons).joined(separator: "\n  "))
    }

    private static let outdated = "is older than the version that was imported before"

    /// Saves objects in one transaction.
    ///
    /// - Parameters:
    ///   - chunk: the objects.
    ///   - shares: what they take over from other parts of their series, by their UIDs.
    ///   - budget: the series that may be planned.
    ///   - outdated: the UIDs of series that were older than the known versions.
    /// - Returns: the outcomes.
    /// - Throws: ``StoreError``.
    private func save(
        _ chunk: [ReadObject], _ shares: [String: SeriesShare], _ budget: SeriesBudget,
        besides outdated: Set<String>
    ) async throws -> [CalendarImportOutcome] {
        let now = self.now
        let meetings = CalendarMeetings(
            own: zone, directory: surroundings.zones, organizer: actor.id, address: actor.address,
            budget: budget)
        // The store may repeat the transaction, so an outcome may be set more than once.
        let outcomes = Mutex<[Int: CalendarImportOutcome]>([:])
        try await store.importCalendarObjects(
            chunk.map(\.name), owner: actor.id, now: now
        ) { place, state in
            let isOutdated = CalendarObject.wholeUID(of: chunk[place].name.uid).map { uid in
                let series = chunk.firstIndex { $0.name.uid == uid && $0.object.isWhole }
                let outcome = outcomes.withLock { known in series.flatMap { known[$0] } }
                return outdated.contains(uid) || outcome == .skipped(Self.outdated)
            }
            let read = chunk[place]
            // A known version is not read again: that takes memory, and most files are unchanged.
            let isSame = state.holds(read.object, in: zone, by: surroundings.zones)
            let (change, outcome): (CalendarObjectChange, CalendarImportOutcome) =
                isOutdated == true
                ? (.none, .skipped(Self.outdated))
                : isSame
                    ? (.none, .unchanged)
                    : try imported(
                        read, state, sharing: shares[read.name.uid], by: meetings, now: now)
            let isKnown = outcome == .unchanged && state.bundle == nil
            outcomes.withLock { $0[place] = isKnown ? .known : outcome }
            return change
        }
        let found = outcomes.withLock(\.self)
        return chunk.indices.map { found[$0] ?? .unchanged }
    }

    /// The change that an import makes for one object, and its outcome.
    private func imported(
        _ read: ReadObject, _ state: CalendarObjectState, sharing share: SeriesShare?,
        by meetings: CalendarMeetings, now: Moment
    ) throws -> (CalendarObjectChange, CalendarImportOutcome) {
        let known = state.text.flatMap(CalendarObject.init(text:)).map {
            // Single dates that were stored by earlier versions have no marks.
            $0.isWhole ? $0 : $0.marked()
        }
        let directory = surroundings.zones
        if let known, let reason = read.object.obstacle(besides: known, by: directory) {
            return (.none, .skipped(reason))
        }
        let all = known.map { read.object.following($0, in: zone, by: directory) } ?? read.object
        let object = all.inEffect(in: zone, by: directory)
        let text = CalendarObjectText(all, shown: object)
        let isKnown =
            text.text == state.text && text.takesTime == state.takesTime
            && text.nature == state.nature
        let isOlder = known.map { read.object.isOlder(than: $0, in: zone, by: directory) } ?? false
        let same = isOlder ? CalendarImportOutcome.skipped(Self.outdated) : .unchanged
        guard !isKnown else { return (.none, same) }
        let id = state.bundle?.meeting.id ?? surroundings.chance.id()
        do throws(Unplanned) {
            // The UID of another person's meeting cannot be used again, so it gets a suffix.
            let free = state.isTaken ? "\(object.uid)+for=\(actor.id.text)" : object.uid
            let uid = state.bundle?.meeting.uid ?? free
            let budget = meetings.budget
            _ = state.bundle.map { budget.count($0.meeting, in: home(of: $0.meeting), now: now) }
            guard let bundle = state.bundle else {
                let meeting = try meetings.planned(of: object, id: id, uid: uid, now: now)
                try budget.take(meeting, in: home(of: meeting), now: now)
                return try added(meeting, sharing: share, wishes: state.wishes, text, now: now)
            }
            let meeting = try meetings.version(of: object, id: id, uid: uid, now: now)
            try budget.take(meeting, in: home(of: meeting), now: now)
            let base = known.flatMap {
                meetings.described(by: $0, like: bundle.meeting, now: now)
            }
            let versions = base.map { (base: $0, current: bundle.meeting) }
            let merge = merge(of: meeting, since: versions, sharing: share)
            let (change, result) = try updated(
                bundle, to: merge?.merged ?? meeting, text, isRead: state.text != nil, now: now)
            let outcome = result.noting(merge?.remarks ?? [])
            let isSame =
                known?.inEffect(in: zone, by: directory).saysSame(as: object, by: directory)
                == true
            return (change, isSame ? same : outcome)
        } catch {
            guard let bundle = state.bundle else {
                // What is stored would count as known the next time.
                return error.isTemporary
                    ? (.none, .skipped(error.reason)) : (.kept(text), .kept(error.reason))
            }
            guard error == .off else { return (.none, .skipped(error.reason)) }
            var meeting = bundle.meeting
            meeting.status = .cancelled
            meeting.sequence = max(meeting.sequence, object.sequence)
            return try updated(bundle, to: meeting, text, isRead: state.text != nil, now: now)
        }
    }

    /// A new meeting, with what it takes over from other parts of its series.
    private func added(
        _ read: Meeting, sharing share: SeriesShare?, wishes: PersonalWishes,
        _ text: CalendarObjectText, now: Moment
    ) throws(Unplanned) -> (CalendarObjectChange, CalendarImportOutcome) {
        let merge = merge(of: read, since: nil, sharing: share)
        let meeting = merge?.merged ?? read
        guard meeting.status == .confirmed else {
            return (.kept(text), .kept("continues a series that you cancelled here"))
        }
        return (
            try made(meeting, wishes: wishes, text, now: now),
            .imported(noting: merge?.remarks ?? [])
        )
    }

    /// Combines what was read of a meeting with what was changed here.
    ///
    /// - Parameters:
    ///   - read: the meeting as the new version describes it.
    ///   - known: the meeting as the known version describes it, and as it is; `nil` if that is not
    ///     known.
    ///   - share: what it takes over from other parts of its series.
    /// - Returns: the combination; `nil` if the file alone counts.
    private func merge(
        of read: Meeting, since known: (base: Meeting, current: Meeting)?,
        sharing share: SeriesShare?
    ) -> ImportMerge? {
        guard known != nil || share != nil else { return nil }
        // A part that begins again follows another one, not what it was before it ended.
        let followed = share?.followed.map {
            (base: $0.base.withoutDateChanges, current: $0.current.withoutDateChanges)
        }
        let (base, current) = followed ?? known ?? (base: read, current: read)
        return ImportMerge(
            of: base, changedTo: current, and: read, sharing: share ?? SeriesShare()
        ) { surroundings.zones.zoneIfKnown($0) }
    }

    private func made(
        _ meeting: Meeting, wishes: PersonalWishes, _ text: CalendarObjectText, now: Moment
    ) throws(Unplanned) -> CalendarObjectChange {
        let bundle = MeetingBundle(
            meeting: meeting, participants: [Participant(person: actor.id, answer: .going)],
            people: [actor.id: actor], wishes: wishes)
        var draft = MeetingDraft(bundle)
        draft.isQuiet = true
        return .made(try plan(draft, .created, now: now), text)
    }

    /// Updates an existing meeting to match the file, unless it was planned here, has other
    /// participants, or belongs to another organizer.
    private func updated(
        _ bundle: MeetingBundle, to meeting: Meeting, _ text: CalendarObjectText, isRead: Bool,
        now: Moment
    ) throws(Unplanned) -> (CalendarObjectChange, CalendarImportOutcome) {
        guard !meeting.isSameInCalendars(as: bundle.meeting) else {
            return isRead
                ? (.revised(try plan(MeetingDraft(bundle), nil, now: now), text), .updated())
                : (.none, .unchanged)
        }
        guard isRead, isOwn(bundle) else {
            return (
                .none,
                .skipped(
                    "is planned here as \(bundle.meeting.id.text): edit that meeting, not the file")
            )
        }
        var draft = MeetingDraft(bundle)
        draft.isQuiet = true
        draft.take(meeting, in: surroundings.zones.zoneIfKnown(meeting.time.zone) ?? zone)
        return (.revised(try plan(draft, .edited, now: now), text), .updated())
    }

    private func plan(
        _ draft: MeetingDraft, _ deed: MeetingAct.Deed?, now: Moment
    ) throws(Unplanned) -> MeetingRevision {
        do {
            return try drafting.numbered(
                draft, deed: deed, reason: "imported from a calendar file", now: now)
        } catch {
            throw Unplanned("cannot become a meeting: \(error)")
        }
    }
}

extension CalendarObjectState {
    /// True if exactly this object is stored.
    fileprivate func holds(
        _ object: CalendarObject, in own: Zone, by directory: ZoneDirectory
    ) -> Bool {
        guard let text, text == object.text else { return false }
        let shown = object.inEffect(in: own, by: directory)
        return shown.takesTime == takesTime && shown.nature == nature
    }
}

extension Unplanned {
    static let off = Unplanned("is cancelled")
    static let declined = Unplanned("is an invitation that you declined")
}
