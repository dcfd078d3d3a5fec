public import Ledger

/// What one person, or one audience, has been told of a meeting, or may have been.
struct Told: Equatable {
    /// The highest revision that an invitation or a change carried to them; `nil` when none did.
    var revision: Int?
    /// Whether the last word was that it is off for them.
    var isOff = false
    /// The highest revision that anything told them, a cancellation included.
    var heard: Int?
    /// How often they were told so: an invitation after that needs a mark of its own.
    var cancellations = 0
    /// Notifications that reached them or are on their way.
    var notifications: Set<NotificationKey> = []

    /// Whether they know of the meeting and think that it concerns them.
    var isOn: Bool { revision != nil && !isOff }
}

extension Told {
    /// Reads from the ledger what each person and each audience has been told of a meeting; of a
    /// series what they have been told of the whole.
    static func read(_ rows: [LedgerRow]) -> [Receiver: Told] {
        var receivers: [Receiver: Told] = [:]
        for row in rows where row.mayHaveArrived && row.key.notification.occurrence.isEmpty {
            receivers[row.key.notification.receiver, default: Told()].note(row.key.notification)
        }
        for (receiver, told) in receivers {
            receivers[receiver]?.isOff = told.isLastWordOff
        }
        return receivers
    }

    /// The same of somebody who knew a revision without being told of it.
    func knowing(_ revision: Int?) -> Told {
        guard let revision else { return self }
        var told = self
        told.revision = max(told.revision ?? 0, revision)
        return told
    }

    private mutating func note(_ key: NotificationKey) {
        guard notifications.insert(key).inserted else { return }
        if key.kind.isNews { heard = max(heard ?? 0, ToldMark(key.mark).revision) }
        switch key.kind {
        case .invitation, .change:
            revision = max(revision ?? 0, ToldMark(key.mark).revision)
        case .cancellation:
            cancellations += 1
        case .reminder, .nudge, .message, .answer, .proposal, .refusal, .link, .digest, .alarm:
            break
        }
    }

    /// Reads what each knows of one date of a series. What told of the whole told of its dates as
    /// they were by then, and what told of this one since then counts more.
    ///
    /// - Parameters:
    ///   - rows: those of the date.
    ///   - whole: what each knows of dates by what told of the whole: ``ofDates``.
    ///   - leftOut: who is not asked to the date, though to all, and since which revision.
    /// - Returns: what each knows of the date.
    static func read(
        date rows: [LedgerRow], knowing whole: [Receiver: Told], leftOut: [Receiver: Int]
    ) -> [Receiver: Told] {
        var receivers = whole
        for (receiver, since) in leftOut where receivers[receiver]?.heard ?? -1 >= since {
            receivers[receiver]?.isOff = true
        }
        let news = rows.filter(\.mayHaveArrived).map(\.key.notification).sorted {
            let (left, right) = (ToldMark($0.mark), ToldMark($1.mark))
            return (left.revision, left.round) < (right.revision, right.round)
        }
        for key in news {
            receivers[key.receiver, default: Told()]
                .note(key, after: whole[key.receiver]?.heard ?? -1)
        }
        return receivers
    }

    /// The same of the dates of the series that it is about.
    var ofDates: Told {
        Told(revision: revision, isOff: isOff, heard: heard)
    }

    private mutating func note(_ key: NotificationKey, after heard: Int) {
        let known = self
        note(key)
        guard key.kind.isNews else { return }
        guard ToldMark(key.mark).revision > heard else {
            (revision, isOff) = (known.revision, known.isOff)
            return
        }
        isOff = key.kind == .cancellation
    }

    /// Rounds go up with each cancellation, so the last word is off exactly when no invitation or
    /// change belongs to the round that follows it.
    private var isLastWordOff: Bool {
        let rounds = notifications.compactMap { key -> Int? in
            switch key.kind {
            case .invitation, .change: ToldMark(key.mark).round
            case .cancellation, .reminder, .nudge, .message, .answer, .proposal, .refusal, .link,
                .digest, .alarm:
                nil
            }
        }
        return cancellations > (rounds.max() ?? 0)
    }

    /// The mark by which they were told last that it is off for them.
    var lastCancellation: ToldMark? {
        notifications.filter { $0.kind == .cancellation }.map { ToldMark($0.mark) }
            .max { $0.round < $1.round }
    }
}

extension [LedgerRow] {
    /// Whether the last that somebody was told of a meeting, or of one date of it, was that it is
    /// off for them.
    public func haveToldOff(_ person: PersonID, on date: String) -> Bool {
        let told = filter { row in
            let key = row.key.notification
            return row.mayHaveArrived && key.kind.isNews && key.occurrence == date
                && key.receiver == .person(person.text)
        }.map { (mark: ToldMark($0.key.notification.mark), kind: $0.key.notification.kind) }
        let last = told.max { left, right in
            (left.mark.round, left.mark.revision, left.kind == .cancellation ? 1 : 0)
                < (right.mark.round, right.mark.revision, right.kind == .cancellation ? 1 : 0)
        }
        return last?.kind == .cancellation
    }
}

/// The mark of an invitation, a change or a cancellation: the revision told, and, for somebody
/// who was uninvited and is asked again, how often that has happened: `3`, later `3/1`.
struct ToldMark: Equatable {
    let revision: Int
    let round: Int

    init(revision: Int, round: Int) {
        self.revision = revision
        self.round = round
    }

    init(_ text: String) {
        let parts = text.split(separator: "/")
        revision = parts.first.flatMap { Int($0) } ?? 0
        round = parts.dropFirst().first.flatMap { Int($0) } ?? 0
    }

    var text: String { round == 0 ? "\(revision)" : "\(revision)/\(round)" }
}

extension NotificationKey {
    /// How often its person had been taken off the meeting before they were told this.
    public var round: Int { Self.round(ofMark: mark) }

    /// The same of the mark of an invitation, a change or a cancellation.
    public static func round(ofMark mark: String) -> Int { ToldMark(mark).round }
}
