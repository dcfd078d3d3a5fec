import ArgumentParser
import Jobs
import Operations
import Planning
import Programs
import Settings
import TextUI
import Timekeeping

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check this installation and suggest fixes.",
        discussion: """
            The output contains no mail addresses and no keys. Channel names may contain names of \
            people: remove these before you paste it into a bug report. The command exits with \
            status 1 if something does not work. With --online, it also makes one search with \
            your Foursquare key and shows the result.

            EXAMPLE: letsmeet doctor
            """)

    @Flag(help: "Also make one search at Foursquare.") var online = false
    @OptionGroup var common: CommonOptions

    func run() async throws {
        // Settings and channels concern the owner alone.
        try await common.checkIsOwner(to: "check the installation")
        let now = try common.now.map { try Moment.parse($0) }
        let doctor = Doctor(homeOption: common.home, machine: .real, now: now)
        let report = await doctor.report(
            version: Version.current, isOnline: online,
            besides: [doctor.crontabCheck] + doctor.jobChecks())
        try common.answer(report) { report.text(AdviceText.renderer, rows: Self.rows) }
        if !report.ok { throw ExitCode(1) }
    }

    /// The fewest columns into which texts are broken.
    private static let columnsMin = 30

    /// The rows of a text beside a number of other columns of the screen.
    private static func rows(_ text: String, besides columns: Int) -> [String] {
        guard let all = Screen.answerColumns else { return [text] }
        return TextColumns.wrap(text, in: max(all - columns, columnsMin), isCut: false)
    }
}
