import Storage
import Wording

/// What a restore leaves for a person to know: a backup holds no settings, and nothing of what was
/// sent after it was taken.
enum RestoreRemarks {
    static func of(_ restored: RestoredDatabase, at home: OwnerProfile) -> [String] {
        [restored.owner.flatMap { owner($0, at: home) }, again(restored.dueDeliveries)]
            .compactMap(\.self)
    }

    /// Who the owner was, where the home's settings make somebody else of them.
    private static func owner(_ owner: OwnerProfile, at home: OwnerProfile) -> String? {
        var options: [String] = []
        if owner.name != home.name { options += ["--name", owner.name] }
        if owner.address != home.address, !owner.address.isEmpty {
            options += ["--email", owner.address]
        }
        if let zone = owner.zone, zone != home.zone { options += ["--tz", zone] }
        guard !options.isEmpty else { return nil }
        return "In the backup the owner is \(words(owner)), and here \(words(home)). To stay who "
            + "you were: letsmeet setup " + options.map(shellWord).joined(separator: " ")
    }

    private static func words(_ owner: OwnerProfile) -> String {
        let address = owner.address.isEmpty ? "" : " <\(owner.address)>"
        return owner.name + address + (owner.zone.map { ", \($0)" } ?? "")
    }

    private static func again(_ due: Int) -> String {
        let count = TimeWords.count(due, "delivery", plural: "deliveries")
        return "What was sent after the backup was taken is planned once more, and will be sent "
            + "again: \(due == 0 ? "nothing" : count) \(due > 1 ? "are" : "is") due now. "
            + "To see it, and to hold it back: letsmeet outbox, letsmeet ledger drop KEY"
    }

    /// A text as a shell reads it as one word.
    private static func shellWord(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "@%+=:,./_-".utf8.contains(byte)
            }
        }
        return isPlain && !text.isEmpty
            ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }
}
