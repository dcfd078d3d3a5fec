import Settings
import Wording
public import Agenda
import Ledger

/// The reach of the enabled sinks: single people, or only the terminal of the daemon.
extension Planner {
    /// True if an enabled sink delivers to single people, and not only to the terminal of the
    /// daemon.
    public var reachesPeople: Bool {
        sinks.contains { $0.name != SinkKind.stdout.name && $0.readers == .people }
    }

    /// True if letsmeetd prints all messages because no sink was ever chosen.
    public var onlyPrints: Bool {
        !surroundings.configuration.namesSinks && sinksBesidesInbox == [.stdout]
    }

    /// The enabled sinks, without the inbox of those who have an account.
    private var sinksBesidesInbox: [SinkKind] { sinks.filter { $0.readers != .accounts } }

    /// The remark that guests get no messages while letsmeetd only prints them, without advice.
    public static let onlyPrinting = Phrase(
        "Your guests will not be notified: no mail server is set up, so letsmeetd only prints the "
            + "messages.")

    /// Adds a remark to a meeting whose new guests nothing reaches.
    ///
    /// - Parameters:
    ///   - outcome: the meeting.
    ///   - isMade: false for a preview of a new meeting, which has no links yet.
    /// - Returns: the outcome with the remark.
    func notingReach(in outcome: MeetingOutcome, isMade: Bool = true) -> MeetingOutcome {
        let invitations = outcome.notifications.added.filter {
            $0.kind == .invitation && $0.state == .planned && $0.person != nil
        }
        var noted = outcome
        if let remark = Self.remark(onUnaddressed: outcome.notifications) {
            noted.remarks.append(remark)
        }
        // Guests with an account find the invitation in their inbox.
        let isAnyOnlyPrinted = Dictionary(grouping: invitations, by: \.person).values.contains {
            $0.allSatisfy { $0.channel == SinkKind.stdout.name }
        }
        if onlyPrints, isAnyOnlyPrinted {
            let mail = Advice.installation(.setUpMail)
            let links = Advice.meetings(.handOutLinks(outcome.meeting.id))
            noted.remarks.append(
                isMade
                    ? Remark(Self.onlyPrinting, advice: mail, links)
                    : Remark(Self.onlyPrinting, advice: mail))
        } else if invitations.isEmpty, outcome.meeting.participants.count > 1,
            !sinks.contains(where: { $0.readers == .people })
        {
            noted.remarks.append(
                Remark(
                    Phrase(
                        "No guest will be notified, because the enabled sinks (%sinks%) do not "
                            + "reach single people. Add mail to `sinks`.",
                        ["sinks": .names(sinksBesidesInbox.map(\.name))])))
        }
        return noted
    }

    /// The most people that a remark names.
    private static let namesMax = 5

    /// The remark on people who are invited and have no address; `nil` if there are none.
    private static func remark(onUnaddressed notifications: NotificationsView) -> Remark? {
        let names = notifications.added.filter {
            $0.kind == .invitation && $0.isWithoutAddress
        }.map(\.name).uniqued().sorted()
        guard let first = names.first else { return nil }
        let shown = Phrase.Value.names(
            Array(names.prefix(namesMax)), rest: max(0, names.count - namesMax))
        return Remark(
            Phrase(
                names.count == 1
                    ? "%names% has no mail address and gets no mail."
                    : "%names% have no mail address and get no mail.",
                ["names": shown]),
            advice: .people(.setAddress(of: names.count == 1 ? first : nil)))
    }
}
