import Agenda
import Foundation
import TestKit
import Testing
import Timekeeping

@testable import Jobs

/// Reads crontabs as a home in Helsinki does.
struct Reading {
    let zones = ZoneDirectory()

    func callAsFunction(_ text: String, shellRefusal: String? = nil) throws -> Crontab {
        Crontab(
            text,
            setting: Crontab.Setting(
                zones: zones, zone: try zones.zone("Europe/Helsinki"), shellRefusal: shellRefusal))
    }

    /// The only line of a valid crontab.
    func line(_ text: String) throws -> CrontabLine {
        let crontab = try self(text)
        #expect(crontab.faults.map(\.text) == [])
        return try #require(crontab.lines.first)
    }
}

@Suite struct CrontabTests {
    private let read = Reading()

    @Test func `A line has a schedule, options and a job`() throws {
        let line = try read.line(
            "  5 2 * * mon-fri   id=nightly catch-up=all:2d overlap=wait jitter=10m dst=both"
                + "\tbackup  --keep 3  ")
        #expect(line.scheduleText == "5 2 * * mon-fri")
        #expect(line.job == .backup(keep: 3))
        #expect(line.jobText == "backup  --keep 3")
        #expect(line.name == "nightly")
        #expect(line.options.catchUp == .all(TimeSpan(days: 2, seconds: 0)))
        #expect(line.options.overlap == .wait)
        #expect(line.options.jitterSeconds == 600)
        #expect(line.options.changes == .both)
        #expect(line.explanation == "At 02:05 from Monday to Friday")
        #expect(line.zone.id == "Europe/Helsinki")
    }

    @Test func `Options have defaults`() throws {
        let options = try read.line("@daily tzdata check").options
        #expect(options == LineOptions())
        #expect(options.catchUp == .latest && options.overlap == .skip)
        #expect(options.changes == .debian && options.jitterSeconds == 0)
    }

    @Test(arguments: [
        ("digest daily", .digest(.daily)), ("digest weekly", .digest(.weekly)),
        ("contacts sync", Job.contactsSync), ("places refresh", .placesRefresh),
        ("calendars refresh", .calendarsRefresh),
        ("backup", .backup(keep: 7)), ("backup --keep=30", .backup(keep: 30)),
        ("ledger prune", .ledgerPrune(keep: TimeSpan(days: 90, seconds: 0))),
        ("ledger prune --keep 4w", .ledgerPrune(keep: TimeSpan(days: 28, seconds: 0))),
        ("tzdata check", .zoneCheck), ("doctor", .doctor), ("doctor --quiet", .doctor),
        ("run echo  two   words", .run(ShellCommand("echo  two   words"))),
    ]) func `Every job is parsed`(text: String, job: Job) throws {
        #expect(try read.line("@hourly \(text)").job == job)
        #expect(try Job("\(job)") == job)
    }

    @Test func `A percent sign starts the standard input of a command`() throws {
        let command = ShellCommand(#"mail -s "100\% done" ops%first line%second"#)
        #expect(command.command == #"mail -s "100% done" ops"#)
        #expect(command.input == "first line\nsecond\n")
        #expect(ShellCommand(#"date +\%F"#) == ShellCommand("date +\\%F"))
        #expect(ShellCommand(#"date +\%F"#).command == "date +%F")
        #expect(ShellCommand(#"echo a\\%b\%c"#).command == #"echo a\"#)
        #expect(ShellCommand(#"echo a\\%b\%c"#).input == "b%c\n")
    }

    @Test func `Zones and variables apply to the lines below them`() throws {
        let crontab = try read(
            """
            PATH=/usr/local/bin:/usr/bin:/bin
            0 1 * * * run first
            CRON_TZ = "America/New_York"
            NAME='two words'
            PATH=/bin
            0 1 * * * run second
            CRON_TZ=
            0 2 * * * run third
            """)
        #expect(crontab.faults.isEmpty)
        #expect(
            crontab.lines.map(\.zone.id) == [
                "Europe/Helsinki", "America/New_York", "Europe/Helsinki",
            ])
        #expect(
            crontab.lines.map { $0.variables["PATH"] } == [
                "/usr/local/bin:/usr/bin:/bin", "/bin", "/bin",
            ])
        #expect(crontab.lines.map { $0.variables["NAME"] } == [nil, "two words", "two words"])
        #expect(crontab.lines.map(\.number) == [2, 6, 8])
    }

    @Test func `Comments, empty lines and Windows line ends are ignored`() throws {
        let crontab = try read("# a comment\r\n\r\n   # another\r\n\t\r\n@daily backup\r\n")
        #expect(crontab.faults.isEmpty)
        #expect(crontab.lines.map(\.jobText) == ["backup"])
    }

    @Test func `A line is identified by its id, or by its text if it has none`() throws {
        let crontab = try read("@daily id=x backup\n@daily   tzdata  check")
        #expect(crontab.lines.map(\.name) == ["x", "@daily tzdata check"])
    }

    @Test(arguments: [
        ("61 * * * * backup", "minute", "61 is not in 0-59"),
        ("10-5 * * * * backup", "minute", "runs backwards"),
        ("* 5#2 * * * backup", "hour", "belongs in the last field"),
        ("0 0 31 2 * backup", "day of month", "none of the given months has this day"),
        ("@every_minute backup", "", "or @reboot"),
        ("0 4 * * *", "job", "no job is named"),
        ("0 4 * * * frobnicate", "job", "there is no job \"frobnicate\""),
        ("0 4 * * * letsmeet backup", "job", "Leave out the word letsmeet"),
        ("0 4 * * * backup # nightly", "job", "Put comments on lines of their own"),
        ("0 4 * * * backup --keep 0", "job", "from 1 to 10000"),
        ("0 4 * * * backup --keep", "job", "--keep needs a value"),
        ("0 4 * * * backup --weekly", "job", "backup does not take"),
        ("0 4 * * * ledger prune --keep 12h", "job", "at least one day"),
        ("0 4 * * * ledger prune --keep soon", "job", "--keep"),
        ("0 4 * * * run   ", "job", "run needs a command"),
        ("0 4 * * * catch-up=all backup", "catch-up", "needs a time span"),
        ("0 4 * * * catch-up=all:0s backup", "catch-up", "longer than zero"),
        ("0 4 * * * catch-up=most backup", "catch-up", "is not none, latest"),
        ("0 4 * * * overlap=queue backup", "overlap", "is not skip or wait"),
        ("0 4 * * * jitter=2d backup", "jitter", "longer than 1 days"),
        ("0 4 * * * dst=vixie backup", "dst", "is not debian or skip or both"),
        ("0 4 * * * limit=0s run date", "limit", "at least one second"),
        ("0 4 * * * limit=10m backup", "limit", "applies only to run"),
        ("0 4 * * * limit=1h backup", "limit", "applies only to run"),
        ("@reboot jitter=10m backup", "jitter", "without delay"),
        ("0 4 * * * id=a/b backup", "id", "an id consists of letters"),
        ("0 4 * * * jitter=1m jitter=2m backup", "jitter", "given twice"),
        ("0 4 * * * retries=3 backup", "retries", "there is no option"),
        ("CRON_TZ=Mars/Olympus", "CRON_TZ", "Mars/Olympus"),
        ("0 4 * * * ba\u{7}ckup", "", "control character"),
    ]) func `A fault is reported with its line and field`(
        text: String, field: String, words: String
    ) throws {
        let crontab = try read("# first\n\n\(text)\n0 5 * * * doctor")
        let fault = try #require(crontab.faults.first)
        #expect(crontab.faults.count == 1)
        #expect(fault.line == 3)
        #expect(fault.field ?? "" == field)
        #expect(fault.reason.contains(words), "\(fault.reason)")
        // A fault in one line does not affect the other lines.
        #expect(crontab.lines.map(\.jobText) == ["doctor"])
    }

    @Test func `Two lines with the same text or the same id are a fault`() throws {
        let same = try read("0 4 * * * backup\n0  4 * * *   backup")
        #expect(same.faults.map(\.text).first?.hasPrefix("line 2: it is the same") == true)
        let twins = try read("0 4 * * * id=a backup\n0 5 * * * id=a doctor")
        #expect(
            twins.faults.map(\.text) == ["line 2: id: line 1 has the same id. Choose another one."])
    }

    @Test func `Shell commands are refused unless they are allowed`() throws {
        let crontab = try read("@daily run date\n@daily backup", shellRefusal: "not here.")
        #expect(crontab.faults.map(\.text) == ["line 1: job: not here."])
        #expect(crontab.lines.count == 1)
    }

    @Test func `After a thousand faults the rest of the file is not read`() throws {
        let many = try read(String(repeating: "x\n", count: Crontab.faultsMax + 500))
        #expect(many.faults.count == Crontab.faultsMax + 1)
        #expect(many.faults.last?.line == Crontab.faultsMax + 1)
        #expect(many.faults.last?.reason.hasSuffix("the rest is not read.") == true)
        let few = try read(String(repeating: "x\n", count: 20) + "@daily doctor\n")
        #expect(few.faults.count == 20 && few.lines.count == 1)
    }

    @Test func `A crontab has limits on its line length and number of lines`() throws {
        let long = try read("0 4 * * * run \(String(repeating: "x", count: 5000))")
        #expect(long.faults.map(\.reason) == ["the line is longer than 4000 bytes."])
        let many = try read((0...Crontab.linesMax).map { "@daily id=n\($0) doctor\n" }.joined())
        #expect(many.lines.count == Crontab.linesMax)
        #expect(many.faults.map(\.line) == [Crontab.linesMax + 1])
    }

    @Test(.enabled(if: Checkout.hasShared))
    func `Every invalid expression of the shared test data is refused`() throws {
        struct Case: Decodable { let id: String, expr: String }
        let path = "\(Checkout.shared)/truth/cron_invalid_open.jsonl"
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.count > 20)
        for line in lines {
            let wrong = try JSONDecoder().decode(Case.self, from: Data(line.utf8))
            let crontab = try read("\(wrong.expr) backup --keep 7")
            #expect(crontab.faults.count == 1, "\(wrong.id): \(wrong.expr)")
        }
    }

    @Test func `The built-in crontab is valid, and each line has a comment`() throws {
        let text = try String(contentsOfFile: "\(Checkout.root)/crontab", encoding: .utf8)
        let crontab = try read(text, shellRefusal: "not here")
        #expect(crontab.faults.map(\.text) == [])
        #expect(crontab.lines.count == 9)
        #expect(crontab.lines.allSatisfy { $0.options.id != nil })
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(crontab.lines.allSatisfy { lines[$0.number - 2].hasPrefix("# ") })
    }
}
