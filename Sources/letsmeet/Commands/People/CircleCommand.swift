import Agenda
import ArgumentParser
import Planning
import TextUI
import Wording

struct CircleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "circle", abstract: "Manage groups of people that you invite with one word.",
        discussion: "EXAMPLE: letsmeet circle new chess anna ben",
        subcommands: [
            CircleNew.self, CircleAdd.self, CircleRemove.self, CircleList.self, CircleShow.self,
            CircleDelete.self,
        ])
}

/// The answer that shows a circle and its people.
struct CircleAnswer: Encodable {
    let circle: CircleView
    let people: [PersonLine]

    init(_ answer: (CircleView, [PersonLine])) {
        (circle, people) = answer
    }

    var text: String {
        var table = Table(cellColumnsMax: Table.listColumnsMax)
        for person in people { table.add("  \(person.name)", person.address) }
        let count = TimeWords.count(circle.count, "person", plural: "people")
        let head = "\(Style.bold(circle.name)): \(count)"
        return people.isEmpty ? head : "\(head)\n\(table.text)"
    }
}

struct CircleNew: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Create a circle.",
        discussion: "EXAMPLE: letsmeet circle new chess anna ben")

    @Argument(help: "The name of the circle.") var name: String
    @Argument(help: "The people in it.") var who: [String] = []
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let answer = CircleAnswer(
            try await planner.addCircle(name, members: try await planner.people(who)))
        try common.confirm(answer) { answer.text }
        if let remark = try await planner.remark(onCircleNamed: answer.circle.name) {
            Terminal.say(remark)
        }
    }
}

struct CircleAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add people to a circle.",
        discussion: "EXAMPLE: letsmeet circle add chess carla")

    @Argument(help: "The name of the circle.") var name: String
    @Argument(help: "The people to add.") var who: [String]
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let circle = try await planner.circle(
            named: name, advice: [.people(.makeCircle(name))])
        let people = try await planner.people(who)
        let answer = CircleAnswer(try await planner.addMembers(people, to: circle))
        try common.confirm(answer) { answer.text }
    }
}

struct CircleRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove people from a circle.",
        discussion: "EXAMPLE: letsmeet circle remove chess carla")

    @Argument(help: "The name of the circle.") var name: String
    @Argument(help: "The people to remove.") var who: [String]
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let circle = try await planner.circle(named: name)
        let people = try await planner.people(who)
        let answer = CircleAnswer(try await planner.removeMembers(people, from: circle))
        try common.confirm(answer) { answer.text }
    }
}

struct CircleList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List circles.",
        discussion: "EXAMPLE: letsmeet circle list")

    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let circles: [CircleView]
    }

    func run() async throws {
        let circles = try await common.planner().circles()
        try common.answer(Answer(circles: circles)) {
            var table = Table(cellColumnsMax: Table.listColumnsMax)
            for circle in circles {
                table.add(circle.name, TimeWords.count(circle.count, "person", plural: "people"))
            }
            return table.isEmpty ? "No circles." : table.text
        }
    }
}

struct CircleShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the people in a circle.",
        discussion: "EXAMPLE: letsmeet circle show chess")

    @Argument(help: "The name of the circle.") var name: String
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let circle = try await planner.circle(named: name)
        let answer = CircleAnswer(try await planner.members(of: circle))
        try common.answer(answer) { answer.text }
    }
}

struct CircleDelete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a circle and its channels, but not its people.",
        discussion: "EXAMPLE: letsmeet circle delete chess")

    @Argument(help: "The name of the circle.") var name: String
    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let circle: CircleView
        let channels: [String]
    }

    func run() async throws {
        let planner = try await common.planner()
        let (circle, channels) = try await planner.deleteCircle(
            try await planner.circle(named: name))
        try common.confirm(Answer(circle: circle, channels: channels)) {
            let what = channels.count == 1 ? "its channel" : "its channels"
            let more =
                channels.isEmpty
                ? "" : " Also deleted: \(what) \(channels.joined(separator: ", "))."
            return "Deleted the circle \(circle.name).\(more)"
        }
    }
}
