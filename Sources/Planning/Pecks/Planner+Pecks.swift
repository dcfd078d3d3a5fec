import Agenda
public import Ledger
public import Storage
import Timekeeping

/// The inbox of the actor. It never shows what somebody else got.
extension Planner {
    /// A part of the inbox, the newest first.
    ///
    /// - Parameters:
    ///   - part: the part.
    ///   - position: the position at which a list before this one ended; `nil` for the beginning.
    ///   - limit: the most notifications to return.
    /// - Returns: the notifications.
    /// - Throws: ``Refusal`` with `no_account` or `bad_position`.
    public func pecks(
        _ part: PeckFilter.Part = .all, from position: String? = nil, limit: Int
    ) async throws -> PeckList {
        try await checkHasInbox()
        var filter = PeckFilter(limit: limit + 1)
        filter.part = part
        if let position {
            guard let cursor = Peck.Cursor(text: position) else {
                throw Refusal(
                    .invalid, code: "bad_position", "\"\(position)\" is no position in a list.")
            }
            filter.after = cursor
        }
        let found = try await store.pecks(of: actor.id, filter, now: now)
        let shown = found.prefix(limit)
        var list = PeckList(
            pecks: shown.map { PeckView($0, now: now, reader: zone) },
            unread: try await store.unreadPecks(of: actor.id, now: now))
        list.next = found.count > limit ? shown.last?.cursor.text : nil
        return list
    }

    /// The notification with this id, or with an id that begins with it.
    ///
    /// - Throws: ``Refusal`` with `unknown_peck` or `ambiguous_peck`.
    public func peck(_ id: String) async throws -> PeckView {
        PeckView(try await storedPeck(id), now: now, reader: zone)
    }

    /// Marks notifications as read.
    ///
    /// - Parameter ids: the ids, or their beginnings; `nil` for everything that is not snoozed.
    /// - Returns: how many were unread, and how many are left.
    /// - Throws: ``Refusal`` with `no_account`, `unknown_peck` or `ambiguous_peck`; nothing is
    ///   changed then.
    public func readPecks(_ ids: [String]?) async throws -> PeckReading {
        try await checkHasInbox()
        var keys: [String]?
        if let ids {
            var found: [String] = []
            for id in ids { found.append(try await storedPeck(id).key) }
            keys = found
        }
        let count = try await store.readPecks(keys, of: actor.id, now: now)
        return PeckReading(
            read: count, unread: try await store.unreadPecks(of: actor.id, now: now))
    }

    /// Hides a notification until a time, at which it comes back unread.
    ///
    /// - Parameters:
    ///   - id: the id, or its beginning.
    ///   - time: the time as it was typed.
    /// - Returns: the notification.
    /// - Throws: ``Refusal`` with `unknown_peck`, `ambiguous_peck` or `snooze_in_past`, or
    ///   `TimeTextError` if the time cannot be read.
    public func snoozePeck(_ id: String, until time: String) async throws -> PeckView {
        let until = try moment(time, dayMeans: .start)
        let peck = try await storedPeck(id)
        guard until > now else {
            throw Refusal(
                .refused, code: "snooze_in_past", "The time until which it is hidden has passed.")
        }
        guard try await store.snoozePeck(peck.key, of: actor.id, until: until) else {
            throw Self.unknownPeck(id)
        }
        return try await self.peck(peck.key)
    }

    /// Every delivery of a notification to the actor, with its reason and its history.
    ///
    /// - Throws: ``Refusal`` with `unknown_peck` or `ambiguous_peck`.
    public func whyPeck(_ id: String) async throws -> [StoryView] {
        let peck = try await storedPeck(id)
        var filter = ledgerFilter(limit: Self.peckStoriesMax)
        filter.meeting = peck.meeting
        filter.person = actor.id
        filter.kind = peck.kind
        let stories = try await store.stories(filter).filter {
            let key = $0.record.row.key.notification
            return key.mark.text == peck.mark && key.occurrence == peck.occurrence
        }
        return stories.map(view(try await outlook()))
    }

    /// The kinds of notifications that an inbox can hold.
    public static let peckKinds = NotificationKind.allCases.filter(\.goesToInbox)

    /// The kinds of notifications that the actor wants in the inbox.
    public func wantedPeckKinds() async throws -> Set<NotificationKind> {
        Set(Self.peckKinds).subtracting(try await store.mutedPeckKinds(of: actor.id))
    }

    /// Chooses the kinds of notifications that the actor wants in the inbox. The others are removed
    /// from it. Mail and other channels bring them as before.
    ///
    /// - Throws: ``Refusal`` with `no_account`, or ``StoreError``.
    public func wantPecks(_ kinds: Set<NotificationKind>) async throws {
        try await checkHasInbox()
        _ = try await store.mutePeckKinds(
            Set(Self.peckKinds).subtracting(kinds), of: actor.id, now: now,
            replanning: replanning(because: Store.inboxChoiceReason))
    }

    /// Plans the coming meetings of a person again who has an inbox now, or has none any more.
    func followInbox(of person: PersonID) async throws {
        _ = try await store.replanMeetings(
            of: person, now: now, replanning: replanning(because: Store.inboxChoiceReason))
    }

    /// The most deliveries of a meeting to one person that are read for a story.
    private static let peckStoriesMax = 500

    private func storedPeck(_ id: String) async throws -> Peck {
        try await checkHasInbox()
        let key = id.lowercased()
        var filter = PeckFilter(limit: 2)
        filter.keyPrefix = key
        let isKey = key.utf8.count >= 4 && key.allSatisfy { $0.isLetter || $0.isNumber }
        let found = isKey ? try await store.pecks(of: actor.id, filter, now: now) : []
        guard let peck = found.first else { throw Self.unknownPeck(id) }
        guard found.count == 1 else {
            throw Refusal(
                .refused, code: "ambiguous_peck",
                "Several ids begin with \"\(id)\". Write more of it.",
                candidates: found.map { .word($0.key) }
            ).ofAmbiguous(id)
        }
        return peck
    }

    private static func unknownPeck(_ id: String) -> Refusal {
        Refusal(
            .refused, code: "unknown_peck", "Nothing in your inbox has the id \"\(id)\".",
            advice: [.deliveries(.inbox)])
    }

    private func checkHasInbox() async throws {
        guard try await store.account(of: actor.id) == nil else { return }
        throw Refusal(.refused, code: "no_account", "\(actor.name) has no account.")
    }
}
