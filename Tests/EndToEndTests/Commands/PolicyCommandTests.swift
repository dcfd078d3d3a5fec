import Foundation
import TestKit
import Testing

/// The commands for sending hours, snoozes and suppressed addresses.
@Suite(.timeLimit(.minutes(5))) struct PolicyCommandTests {
    /// Runs a test on a home with Anna, whose time zone is Europe/Berlin.
    private func withLunch(_ body: (Program) async throws -> Void) async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            _ = try await letsmeet.run("setup", "--name", "Olga", "--tz", "UTC", "--json")
            _ = try await letsmeet.run(
                "people", "add", "Anna Aalto", "--email", "anna@a.org", "--tz", "Europe/Berlin")
            try await body(letsmeet)
        }
    }

    private let night = ["--now", "2099-01-01T22:30:00Z"]

    private func text(_ letsmeet: Program, _ arguments: [String]) async throws -> String {
        let outcome = try await letsmeet.run(arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.output + outcome.errors
    }

    @Test func `Quiet hours are shown in the preview, the outbox and why`() async throws {
        try await withLunch { letsmeet in
            let set = try await text(
                letsmeet,
                ["remind", "policy", "set", "--quiet-hours", "22:00-08:00", "--who", "anna"])
            #expect(
                set.contains(
                    "Anna Aalto: reminders as each meeting sets them; quiet hours 22:00-08:00 "
                        + "(Europe/Berlin)."))
            let made = try await text(
                letsmeet,
                ["meeting", "new", "Lunch", "--with", "anna", "--start", "2099-01-03T12:00"]
                    + night)
            #expect(made.contains("1 invitation held back until Fri 2 Jan 2099, 07:00 UTC"))
            let why = try await text(letsmeet, ["why", "lunch", "anna"] + night)
            #expect(
                why.contains("held back until 08:00: quiet hours 22:00-08:00 (Europe/Berlin)"))
            #expect(why.contains("Anna Aalto is invited to Lunch"))
            let line = try await text(letsmeet, ["outbox", "--who", "anna", "--json"] + night)
            #expect(line.contains("\"wanted\":\"2099-01-01T22:30:00.000Z\""))
            let off = try await text(
                letsmeet,
                ["remind", "policy", "set", "--quiet-hours", "none", "--who", "anna"] + night)
            #expect(off.contains("1 delivery no longer held back"))
            #expect(try await text(letsmeet, ["ledger", "verify"]).contains("no errors"))
        }
    }

    @Test func `Quiet hours of a circle and of everybody hold for those who have none`()
        async throws
    {
        try await withLunch { letsmeet in
            _ = try await text(letsmeet, ["circle", "new", "Choir", "anna"])
            let set = try await text(
                letsmeet, ["config", "set", "quiet-hours", "23:00-07:00,sun 07:00-10:00"])
            #expect(set.contains("quiet-hours is 23:00-07:00,sun 07:00-10:00"))
            let show = ["remind", "policy", "show", "--who", "anna"]
            #expect(
                try await text(letsmeet, show).contains(
                    "quiet hours for everybody 23:00-07:00 and sun 07:00-10:00 (Europe/Berlin)"))
            _ = try await text(
                letsmeet,
                ["meeting", "new", "Lunch", "--with", "anna", "--start", "2099-01-03T12:00"]
                    + night)
            let set2 = try await text(
                letsmeet,
                ["remind", "policy", "set", "--circle", "choir", "--quiet-hours", "22:00-09:00"]
                    + night)
            #expect(set2.contains("The circle Choir: quiet hours 22:00-09:00."), "\(set2)")
            #expect(set2.contains("08:00 UTC"), "\(set2)")
            #expect(try await text(letsmeet, show).contains("of a circle 22:00-09:00"))
            let json = try await text(
                letsmeet, ["remind", "policy", "show", "--circle", "choir", "--json"])
            #expect(json.contains("\"quiet_hours\":[\"22:00-09:00\"]"), "\(json)")
            #expect(try await text(letsmeet, ["ledger", "verify"]).contains("no errors"))
            let none = ["remind", "policy", "set", "--who", "anna", "--quiet-hours"]
            let off = try await text(letsmeet, none + ["none"] + night)
            #expect(off.contains("1 delivery no longer held back"), "\(off)")
            _ = try await text(letsmeet, none + ["default"] + night)
            #expect(try await text(letsmeet, show).contains("of a circle 22:00-09:00"))
            _ = try await text(letsmeet, ["config", "unset", "quiet-hours"] + night)
            _ = try await text(letsmeet, ["circle", "delete", "choir"] + night)
            #expect(!(try await text(letsmeet, show).contains("quiet hours")))
            #expect(try await text(letsmeet, ["ledger", "verify"]).contains("no errors"))
            let bad = try await letsmeet.run("config", "set", "quiet-hours", "all night")
            #expect(bad.status == 2, "\(bad.errors)")
        }
    }

    @Test(arguments: [
        ["remind", "policy", "set", "--quiet-hours", "22:00-08:00", "--circle", "c", "--who", "a"],
        ["remind", "policy", "set", "1d", "--circle", "choir"],
        ["remind", "policy", "set", "--quiet-hours", "8-8"],
        ["remind", "policy", "set", "--send-window", "noday 9-10"],
        ["remind", "policy", "set", "--quiet-hours", "mon-sun"],
        ["remind", "policy", "set", "--quiet-hours", ""], ["remind", "policy", "set"],
        ["remind", "snooze", "lunch", "--for", "5m", "--until", "12:00"],
        ["ledger", "suppress", "nobody"],
    ])
    func `Contradictory and unreadable arguments are usage errors`(
        arguments: [String]
    ) async throws {
        try await withLunch { letsmeet in
            let outcome = try await letsmeet.run(arguments)
            #expect(outcome.status == 2, "\(outcome.errors)")
            #expect(outcome.errors.hasPrefix("letsmeet: "), "\(outcome.errors)")
        }
    }

    @Test func `Snoozes and suppressed addresses are answered with JSON`() async throws {
        try await withLunch { letsmeet in
            _ = try await text(
                letsmeet,
                ["meeting", "new", "Lunch", "--with", "anna", "--start", "2099-01-03T12:00"]
                    + night)
            let snoozed = try await text(
                letsmeet,
                ["remind", "snooze", "lunch", "--for", "30m", "--who", "anna", "--json"] + night)
            #expect(snoozed.contains("\"snoozed\":\"2099-01-01T23:00:00.000Z\""))
            let late = try await letsmeet.run(
                ["remind", "snooze", "lunch", "--for", "3d", "--json"] + night)
            #expect(late.status == 1)
            #expect(late.output.contains("snooze_too_late"))
            let shut = try await text(
                letsmeet, ["ledger", "suppress", "anna@a.org", "--json"] + night)
            #expect(shut.contains("\"origin\":\"hand\""))
            let list = try await text(letsmeet, ["ledger", "suppressions", "--json"])
            #expect(list.contains("\"address\":\"anna@a.org\""))
            let lines = try await text(
                letsmeet, ["ledger", "list", "--state", "suppressed", "--json"])
            #expect(lines.contains("nothing is sent to this address"))
            let open = try await text(letsmeet, ["ledger", "unsuppress", "anna@a.org"] + night)
            #expect(open.contains("anna@a.org is no longer suppressed."))
            let gone = try await letsmeet.run("ledger", "unsuppress", "anna@a.org", "--json")
            #expect(gone.status == 1)
            #expect(gone.output.contains("not_suppressed"))
            #expect(try await text(letsmeet, ["ledger", "verify"]).contains("no errors"))
        }
    }
}
