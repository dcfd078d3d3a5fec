import Ledger
import Storage

/// A reason in the ledger as organizers read it: without the sending hours and the time zone of a
/// receiver, and without the owner's words about a stopped address.
enum OthersReason {
    private static let stopMark = "nothing is sent to this address"
    private static let holdMarks = ["held back until ", "not held back by "]

    /// The reason for somebody who neither owns the installation nor is the receiver.
    ///
    /// - Parameter reason: the reason in the ledger.
    /// - Returns: the same, or a shorter one.
    static func shown(_ reason: String) -> String {
        if reason.hasPrefix("\(stopMark): ") {
            let why = reason.dropFirst(stopMark.count + 2)
            return why.hasPrefix(Store.bounceMark) ? reason : stopMark
        }
        guard let mark = holdMarks.first(where: reason.hasPrefix),
            reason.contains("quiet hours") || reason.contains("send window")
        else { return reason }
        return mark == holdMarks[0]
            ? "held back by the receiver's sending hours"
            : "not held back by the receiver's sending hours"
    }
}
