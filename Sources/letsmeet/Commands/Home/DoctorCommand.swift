import ArgumentParser
import Jobs
import Planning
import Programs
import Settings
import Timekeeping

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Look this installation over, and say what to do.",
        discussion: """
            What it prints holds no names, addresses or keys: it may be pasted into a bug report. \
            Ends with status 1 when something does not work. With --online one search with your \
            Foursquare key is made, and what it brought is said.

            EXAMPLE: letsmeet doctor
            """)

    @Flag(help: "Ask Foursquare too, with one search.") var online = false
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let now = try common.now.map { try Moment.parse($0) }
        let doctor = Doctor(homeOption: common.home, machine: .real, now: now)
        let report = await doctor.report(
            version: Version.current, isOnline: online,
            besides: [doctor.crontabCheck] + doctor.jobChecks())
        try common.answer(report) { report.text }
        if !report.ok { throw ExitCode(1) }
    }
}
