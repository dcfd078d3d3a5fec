import Agenda
import Interchange
import Planning
import Storage
import Timekeeping
import Wording

/// The checks of the mail addresses of people.
extension Doctor {
    /// The most suppressed addresses that are read.
    private static let suppressionsMax = 1000
    /// The most addresses that are listed.
    private static let addressesMax = 5

    /// Warnings about addresses whose mail bounced, other mails that did not arrive, and guests
    /// without an address; empty if there are none.
    func addressChecks(of store: Store) async throws -> [HealthCheck] {
        try await bouncedAddressesCheck(of: store) + lostMailsCheck(of: store)
            + unaddressedPeopleCheck(of: store)
    }

    /// The addresses are shortened like all others in a report.
    private func bouncedAddressesCheck(of store: Store) async throws -> [HealthCheck] {
        let bounced = try await store.bouncedAddresses(
            now: clock.now, limit: Self.suppressionsMax)
        guard !bounced.isEmpty else { return [] }
        let listed = bounced.prefix(Self.addressesMax).map { "\($0.address) (\($0.reason))" }
        let rest = bounced.count - listed.count
        let more = rest > 0 ? " and \(rest) more" : ""
        let count = TimeWords.count(bounced.count, "address", plural: "addresses")
        return [
            HealthCheck(
                "bounced mail", .warning,
                "nothing is sent to \(count): \(listed.joined(separator: ", "))\(more)",
                advice: [.people(.setAddress(of: nil)), .channels(.listSuppressions)])
        ]
    }

    /// Meetings are named by their ids only, because others may see the report.
    private func lostMailsCheck(of store: Store) async throws -> [HealthCheck] {
        let lost = try await LostMail.all(
            in: store, now: clock.now, limit: Self.suppressionsMax)
        guard let first = lost.first else { return [] }
        let listed = lost.prefix(Self.addressesMax).map {
            "\($0.address) (meeting \($0.meeting.prefix(8)), \($0.reason))"
        }
        let rest = lost.count - listed.count
        let more = rest > 0 ? " and \(rest) more" : ""
        let mails = TimeWords.count(lost.count, "mail")
        return [
            HealthCheck(
                "lost mail", .warning,
                "\(mails) about coming meetings did not arrive: "
                    + "\(listed.joined(separator: ", "))\(more)",
                advice: Self.advice(for: Set(lost.map(\.cause)))
                    + [.meetings(.show(first.meeting))])
        ]
    }

    /// The advice for mails that did not arrive. Only a refused address is to be corrected.
    private static func advice(for causes: Set<AddressRefusal.Cause>) -> [Advice] {
        var advice: [Advice] = []
        if causes.contains(.sender) {
            advice.append(
                .say(
                    "Where the words name the sender, a policy or the mail, the address is right: "
                        + "correct mail.from, or ask the operator of your mail server."))
        }
        if causes.contains(.mailbox) {
            advice.append(
                .say("Where a mailbox is full, try again later, or ask the person to make room."))
        }
        if !causes.isDisjoint(with: [.address, .unknown]) {
            advice.append(.people(.setAddress(of: nil)))
        }
        return advice
    }

    private func unaddressedPeopleCheck(of store: Store) async throws -> [HealthCheck] {
        let count = try await store.countPeopleWithoutAddress(now: clock.now)
        guard count > 0 else { return [] }
        let people = TimeWords.count(count, "person", plural: "people")
        return [
            HealthCheck(
                "addresses", .warning,
                "\(people) in coming meetings \(count == 1 ? "has" : "have") no mail address",
                advice: [.people(.setAddress(of: nil))])
        ]
    }
}
