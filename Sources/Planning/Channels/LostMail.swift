import Agenda
package import Interchange
import Ledger
package import Storage
package import Timekeeping

/// A mail about a coming meeting that came back or was refused, after which nothing reached its
/// reader.
package struct LostMail {
    /// The meeting's id.
    package let meeting: String
    /// The address.
    package let address: String
    /// The reason in words.
    package let reason: String

    /// The cause, as far as the words of the server tell it.
    package var cause: AddressRefusal.Cause { AddressRefusal.cause(of: reason) }

    /// The last mails to people that did not arrive, without those to suppressed addresses.
    ///
    /// - Parameters:
    ///   - store: the store.
    ///   - now: the current time.
    ///   - limit: the most meetings that are looked at, and the most suppressed addresses.
    /// - Returns: the mails, by the id of their meeting.
    /// - Throws: ``StoreError``.
    package static func all(
        in store: Store, now: Moment, limit: Int
    ) async throws -> [LostMail] {
        let shut = Set(
            try await store.suppressions(limit: limit)
                .filter { $0.holds(SinkKind.mail.name, at: now) }
                .map { MailAddress.folded($0.address) })
        var lost: [LostMail] = []
        for meeting in try await store.meetingsWithLostMail(now: now, limit: limit) {
            let rows = Dictionary(
                grouping: try await store.reach(in: meeting), by: \.person.text)
            lost += rows.sorted { $0.key < $1.key }.compactMap { ReachRow.lost(among: $0.value) }
                .filter { row in
                    row.channel == SinkKind.mail.name
                        && !shut.contains(MailAddress.folded(row.address))
                }
                .map {
                    LostMail(meeting: meeting.text, address: $0.address, reason: $0.failure)
                }
        }
        return lost
    }
}

extension Planner {
    /// A meeting with the reasons why nothing reaches some of its people, for those who may see
    /// their addresses.
    func notingReach(in view: MeetingView, of meeting: Meeting) async throws -> MeetingView {
        let rows = Dictionary(
            grouping: try await store.reach(in: meeting.id), by: \.person.text)
        var noted = view
        for (place, guest) in view.participants.enumerated()
        where maySeeAddress(of: PersonID(text: guest.id), in: meeting) {
            let isOpen = actsAsOwner || guest.id == actor.id.text
            let obstacle = rows[guest.id].flatMap(ReachRow.obstacle).map { row in
                isOpen ? row.words : row.words(knowing: guest.address)
            }
            // An address may have been added since.
            let isMissing = obstacle?.hasPrefix(LedgerRow.missingAddressMark) ?? false
            noted.participants[place].unreached =
                isMissing && guest.address != nil ? nil : obstacle
        }
        return noted
    }
}

extension MeetingView {
    /// The beginning of the reason for which a person is not reached if their last mail bounced.
    public static let bounceMark = Store.bounceMark
    /// The beginning of the reason for which a person is not reached if no address is known.
    public static let missingAddressMark = LedgerRow.missingAddressMark
    /// The beginning of the reason for which a person is not reached if their last message was
    /// refused.
    public static let refusalMark = LedgerRow.refusalMark
}

extension ReachRow {
    /// The delivery that shows why nothing reaches a person: the last message to them bounced or
    /// was refused, or their address is missing or suppressed and they have no other channel.
    fileprivate static func obstacle(_ all: [ReachRow]) -> ReachRow? {
        if let lost = lost(among: all) { return lost }
        let rows = counting(all)
        guard !rows.contains(where: { $0.state == .planned }),
            let row = rows.last(where: { $0.state == .suppressed })
        else { return nil }
        let isMissing = row.reason.hasPrefix(LedgerRow.missingAddressMark)
        return isMissing && rows.last?.state == .accepted ? nil : row
    }

    /// The reason why nothing reaches the person.
    fileprivate var words: String { state == .suppressed ? reason : failure }

    /// The same for an organizer who knows only this address of the person.
    fileprivate func words(knowing known: String?) -> String {
        let isHidden = channel == SinkKind.mail.name && !address.isEmpty && address != known
        return isHidden ? OthersReason.disguised(words) : OthersReason.shown(words)
    }

    /// The last message to a person if it bounced or was refused; `nil` if another is to be sent to
    /// another address, or if the person has answered since.
    fileprivate static func lost(among all: [ReachRow]) -> ReachRow? {
        let rows = counting(all)
        let tried = rows.enumerated().filter { $1.state == .accepted || $1.state == .failed }
        let last = tried.max { left, right in
            (left.element.triedAt ?? .earliest, left.offset)
                < (right.element.triedAt ?? .earliest, right.offset)
        }?.element
        guard let last, last.bounce != nil || last.state == .failed, !last.isAnswered,
            !rows.contains(where: { $0.isAnotherWay(than: last) })
        else { return nil }
        return last
    }

    /// The rows that count: what the daemon only prints reaches nobody.
    private static func counting(_ all: [ReachRow]) -> [ReachRow] {
        let sent = all.filter { $0.channel != SinkKind.stdout.name }
        return sent.isEmpty ? all : sent
    }

    /// The reason why a message did not arrive.
    fileprivate var failure: String { bounce ?? MeetingView.refusalMark + reason }

    /// True if it waits to be sent to another address than a failed one.
    private func isAnotherWay(than failed: ReachRow) -> Bool {
        state == .planned && (channel, address) != (failed.channel, failed.address)
    }
}
