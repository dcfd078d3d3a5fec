import Agenda
import ArgumentParser
import Operations
import Planning
import Programs
import Settings
import TextUI
import Timekeeping

/// The options for the mail server.
struct MailServerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Your server for outgoing mail: mail.example.org, or smtp://USER@HOST:PORT.",
            valueName: "server"))
    var smtp: String?
    @Option(
        help: ArgumentHelp(
            "The file with its password, or - for standard input.", valueName: "file"),
        completion: .file())
    var smtpPasswordFile: String?
    @Option(help: ArgumentHelp("The sender of the mails.", valueName: "address"))
    var mailFrom: String?

    /// The data of the mail server after the options.
    ///
    /// - Parameter known: the data that is set.
    /// - Returns: `nil` if no option is given.
    /// - Throws: ``Refusal`` if a value is not valid.
    func changed(_ known: MailSetup) throws -> MailSetup? {
        guard smtp != nil || smtpPasswordFile != nil || mailFrom != nil else { return nil }
        var mail = known
        if let smtp { try mail.setServer(smtp) }
        guard mail.password == known.password else {
            throw Refusal(
                .invalid, code: "bad_setting",
                "The address contains a password, which other users can see on a command line. "
                    + "Give the password with --smtp-password-file.")
        }
        if let mailFrom { mail.sender = mailFrom }
        if let smtpPasswordFile { mail.password = try InputFile.text(smtpPasswordFile) }
        return mail
    }
}

struct SetupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Set your name, address, time zone and mail server.",
        discussion: """
            On a terminal, the command asks for values that you do not give. They are saved in \
            letsmeet.yaml in the home folder; all commands work without them, too. To remove a \
            value, give "". At the end, you see what a reminder looks like.

            Without a mail server, guests are not notified. A test mail goes to your own address.

            EXAMPLE: letsmeet setup --name "Anna Virtanen" --email anna@example.org \
            --tz Europe/Helsinki --area Helsinki

            EXAMPLE: letsmeet setup --smtp smtp://anna%40example.org@mail.example.org:587 \
            --smtp-password-file password.txt --test
            """)

    @Option(help: "Your name, as others see it.") var name: String?
    @Option(help: "Your mail address.") var email: String?
    @Option(help: ArgumentHelp("The city in which you usually meet.", valueName: "city"))
    var area: String?
    @Option(help: ArgumentHelp("Your time zone, in which you read times.", valueName: "zone"))
    var tz: String?
    @OptionGroup var mailServer: MailServerOptions
    @Flag(help: "Send a test mail to your address.") var test = false
    @OptionGroup var common: SiteOptions

    private var asks: Bool { Screen.isInteractive && !common.json }

    func run() async throws {
        let surroundings = try common.surroundings()
        try await Planner.checkMaySetUp(surroundings)
        let values = try await answers(surroundings)
        let known = MailSetup(surroundings.configuration)
        var mail = try mailServer.changed(known)
        if mail == nil, asks { mail = try await answer(about: known, values, surroundings) }
        if asks, known.host.isEmpty { mail = try await confirmed(mail, surroundings) }
        if test { try checkCanTest(values, mail ?? known, surroundings.configuration) }
        var report = try await save(values, mail, surroundings)
        if test || asks && mail?.host.isEmpty == false {
            report = try await tested(report, values, surroundings)
        }
        try common.confirm(report) { Self.text(report) }
        if !common.json { try await sayMore(values, mail, report, surroundings) }
        if report.mailTest?.isAccepted == false {
            throw ExitCode(Refusal.Category.unreachable.exitStatus)
        }
    }

    /// The given settings and, on a terminal, the answers to questions about the others.
    private func answers(
        _ surroundings: PlannerSurroundings
    ) async throws -> [SettingName: String] {
        var values: [SettingName: String] = [:]
        values[.ownerName] = name
        values[.ownerAddress] = email
        values[.ownerZone] = tz
        values[.area] = area
        guard asks else { return values }
        var questioner = Terminal.questioner()
        for setting in Planner.setupNames where values[setting] == nil {
            let question = SetupQuestion(
                setting: setting, area: values[.area], surroundings: surroundings)
            values[setting] = try await Leaving.caught { try await question.ask(&questioner) }
        }
        return values
    }

    /// The answers to the questions about the mail server.
    ///
    /// - Returns: the new data; `nil` to leave the data unchanged.
    private func answer(
        about known: MailSetup, _ values: [SettingName: String],
        _ surroundings: PlannerSurroundings
    ) async throws -> MailSetup? {
        var questioner = Terminal.questioner()
        let configuration = surroundings.configuration
        let questions = MailQuestions(
            known: known, owner: values[.ownerAddress] ?? configuration[.ownerAddress] ?? "",
            hasPassword: configuration[.smtpPassword] != nil || !known.password.isEmpty,
            secret: Terminal.secret)
        return try await Leaving.caught { try await questions.ask(&questioner) }
    }

    /// The data of the first mail server, if the person agrees that those who were never notified
    /// get their mails then; otherwise `nil`.
    private func confirmed(
        _ mail: MailSetup?, _ surroundings: PlannerSurroundings
    ) async throws -> MailSetup? {
        guard let mail, !mail.host.isEmpty else { return mail }
        let forecast = try await Planner(surroundings).foreseeMail()
        guard let untold = UntoldPeople(forecast).sentence else { return mail }
        if Terminal.confirms("\(untold) Set the mail server up, and send them?") { return mail }
        Terminal.say("The mail server is not saved. To set it up later: letsmeet setup")
        return nil
    }

    private func checkCanTest(
        _ values: [SettingName: String], _ mail: MailSetup, _ configuration: Configuration
    ) throws(Refusal) {
        guard !mail.host.isEmpty else {
            throw Refusal(
                .invalid, code: "sink_not_set_up",
                "A test mail needs a mail server. Give it with --smtp.")
        }
        let address = values[.ownerAddress] ?? configuration[.ownerAddress] ?? ""
        guard address.isEmpty, mail.sender.isEmpty else { return }
        throw Refusal(
            .invalid, code: "no_address",
            "A test mail needs your mail address. Give it with --email.")
    }

    private func save(
        _ values: [SettingName: String], _ mail: MailSetup?, _ surroundings: PlannerSurroundings
    ) async throws -> SetupReport {
        guard let mail else { return try await Planner.setUp(surroundings, values) }
        return try await Planner.setUpMail(surroundings, mail, and: values)
    }

    /// Sends a test mail. On a terminal, asks for other data of the server as long as the mail is
    /// not accepted.
    private func tested(
        _ report: SetupReport, _ values: [SettingName: String], _ before: PlannerSurroundings
    ) async throws -> SetupReport {
        guard let address = report.owner.address else { return report }
        var report = report
        while true {
            let surroundings = try common.surroundings()
            if asks { Terminal.say("A test mail is sent to \(address).") }
            let result = try await Planner(surroundings).testSink("mail", to: address) { line in
                if !common.json { Terminal.say(line.shown) }
            }
            report.mailTest = result
            guard asks, !result.isAccepted else { return report }
            guard Terminal.confirms("\(Self.words(result)) Change the mail server?"),
                let mail = try await answer(
                    about: MailSetup(surroundings.configuration), values, surroundings)
            else { return report }
            report = try await save([:], mail, surroundings)
            guard !mail.host.isEmpty else { return report }
        }
    }

    /// Says what does not belong to the report itself.
    private func sayMore(
        _ values: [SettingName: String], _ mail: MailSetup?, _ report: SetupReport,
        _ surroundings: PlannerSurroundings
    ) async throws {
        let zone = values[.ownerZone] ?? surroundings.configuration[.ownerZone]
        if (zone ?? "").isEmpty { Self.compareClocks(report, surroundings) }
        let planner = try await Planner(common.surroundings())
        if !asks, mail != nil, let untold = UntoldPeople(try await planner.foreseeSinks()).sentence
        {
            Terminal.say("\(untold) \(UntoldPeople.sending) smtp.url")
        }
        if planner.isDaemonRunning {
            Terminal.say("letsmeetd uses the settings when it is started again, or gets SIGHUP.")
        }
    }

    /// Says that the city's time zone differs from the one in which times are read, which is often
    /// UTC on a server.
    private static func compareClocks(_ report: SetupReport, _ surroundings: PlannerSurroundings) {
        guard let area = report.area,
            let zone = Planner.zone(aroundCity: area, in: surroundings), zone != report.owner.tz
        else { return }
        Terminal.say(
            "The time zone of \(area) is \(zone), but yours is set to \(report.owner.tz). "
                + "To change yours: letsmeet setup --tz \(zone)")
    }

    private static func words(_ test: SinkTestReport) -> String {
        guard !test.isAccepted else {
            return "The mail server has taken a test mail to \(test.to ?? ""). "
                + "Look into your mailbox."
        }
        let reason = test.reply.isEmpty ? test.code : test.reply
        return "The test mail was not sent: \(reason)\(reason.hasSuffix(".") ? "" : ".")"
    }

    private static func text(_ report: SetupReport) -> String {
        let address = report.owner.address.map { " <\($0)>" } ?? ""
        let area = report.area.map { ", around \($0)" } ?? ""
        let remarks =
            report.remarks.map { $0.words(AdviceText.renderer) }
            + (report.mailTest.map { [words($0)] } ?? [])
        return """
            \(report.owner.name)\(address), \(report.owner.tz)\(area)
            Settings: \(report.file)
            Enabled sinks: \(report.sinks.joined(separator: ", "))
            \(remarks.map { "\($0)\n" }.joined())
            A reminder looks like this. Nothing was planned or sent:

            \(report.sampleBlock)Next:
              letsmeet people import contacts.vcf
              letsmeet meeting new "Board games" --who anna --start "fri 19:00"
              letsmeetd run
            """
    }
}
