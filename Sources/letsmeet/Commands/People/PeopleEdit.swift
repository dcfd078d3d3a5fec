import Agenda
import ArgumentParser
import Planning

/// Changes a contact.
struct PeopleEdit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change a contact.",
        discussion: """
            Each option replaces the old value. To remove a value, give "".

            EXAMPLE: letsmeet people edit anna --tz Europe/Helsinki
            """)

    @Argument(
        help: "The contact: a name, part of one, an address or an id.", completion: Offers.people)
    var who: String
    @Option(help: "The new name.") var name: String?
    @Option(
        help: ArgumentHelp(
            "A file with the new picture: JPEG, PNG, WebP or HEIF.", valueName: "file"),
        completion: .file())
    var picture: String?
    @Flag(help: "Remove the picture.") var noPicture = false
    @OptionGroup var contact: ContactOptions
    @OptionGroup var common: SiteOptions

    func validate() throws {
        guard picture == nil || !noPicture else {
            throw ValidationError("Give either --picture or --no-picture.")
        }
        guard contact.edit(name: name).isEmpty, picture == nil, !noPicture else { return }
        throw ValidationError(
            "Nothing to change. Give new values, as in: --email bob@example.org")
    }

    func run() async throws {
        let planner = try await common.planner()
        let person = try await planner.contact(named: who)
        let before = try await planner.contact(person)
        if let picture { try await planner.setPicture(atPath: picture, of: person) }
        if noPicture { try await planner.removePicture(of: person) }
        let edit = contact.edit(name: name)
        let after = edit.isEmpty ? before : try await planner.editPerson(person, edit)
        let answer = EditedPerson(
            after, also: try await planner.remark(onMailTo: before, now: after),
            try await newSharing(planner, before, after))
        try common.confirm(answer) { answer.text }
    }

    /// The remark that a new address is that of another contact, too.
    private func newSharing(
        _ planner: Planner, _ before: PersonView, _ after: PersonView
    ) async throws -> Remark? {
        guard before.emails.map(\.address) != after.emails.map(\.address) else { return nil }
        return try await planner.remark(onSharedAddressOf: after)
    }
}
