import Agenda
import Ledger
import Storage
import Timekeeping

extension Planner {
    /// The most people whom a member may invite within 24 hours. This limit and those below do not
    /// apply to the owner of the installation.
    private static let invitationsMax = 1000
    /// The most planned deliveries for the coming meetings of a member.
    private static let deliveriesMax = 20_000
    /// The most invitations, changes and other messages that a member may cause within 24 hours.
    private static let messagesMax = 5000
    /// The most of them to one person, and the most reminders to one person on a day.
    private static let messagesToOneMax = 100
    /// The most recurring meetings of a member that have not ended.
    private static let seriesMax = 200
    private static let daySeconds: Int64 = 86_400

    /// Checks that the actor may invite some more people, so that nobody sends mails to thousands
    /// of strangers through somebody else's server.
    ///
    /// - Parameter count: the number of people to invite.
    /// - Throws: ``Refusal`` with `too_many_invitations` or another limit of members.
    func checkMayInvite(_ count: Int) async throws {
        guard let limit = organizerLimit, count > 0 else { return }
        var load = try await store.load(of: limit)
        load.invitations += count
        try limit.check(load)
    }

    /// The limit for a change of a meeting that adds nobody and no date: each change is told to all
    /// its people. `nil` for the owner.
    var messageLimit: OrganizerLimit? {
        guard !actsAsOwner else { return nil }
        let since = now.advanced(bySeconds: -Self.daySeconds)
        return OrganizerLimit(of: actor.id, since: since, now: now) { [owner] load in
            try Self.checkMessages(
                of: load, "\(owner.name), the owner of this installation, may have more.")
        }
    }

    private static func checkMessages(
        of load: OrganizerLoad, _ may: String
    ) throws(Refusal) {
        guard load.messagesToOne <= messagesToOneMax else {
            throw Refusal(
                .refused, code: "too_many_messages",
                "Your meetings would cause more than \(messagesToOneMax) messages to one person "
                    + "within 24 hours. \(may)")
        }
        guard load.remindersToOne <= messagesToOneMax else {
            throw Refusal(
                .refused, code: "too_many_messages",
                "Your meetings would cause more than \(messagesToOneMax) reminders to one person "
                    + "on one day. \(may)")
        }
        guard load.messages > messagesMax else { return }
        throw Refusal(
            .refused, code: "too_many_messages",
            "Your meetings would cause more than \(messagesMax) messages within 24 hours. \(may)")
    }

    /// The limit for the actor; `nil` for the owner.
    var organizerLimit: OrganizerLimit? {
        guard !actsAsOwner else { return nil }
        let since = now.advanced(bySeconds: -Self.daySeconds)
        return OrganizerLimit(of: actor.id, since: since, now: now) { [owner] load in
            let may = "\(owner.name), the owner of this installation, may have more."
            if load.invitations > Self.invitationsMax {
                throw Refusal(
                    .refused, code: "too_many_invitations",
                    "More than \(Self.invitationsMax) people would be invited by you within 24 "
                        + "hours. \(may)")
            }
            try Self.checkMessages(of: load, may)
            if load.deliveries > Self.deliveriesMax {
                throw Refusal(
                    .refused, code: "too_many_deliveries",
                    "Your meetings would have more than \(Self.deliveriesMax) reminders and other "
                        + "deliveries. \(may)")
            }
            if load.series > Self.seriesMax {
                throw Refusal(
                    .refused, code: "too_many_series",
                    "You would have more than \(Self.seriesMax) meetings that repeat. \(may)")
            }
        }
    }
}
