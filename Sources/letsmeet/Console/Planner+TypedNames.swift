import Agenda
import Ledger
import Planning

extension Planner {
    /// The names in texts that may each contain several, separated by commas. A text that is the
    /// name of one person as a whole is not split.
    ///
    /// - Parameters:
    ///   - texts: the typed texts.
    ///   - argument: the name of the argument, for the refusal.
    /// - Returns: one name per element; empty if no text was given.
    /// - Throws: ``Refusal`` with `usage` if texts were given but contain no name.
    func names(_ texts: [String], for argument: String) async throws -> [String] {
        let names = try await names(texts)
        guard texts.isEmpty || !names.isEmpty else { throw Refusal.empty(argument) }
        return names
    }

    /// The names in texts, which may also contain none.
    func names(_ texts: [String]) async throws -> [String] {
        var names: [String] = []
        for text in texts {
            names += try await isOneName(text) ? [text] : [text].splitAtCommas
        }
        return names
    }

    /// The people that names mean, circles included.
    func people(_ texts: [String]) async throws -> [PersonID] {
        try await people(named: try await names(texts, for: "WHO"))
    }

    /// The person that an option names; the actor without it.
    func person(_ who: String?) async throws -> Person {
        guard let who else { return actor }
        return try await person(named: who)
    }

    /// The person that an option names, in the address book or not; `nil` without it.
    func knownPerson(_ who: String?) async throws -> Person? {
        guard let who else { return nil }
        return try await knownPerson(named: who)
    }

    /// The participant that an option names; the actor without it.
    func participant(_ who: String?, of id: MeetingID) async throws -> Person {
        guard let who else { return actor }
        return try await participant(named: who, of: id)
    }

    /// The meeting that an option names; `nil` without it.
    func meetingID(_ name: String?) async throws -> MeetingID? {
        guard let name else { return nil }
        return try await meetingID(named: name)
    }
}
