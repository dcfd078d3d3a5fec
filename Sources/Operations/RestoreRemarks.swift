import Agenda
import Planning
import Storage
import Wording

/// Remarks about a restored database. A backup may contain no settings, and does not know the
/// deliveries that were sent after it was made.
enum RestoreRemarks {
    static func of(_ restored: RestoredDatabase, at home: OwnerProfile) -> [Remark] {
        let hasSettings = restored.home?.files.contains { $0.path == "letsmeet.yaml" } == true
        return [
            hasSettings ? nil : restored.owner.flatMap { owner($0, at: home) },
            again(restored.dueDeliveries),
        ].compactMap(\.self)
    }

    /// Names the owner in the backup, if the settings of the home name a different one.
    private static func owner(_ owner: OwnerProfile, at home: OwnerProfile) -> Remark? {
        var values: [Advice.SetupValue] = []
        if owner.name != home.name { values.append(.name(owner.name)) }
        if owner.address != home.address, !owner.address.isEmpty {
            values.append(.address(owner.address))
        }
        if let zone = owner.zone, zone != home.zone { values.append(.zone(zone)) }
        guard !values.isEmpty else { return nil }
        return Remark(
            "The owner in the backup is \(words(owner)), but the settings of this home name "
                + "\(words(home)). Change the settings to keep the owner of the backup.",
            advice: .installation(.setUp(values)))
    }

    private static func words(_ owner: OwnerProfile) -> String {
        let address = owner.address.isEmpty ? "" : " <\(owner.address)>"
        return owner.name + address + (owner.zone.map { ", \($0)" } ?? "")
    }

    private static func again(_ due: Int) -> Remark {
        let count = TimeWords.count(due, "delivery", plural: "deliveries")
        return Remark(
            "Everything that was sent after the backup was made will be planned and sent again: "
                + "\(due == 0 ? "nothing" : count) \(due > 1 ? "are" : "is") due now. Drop each "
                + "delivery that must not be sent twice.",
            advice: .deliveries(.list(state: "planned")), .deliveries(.drop("KEY")))
    }
}
