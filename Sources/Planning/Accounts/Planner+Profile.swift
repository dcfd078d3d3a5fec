import Agenda
import Foundation
import Interchange
import Ledger
import Storage
import Timekeeping

/// The facts that people with accounts give about themselves. For the owner of the installation,
/// these are settings.
extension Planner {
    /// Changes the name, the time zone and the area of the actor, who is not the owner of the
    /// installation.
    ///
    /// - Parameters:
    ///   - name: the name that others see.
    ///   - zone: the time zone; empty for that of the installation.
    ///   - area: the city in which the actor looks for places; empty for that of the installation.
    /// - Throws: ``Refusal`` with `owner_name`, `owner_profile` or `unknown_zone`, or
    ///   ``RuleViolation`` for the name.
    public func setProfile(name: String, zone: String, area: String) async throws {
        guard actor.id != owner.id else {
            throw Refusal(
                .refused, code: "owner_profile",
                "What the owner of this installation says about themselves are settings.")
        }
        try checkOwnName(name)
        if !zone.isEmpty { _ = try self.zone(named: zone) }
        try await store.setProfile(
            name: name, zone: zone.isEmpty ? nil : zone, area: area.isEmpty ? nil : area,
            of: actor.id)
        // Quiet hours follow local time.
        guard zone != actor.zone ?? "" else { return }
        try await store.replanMeetings(
            of: actor.id, now: now, replanning: replanning(because: "the time zone changed"))
    }

    /// Checks a name that the actor gives themselves.
    ///
    /// - Throws: ``RuleViolation``, or ``Refusal`` with `owner_name` if the owner of the
    ///   installation has the name: mails of this installation would seem to be theirs.
    public func checkOwnName(_ name: String) throws {
        var edit = ContactEdit()
        edit.name = name
        try check(edit)
        guard
            actor.id == owner.id
                || !SearchKey.isSameName(Self.plainForm(of: name), Self.plainForm(of: owner.name))
        else {
            throw Refusal(
                .refused, code: "owner_name",
                "The owner of this installation has this name. Add something to yours.")
        }
    }

    /// A name without the wide and other special forms of letters, and without letters that are
    /// drawn as nothing.
    private static func plainForm(of name: String) -> String {
        String(
            String.UnicodeScalarView(
                name.precomposedStringWithCompatibilityMapping.unicodeScalars.filter {
                    !emptyLetters.contains($0)
                }))
    }

    /// The fillers of Korean syllables (Unicode, 18.6), after compatibility mapping.
    private static let emptyLetters: Set<Unicode.Scalar> = ["\u{115F}", "\u{1160}"]
}
