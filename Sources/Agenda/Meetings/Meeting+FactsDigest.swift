import Ledger
import Timekeeping

extension Meeting {
    /// A digest of the facts whose changes people are always told: time, place, status and
    /// repetition. For a series, of those that all dates share.
    public var factsDigest: String {
        let parts = [
            id.text, status.rawValue, place?.reference ?? "",
            place?.text ?? "", time.start.description, time.zone, time.duration.iso,
            series?.rule.description ?? "",
        ]
        return SipHash.digest(of: parts.joined(separator: "\u{0}"))
    }
}
