import Agenda
import ArgumentParser
import Planning
import Programs
import TextUI

struct MeetingRequests: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "requests", abstract: "List the people who ask to join a meeting.",
        discussion: """
            People ask if the meeting is open with --approve. Those whom you refused are listed, \
            too; you can still admit them.

            EXAMPLE: letsmeet meeting requests "board games"
            """)

    @Argument(
        help: "The meeting: an id, part of its title, next, or last.", completion: Offers.meetings)
    var meeting: String
    @Option(help: DateOptions.help) var on: String?
    @OptionGroup var common: CommonOptions

    private struct Answer: Encodable {
        let requests: [SeatRequestLine]
    }

    func run() async throws {
        let planner = try await common.planner()
        let id = try await planner.meetingID(named: meeting, on: on)
        let requests = try await planner.seatRequests(of: id, on: on)
        let view = try await planner.meeting(id)
        try common.list(Answer(requests: requests)) { Self.text(requests, for: view) }
    }

    static func text(_ requests: [SeatRequestLine], for meeting: MeetingView) -> String {
        guard !requests.isEmpty else { return "Nobody asks to join \(meeting.title)." }
        var table = Table(
            ["Person", "Address", "Guests", "Date", "Asked", "Note"], expendable: [1, 4],
            troubles: [])
        for request in requests {
            let date = request.occurrence.map { name in
                meeting.dates.first { $0.occurrence == name }?.start.words ?? name
            }
            table.add(
                request.name, request.address ?? "", request.plus > 0 ? "+\(request.plus)" : "",
                date ?? "", request.refused ? "refused" : request.at.words,
                Table.line(request.note))
        }
        let id = String(decoding: meeting.id.utf8.prefix(6), as: UTF8.self)
        return """
            \(table.text)
            To admit people: letsmeet meeting admit \(id) WHO
            To refuse them: letsmeet meeting refuse \(id) WHO
            """
    }
}

struct MeetingAdmit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admit", abstract: "Let people in who ask to join.",
        discussion: """
            They are told. If all seats are taken, they are on the waiting list. Without a name, \
            the only person is meant on whom you have not decided. You can also admit people whom \
            you refused before.

            EXAMPLE: letsmeet meeting admit "board games" anna,ben
            """)

    @Argument(
        help: "The meeting: an id, part of its title, next, or last.", completion: Offers.meetings)
    var meeting: String
    @Argument(help: "The people who ask to join.", completion: Offers.people)
    var who: [String] = []
    @OptionGroup var more: WhoOption
    @Option(help: DateOptions.help) var on: String?
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let id = try await planner.meetingID(named: meeting, on: on)
        let names = try await planner.names(who + more.named, for: "WHO")
        let applicants = try await planner.applicants(named: names, for: id, on: on)
        try await Consent(common: common, options: consent).carryOut { saving in
            try await planner.decide(
                admitting: true, applicants.people, in: id, on: applicants.date, saving: saving)
        }
    }
}

struct MeetingConfirm: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "confirm", abstract: "Confirm that a meeting takes place before its deadline.",
        discussion: """
            This is possible as soon as the --minimum of people have joined. Everybody is told.

            EXAMPLE: letsmeet meeting confirm "board games"
            """)

    @Argument(
        help: "The meeting: an id, part of its title, next, or last.", completion: Offers.meetings)
    var meeting: String
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let id = try await planner.meetingID(named: meeting)
        try await Consent(common: common, options: consent).carryOut { saving in
            try await planner.confirmMeeting(id, saving: saving)
        }
    }
}
