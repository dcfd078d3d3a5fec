import Operations
import Planning
import Settings
import TestKit
import Testing
import TextUI

@testable import letsmeet

struct SetupQuestionTests {
    /// Answers a question of `setup` on a simple terminal, line by line.
    private static func ask(
        _ setting: SettingName, area: String? = nil, settings: [SettingName: String] = [:],
        _ lines: String...
    ) async throws -> (value: String?, shown: String) {
        try await withTemporaryHome { world in
            var lines = lines
            var shown = ""
            var questioner: any Questioner = PlainQuestioner(
                read: { lines.isEmpty ? nil : lines.removeFirst() }, show: { shown += $0 })
            let value = try await SetupQuestion(
                setting: setting, area: area, surroundings: world.surroundings(settings: settings)
            ).ask(&questioner)
            #expect(lines.isEmpty)
            return (value, shown)
        }
    }

    @Test(arguments: ["none", "None", "-"])
    func `A setting can be removed`(word: String) async throws {
        for (setting, known) in [
            (SettingName.ownerAddress, "olga@example.org"), (.area, "Helsinki"),
        ] {
            let (value, shown) = try await Self.ask(setting, settings: [setting: known], word)
            #expect(value?.isEmpty == true)
            #expect(shown.contains("[\(known)]"))
            #expect(shown.hasSuffix(": none\n"))
        }
        let (name, shown) = try await Self.ask(
            .ownerName, settings: [.ownerName: "Kim"], word)
        #expect(name?.isEmpty == true)
        #expect(shown.contains("(- means Olga Owner, the name in your user account)"))
        #expect(shown.hasSuffix("Your name: Olga Owner\n"))
    }

    @Test func `"No" means no mail address and no city, but may be a name`() async throws {
        for setting in [SettingName.ownerAddress, .area] {
            let (value, shown) = try await Self.ask(setting, "no")
            #expect(value == nil)
            #expect(shown.hasSuffix(": none\n"))
        }
        #expect(try await Self.ask(.ownerName, "No").value == "No")
    }

    @Test func `An empty line keeps the value in brackets`() async throws {
        let set = try await Self.ask(.area, settings: [.area: "Helsinki"], "")
        #expect(set.value == nil)
        #expect(set.shown.hasSuffix(": Helsinki\n"))
        let unset = try await Self.ask(.area, "")
        #expect(unset.value == nil)
        #expect(unset.shown.hasSuffix(": none\n"))
    }

    @Test func `An invalid setting is not kept`() async throws {
        let (value, shown) = try await Self.ask(
            .ownerZone, settings: [.ownerZone: "Mars"], "", "Asia/Tokyo")
        #expect(value == "Asia/Tokyo")
        #expect(shown.contains("no time zone \"Mars\""))
    }

    @Test func `A suggestion is shown in brackets and not repeated in the help`() async throws {
        let fresh = try await Self.ask(.ownerName, "")
        #expect(fresh.shown == "Your name [Olga Owner]: Your name: Olga Owner\n")
        let address = try await Self.ask(.ownerAddress, "")
        #expect(address.shown.hasPrefix("(Enter means none)\nYour mail address: "))
    }

    @Test func `The time zone of the city is suggested`() async throws {
        #expect(try await Self.ask(.ownerZone, area: "Tokyo", "").value == "Asia/Tokyo")
        #expect(
            try await Self.ask(.ownerZone, settings: [.area: "Tokyo"], "").value == "Asia/Tokyo")
        #expect(try await Self.ask(.ownerZone, "").value == "Europe/Helsinki")
        let other = try await Self.ask(
            .ownerZone, area: "Tokyo", settings: [.ownerZone: "Europe/Oslo"], "")
        #expect(other.value == nil)
        #expect(other.shown.contains("The time zone of Tokyo is Asia/Tokyo."))
        #expect(Planner.setupNames == [.ownerName, .ownerAddress, .area, .ownerZone])
    }

    @Test func `A chosen city is saved by its name`() async throws {
        let (value, shown) = try await Self.ask(.area, "Springfield", "1")
        #expect(value == "Springfield, Missouri, United States")
        #expect(shown.contains("  2  Springfield, Massachusetts"))
    }

    @Test func `The last part of a time zone means that zone, or offers several`() async throws {
        for (typed, zone) in [("helsinki", "Europe/Helsinki"), ("New York", "America/New_York")] {
            let (value, shown) = try await Self.ask(
                .ownerZone, settings: [.ownerZone: "UTC"], typed)
            #expect(value == zone)
            #expect(shown.hasSuffix("Your time zone: \(zone)\n"))
        }
        let several = try await Self.ask(.ownerZone, "Louisville", "1")
        #expect(several.value?.hasSuffix("/Louisville") == true)
        #expect(several.shown.contains("  2  America/"))
        let near = try await Self.ask(.ownerZone, "Helsinkki", "1")
        #expect(near.value == "Europe/Helsinki")
    }
}
