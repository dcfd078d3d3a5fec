import Agenda
public import Planning
import Storage

extension Planner {
    /// The number of imported entries of a person from which on they import no more files; the
    /// owner of the installation imports any number.
    public static let calendarEntriesMax = 100_000
    /// The characters of all imported entries of a person from which on they import no more files.
    private static let calendarCharactersMax = 64 << 20

    /// Checks that the actor may import another file.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - entriesMax: the number of imported entries from which on no more files are imported.
    /// - Throws: ``Refusal`` with `full_calendar`.
    func checkRoom(for path: String, entriesMax: Int) async throws {
        guard !actsAsOwner else { return }
        let known = try await store.calendarSize(of: actor.id)
        guard known.count < entriesMax, known.characters < Self.calendarCharactersMax else {
            throw Refusal(
                .invalid, code: "full_calendar",
                "\(actor.name) has imported \(known.count) calendar entries with "
                    + "\(known.characters) characters, and no more files are imported for them. "
                    + "\"\(path)\" was not imported.")
        }
    }
}
