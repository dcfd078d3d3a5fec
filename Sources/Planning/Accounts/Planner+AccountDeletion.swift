import Agenda
import Ledger
import Storage

/// The consequences of deleting the actor's account.
public struct AccountDeletion: Sendable {
    /// The meetings of the actor that have not ended. They are cancelled.
    public let meetings: [MeetingLine]
    /// True if there are more of them than can be cancelled at once.
    public let isTooMuch: Bool
    /// False for the owner of the installation.
    public let isPossible: Bool
}

/// Deleting one's own account.
extension Planner {
    /// The most meetings that are cancelled together with an account.
    public static let cancelledWithAccountMax = 200

    /// The consequences of deleting the actor's account.
    public func accountDeletion() async throws -> AccountDeletion {
        guard actor.id != owner.id else {
            return AccountDeletion(meetings: [], isTooMuch: false, isPossible: false)
        }
        var filter = MeetingFilter(limit: Self.cancelledWithAccountMax + 1)
        filter.organizer = actor.id
        filter.reader = actor.id
        filter.endsAfter = now
        filter.isOnlyConfirmed = true
        let meetings = try await summaries(filter).map(line)
        return AccountDeletion(
            meetings: Array(meetings.prefix(Self.cancelledWithAccountMax)),
            isTooMuch: meetings.count > Self.cancelledWithAccountMax, isPossible: true)
    }

    /// Deletes the actor's account: cancels their meetings that have not ended, and signs them out
    /// everywhere.
    ///
    /// - Parameter typed: the actor's name, which they typed to confirm it.
    /// - Throws: ``Refusal`` with `owner_stays`, `name_differs`, `too_many_meetings`, `organizes`
    ///   or `sending`.
    public func deleteAccount(confirmedBy typed: String) async throws {
        let deletion = try await accountDeletion()
        guard deletion.isPossible else {
            throw Refusal(
                .refused, code: "owner_stays",
                "The owner of this installation cannot delete their account: nobody could run it.")
        }
        guard !typed.isEmpty, SearchKey.isSameName(typed, actor.name) else {
            throw Refusal(
                .refused, code: "name_differs", "Type your name as it stands on this page.")
        }
        guard !deletion.isTooMuch else {
            throw Refusal(
                .refused, code: "too_many_meetings",
                "You have more than \(Self.cancelledWithAccountMax) coming meetings. Cancel some "
                    + "of them first.")
        }
        for id in Set(deletion.meetings.map(\.id)) {
            _ = try await cancelMeeting(MeetingID(text: id), saving: true)
        }
        try await closeAccount()
    }

    private func closeAccount() async throws {
        do {
            try await store.closeAccount(of: actor.id, now: now)
        } catch ErasureObstacle.organizes(let title) {
            throw Refusal(
                .refused, code: "organizes",
                "You organize the coming meeting \"\(title)\". Cancel it first.")
        } catch ErasureObstacle.isSending {
            throw Refusal(
                .refused, code: "sending",
                "A notification is being sent to you right now. Try again in a moment.")
        }
        try await store.note(AccessAct(.deleted, of: actor.id, by: actor.id, at: now))
        try await store.replanMeetings(
            of: actor.id, now: now, replanning: replanning(because: "the account was deleted"))
    }
}
