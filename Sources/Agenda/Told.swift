public import Ledger

/// What one person, or one audience, has been told of a meeting, or may have been.
struct Told: Equatable {
    /// The highest revision that an invitation or a change carried to them; `nil` when none did.
    var revision: Int?
    /// Whether the last word was that it is off for them.
    var isOff = false
    /// How often they were told so: an invitation after that needs a mark of its own.
    var cancellations = 0
    /// Notifications that reached them or are on their way.
    var notifications: Set<NotificationKey> = []

    /// Whether they know of the meeting and think that it concerns them.
    var isOn: Bool { revision != nil && !isOff }
}

extension Told {
    /// Reads from the ledger what each person and each audience has been told.
    static func read(_ rows: [LedgerRow]) -> [Receiver: Told] {
        var receivers: [Receiver: Told] = [:]
        for row in rows where row.mayHaveArrived {
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
        switch key.kind {
        case .invitation, .change:
            revision = max(revision ?? 0, ToldMark(key.mark).revision)
        case .cancellation:
            cancellations += 1
        case .reminder, .nudge, .message, .answer, .proposal, .refusal, .link, .digest, .alarm:
            break
        }
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
