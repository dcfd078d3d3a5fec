import Agenda
import Storage
import Timekeeping
import Wording

/// The checks of the mail addresses of people.
extension Doctor {
    /// The most suppressed addresses that are read.
    private static let suppressionsMax = 1000
    /// The most addresses that are listed.
    private static let addressesMax = 5

    /// Warnings about addresses whose mail bounced, and about guests without an address; empty if
    /// there are none.
    func addressChecks(of store: Store) async throws -> [HealthCheck] {
        try await bouncedAddressesCheck(of: store) + unaddressedPeopleCheck(of: store)
    }

    /// The addresses are shortened like all others in a report.
    private func bouncedAddressesCheck(of store: Store) async throws -> [HealthCheck] {
        let now = clock.now
        let bounced = try await store.suppressions(limit: Self.suppressionsMax).filter { entry in
            entry.origin == .bounce && entry.until.map { $0 > now } ?? true
        }
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
