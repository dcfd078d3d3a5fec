import ArgumentParser
import Planning
import TextUI

struct FollowersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "followers", abstract: "Manage the accounts that follow you.",
        discussion: """
            EXAMPLE: letsmeet followers
            EXAMPLE: letsmeet followers approve anna
            """,
        subcommands: [
            FollowersList.self, FollowersApprove.self, FollowersRefuse.self,
            FollowersRemove.self, FollowersBlock.self, FollowersUnblock.self,
        ], defaultSubcommand: FollowersList.self)
}

struct FollowersList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List your followers, those who ask to be, and the people whom you block.",
        discussion: "EXAMPLE: letsmeet followers list")

    @OptionGroup var common: CommonOptions

    private struct Answer: Encodable {
        let followers: [FollowLine]
        let requests: [FollowLine]
        let blocked: [FollowLine]
        let truncated: Bool
    }

    func run() async throws {
        let lists = try await common.planner().followLists()
        let answer = Answer(
            followers: lists.followers, requests: lists.requests, blocked: lists.blocked,
            truncated: lists.truncated)
        try common.list(answer) {
            let parts = [
                ("Ask to follow you", lists.requests), ("Followers", lists.followers),
                ("Blocked", lists.blocked),
            ].filter { !$0.1.isEmpty }
            guard !parts.isEmpty else { return "Nobody follows you." }
            return parts.map { title, lines in
                "\(Style.bold(title)):\n\(FollowTable.text(lines))"
            }.joined(separator: "\n")
        }
    }
}

struct FollowersApprove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve", abstract: "Accept somebody who asks to follow you.",
        discussion: """
            They are told.

            EXAMPLE: letsmeet followers approve anna
            """)

    @Argument(help: "The person.") var who: String
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let outcome = try await common.planner().approveFollower(who)
        try common.confirm(outcome) { "\(outcome.person.name) follows you now." }
    }
}

struct FollowersRefuse: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refuse", abstract: "Refuse somebody who asks to follow you.",
        discussion: """
            They are not told.

            EXAMPLE: letsmeet followers refuse anna
            """)

    @Argument(help: "The person.") var who: String
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let outcome = try await common.planner().refuseFollower(who)
        try common.confirm(outcome) { "The request of \(outcome.person.name) is refused." }
    }
}

struct FollowersRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a follower.",
        discussion: """
            They are not told, and can follow you again.

            EXAMPLE: letsmeet followers remove anna
            """)

    @Argument(help: "The person.") var who: String
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let outcome = try await common.planner().removeFollower(who)
        try common.confirm(outcome) { "\(outcome.person.name) does not follow you any more." }
    }
}

struct FollowersBlock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "block", abstract: "Block a person.",
        discussion: """
            Follows between you end, neither of you finds the profile of the other, and they leave \
            your coming open meetings that they joined without an invitation. They are not told.

            EXAMPLE: letsmeet followers block anna
            """)

    @Argument(help: "The person.", completion: Offers.people) var who: String
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let outcome = try await common.planner().blockPerson(who)
        try common.confirm(outcome) { "You block \(outcome.person.name) now." }
    }
}

struct FollowersUnblock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unblock", abstract: "Unblock a person.",
        discussion: """
            Follows that the block ended do not come back.

            EXAMPLE: letsmeet followers unblock anna
            """)

    @Argument(help: "The person.") var who: String
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let outcome = try await common.planner().unblockPerson(who)
        try common.confirm(outcome) { "You do not block \(outcome.person.name) any more." }
    }
}
