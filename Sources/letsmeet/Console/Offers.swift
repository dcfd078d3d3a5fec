import Programs
import ArgumentParser
import Foundation
import Planning
import Settings
import Wording

/// The names and words that a shell offers when the Tab key is pressed.
enum Offers {
    /// Coming meetings.
    static let meetings = kind { planner, typed in
        try await words(for: [MeetingQuery(.coming)], of: planner, typed: typed)
            + ["next", "last"]
    }

    /// Coming meetings that the person may join, with or without an invitation.
    static let meetingsToJoin = kind { planner, typed in
        var open = MeetingQuery(.coming)
        open.isJoinable = true
        return try await words(for: [open, MeetingQuery(.invited)], of: planner, typed: typed)
    }

    /// Coming meetings that the person joined.
    static let joinedMeetings = kind { planner, typed in
        var joined = MeetingQuery(.coming)
        joined.isJoined = true
        return try await words(for: [joined], of: planner, typed: typed)
    }

    private static func words(
        for queries: [MeetingQuery], of planner: Planner, typed: String
    ) async throws -> [String] {
        var found: [MeetingLine] = []
        for var query in queries {
            query.countMax = rowsMax
            found += try await planner.meetings(query).meetings
        }
        var known: Set<String> = []
        let meetings = found.filter { known.insert($0.id).inserted }
        return words(for: meetings.map { ($0.title, $0.id) }, typed: typed)
    }

    /// The people who can join a meeting.
    static let audiences = kind { planner, typed in
        let circles = try await planner.circles().map { ("circle:\($0.name)", $0.name) }
        return words(
            for: ["followers", "link", "public"].map { ($0, $0) } + circles, typed: typed)
    }

    /// People and circles, also behind a comma.
    static let people = kind { planner, typed in
        let (first, typed) = partsAtLastComma(typed)
        let guests =
            typed.isEmpty
            ? try await planner.firstPeople(limit: rowsMax).rows.map { ($0.name, $0.id) }
            : try await planner.guestSuggestions(typed, limit: rowsMax).map { ($0.name, $0.who) }
        let circles = typed.isEmpty ? try await planner.circles().map { ($0.name, $0.name) } : []
        return words(for: guests + circles, typed: typed).map { first + $0 }
    }

    /// Circles.
    static let circles = kind { planner, typed in
        words(for: try await planner.circles().map { ($0.name, $0.name) }, typed: typed)
    }

    /// Saved places.
    static let places = kind { planner, typed in
        words(for: try await planner.savedPlaces().map { ($0.name, $0.id) }, typed: typed)
    }

    /// The settings.
    static let settings = CompletionKind.list(SettingName.allCases.map(\.rawValue))

    /// The most rows that are looked at.
    private static let rowsMax = 200

    private static func kind(
        _ find: @escaping @Sendable (_ planner: Planner, _ typed: String) async throws -> [String]
    ) -> CompletionKind {
        .custom { words, _, typed in
            let home = Home(
                option: value(of: "--home", in: words),
                environment: ProcessInfo.processInfo.environment)
            // To offer nothing is better than to create a home, or to say why it cannot be read.
            guard FileManager.default.fileExists(atPath: home.database),
                let surroundings = try? PlannerSurroundings.read(
                    homeOption: home.path, machine: .real, now: nil, zoneOption: nil,
                    actingAs: value(of: "--as", in: words)),
                let planner = try? await Planner(surroundings)
            else { return [] }
            return (try? await find(planner, unquoted(typed))) ?? []
        }
    }

    /// True if the shell takes whole names with blanks: zsh and fish do, bash with the script that
    /// ``CompletionScript`` makes.
    private static var areWhole: Bool {
        let environment = ProcessInfo.processInfo.environment
        return environment[CompletionScript.variable] != nil
            || ["zsh", "fish"].contains(environment["SAP_SHELL"] ?? "")
    }

    /// The text that a shell would read from a word that is not typed to its end: without the
    /// quote at its beginning and without backslashes.
    static func unquoted(_ typed: String) -> String {
        guard typed.first != "'" else { return String(typed.dropFirst()) }
        var text = ""
        var isEscaped = false
        for character in typed.first == "\"" ? typed.dropFirst() : typed[...] {
            isEscaped = character == "\\" && !isEscaped
            if !isEscaped { text.append(character) }
        }
        return text
    }

    /// The part of a typed list up to its last comma, and the rest.
    static func partsAtLastComma(_ typed: String) -> (first: String, last: String) {
        guard let comma = typed.lastIndex(of: ",") else { return ("", typed) }
        return (String(typed[...comma]), String(typed[comma...].dropFirst()))
    }

    private static func value(of option: String, in words: [String]) -> String? {
        words.firstIndex(of: option).flatMap { place in
            words.indices.contains(place + 1) ? words[place + 1] : nil
        }
    }

    /// One text for each name: the name itself, a word of it that is in no other name, or the id.
    ///
    /// - Parameters:
    ///   - named: the names with their ids.
    ///   - typed: the beginning of the word, as far as it is typed.
    ///   - areWhole: whether names of several words are offered. Without it, a shell that splits
    ///     lines at blanks gets one word for each name.
    /// - Returns: the texts that begin so.
    static func words(
        for named: [(name: String, id: String)], typed: String, areWhole: Bool = areWhole
    ) -> [String] {
        let parts = named.map {
            $0.name.lowercased().split(whereSeparator: isBlank).map(String.init)
        }
        let names = Dictionary(named.map { ($0.name.lowercased(), 1) }, uniquingKeysWith: +)
        let counts = Dictionary(parts.flatMap { Set($0) }.map { ($0, 1) }, uniquingKeysWith: +)
        let typed = typed.lowercased()
        return zip(named, parts).compactMap { entry, parts in
            let isWhole = areWhole && names[entry.name.lowercased()] == 1 && isName(entry.name)
            let own = parts.filter { counts[$0] == 1 && isPlain($0) }
            let texts = (isWhole ? [entry.name] : []) + own + (isPlain(entry.id) ? [entry.id] : [])
            return texts.first { $0.lowercased().hasPrefix(typed) }
        }
    }

    /// True if every shell quotes the name right when it inserts it. Bash leaves `$` as it is.
    private static func isName(_ name: String) -> Bool {
        name.first.map { $0.isLetter || $0.isNumber } ?? false
            && name.allSatisfy { $0.isLetter || $0.isNumber || " -_.+'&".contains($0) }
    }

    private static func isBlank(_ character: Character) -> Bool { character.isWhitespace }

    /// True if no shell changes the word, or takes it for an option. A shell runs commands in the
    /// words that it offers, and the names may come from strangers.
    private static func isPlain(_ word: String) -> Bool {
        !word.hasPrefix("-") && !word.isEmpty
            && word.allSatisfy { $0.isLetter || $0.isNumber || "-_.@+:".contains($0) }
    }
}
