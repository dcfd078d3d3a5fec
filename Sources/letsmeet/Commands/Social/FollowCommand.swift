import ArgumentParser
import Planning
import Storage
import TextUI

struct FollowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow", abstract: "Follow an account.",
        discussion: """
            You see the open meetings that an account offers to its followers. Some accounts \
            approve each follower first. Name a person that you know, or a profile by its id, \
            which is the end of its address.

            EXAMPLE: letsmeet follow anna
            EXAMPLE: letsmeet follow @k3v7m2pq5abcdefg
            """)

    @Argument(help: "The person.", completion: Offers.people) var who: String
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let outcome = try await common.planner().follow(who)
        try common.confirm(outcome) {
            outcome.state == "requested"
                ? "You asked to follow \(outcome.person.name), who has to approve it."
                : "You follow \(outcome.person.name) now."
        }
    }
}

struct UnfollowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unfollow", abstract: "Stop following an account, or take back a request.",
        discussion: """
            Nobody is told.

            EXAMPLE: letsmeet unfollow anna
            """)

    @Argument(help: "The person.", completion: Offers.people) var who: String
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let outcome = try await common.planner().unfollow(who)
        try common.confirm(outcome) { "You do not follow \(outcome.person.name) any more." }
    }
}

struct FollowingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "following", abstract: "List the accounts that you follow.",
        discussion: "EXAMPLE: letsmeet following")

    @OptionGroup var common: CommonOptions

    private struct Answer: Encodable {
        let following: [FollowLine]
        let truncated: Bool
    }

    func run() async throws {
        let following = try await common.planner().follows(.following)
        let answer = Answer(following: following.rows, truncated: following.isTruncated)
        try common.list(answer) {
            guard !following.isEmpty else {
                return "You follow nobody. To follow somebody: letsmeet follow WHO"
            }
            let text = FollowTable.text(following.rows) { $0.accepted ? "" : "not approved yet" }
            return ([text] + [following.remark].compactMap(\.self)).joined(separator: "\n")
        }
    }
}

/// A list of accounts on the terminal.
enum FollowTable {
    static func text(
        _ lines: [FollowLine], note: (FollowLine) -> String = { _ in "" }
    ) -> String {
        var table = Table(cellColumnsMax: Table.listColumnsMax)
        for line in lines {
            table.add("  \(line.name)", "@\(line.id)", "since \(line.since.words)", note(line))
        }
        return table.text
    }
}
