import Programs
import ArgumentParser
import Foundation
import Planning
import Settings
import Wording

/// The words that a shell offers when the Tab key is pressed. A shell splits a line at blanks, so
/// one word is offered for each name, which means nothing else.
enum Offers {
    /// Coming meetings.
    static let meetings = kind { planner, typed in
        let found = try await planner.meetings(MeetingQuery(.coming)).meetings
        return words(for: found.map { ($0.title, $0.id) }, typed: typed)
            + ["next", "last"]
    }

    /// People and circles.
    static let people = kind { planner, typed in
        let guests =
            typed.isEmpty
            ? try await planner.firstPeople(limit: rowsMax).rows.map { ($0.name, $0.id) }
            : try await planner.guestSuggestions(typed, limit: rowsMax).map { ($0.name, $0.who) }
        let circles = typed.isEmpty ? try await planner.circles().map { ($0.name, $0.name) } : []
        return words(for: guests + circles, typed: typed)
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
            return (try? await find(planner, typed)) ?? []
        }
    }

    private static func value(of option: String, in words: [String]) -> String? {
        words.firstIndex(of: option).flatMap { place in
            words.indices.contains(place + 1) ? words[place + 1] : nil
        }
    }

    /// One word for each name: the name itself, a word of it that is in no other name, or the id.
    ///
    /// - Parameters:
    ///   - named: the names with their ids.
    ///   - typed: the beginning of the word, as far as it is typed.
    /// - Returns: the words that begin so.
    static func words(for named: [(name: String, id: String)], typed: String) -> [String] {
        let parts = named.map {
            $0.name.lowercased().split(whereSeparator: isBlank).map(String.init)
        }
        let counts = Dictionary(parts.flatMap { Set($0) }.map { ($0, 1) }, uniquingKeysWith: +)
        let typed = typed.lowercased()
        return zip(named, parts).compactMap { entry, parts in
            let own = parts.filter { counts[$0] == 1 } + [entry.id]
            return own.first { isPlain($0) && $0.lowercased().hasPrefix(typed) }
        }
    }

    private static func isBlank(_ character: Character) -> Bool { character.isWhitespace }

    /// True if no shell changes the word, or takes it for an option. A shell runs commands in the
    /// words that it offers, and the names may come from strangers.
    private static func isPlain(_ word: String) -> Bool {
        !word.hasPrefix("-") && !word.isEmpty
            && word.allSatisfy { $0.isLetter || $0.isNumber || "-_.@+:".contains($0) }
    }
}
