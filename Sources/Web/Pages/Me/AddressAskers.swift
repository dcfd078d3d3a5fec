import Ledger
import Planning
import Timekeeping

/// The limits of the mails that people ask for to confirm addresses of their account.
struct AddressAskers: Sendable {
    // At once and then: 6 and one in 20 minutes for an account, 3 and one in 15 minutes for an
    // address of an account, 4 and one in an hour to an address.
    private let accounts = Throttle(RateLimit(perSecond: 1.0 / 1200, burst: 6))
    private let each = Throttle(RateLimit(perSecond: 1.0 / 900, burst: 3))
    private let addresses = Throttle(RateLimit(perSecond: 1.0 / 3600, burst: 4))

    /// True if an account may ask once more. It depends on nothing that others did.
    ///
    /// - Parameters:
    ///   - account: the id of the person.
    ///   - address: the address.
    ///   - now: the current time.
    /// - Returns: true if no limit is reached.
    func lets(_ account: String, askFor address: String, at now: Moment) -> Bool {
        each.lets("\(account) \(Planner.mailboxKey(of: address))", at: now)
            && accounts.lets(account, at: now)
    }

    /// True if one more mail may go to an address, whoever asks for it. Nobody is told if not,
    /// because it would show that others asked.
    func letsMail(to address: String, at now: Moment) -> Bool {
        addresses.lets(Planner.mailboxKey(of: address), at: now)
    }

    /// The refusal of somebody who asks too often.
    static let tooOften = Refusal(
        .refused, code: "asked_too_often",
        "You have asked for several mails. Wait 20 minutes, then ask again.")
}
