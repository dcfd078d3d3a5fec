import NIOHTTP1
import Planning
import Storage
import Wording

/// The accounts that follow the reader, those who ask to, and the people whom the reader blocks.
struct FollowersPage: PageModel {
    static let template = "followers"
    static let names = TemplateNames(
        ["hasRequests", "hasFollowers", "hasBlocked", "next", "isMore", "problem"],
        lists: [
            "requests": FollowRow.names, "followers": FollowRow.names,
            "blocked": FollowRow.names,
        ])

    let requests: FirstRows<FollowLine>
    let followers: FirstRows<FollowLine>
    let blocked: FirstRows<FollowLine>
    /// The versions of the pictures, by person.
    let pictures: [String: String]
    /// The reason why a form was refused.
    var problem: String?

    var topics: [String] { [ChangeTopic.follows] }

    func title(_ words: PageWords) -> String { words("Followers") }

    func values(_ words: PageWords) -> TemplateValues {
        func rows(_ lines: FirstRows<FollowLine>) -> TemplateValue {
            .list(
                lines.map { FollowRow.values(of: $0, picture: pictures[$0.id], words) })
        }
        var values: TemplateValues = [
            "hasRequests": .flag(!requests.isEmpty), "requests": rows(requests),
            "hasFollowers": .flag(!followers.isEmpty), "followers": rows(followers),
            "hasBlocked": .flag(!blocked.isEmpty), "blocked": rows(blocked),
            "isMore": .flag(requests.isTruncated || blocked.isTruncated),
        ]
        values[text: "problem"] = problem
        values[text: "next"] =
            followers.isTruncated
            ? followers.last.map { String(Link.followers(after: $0.place.text).path.dropFirst()) }
            : nil
        return values
    }
}

/// The accounts that the reader follows.
struct FollowingPage: PageModel {
    static let template = "following"
    static let names = TemplateNames(
        ["hasFollowing", "next", "problem"], lists: ["following": FollowRow.names])

    let following: FirstRows<FollowLine>
    /// The versions of the pictures, by person.
    let pictures: [String: String]
    /// The reason why a form was refused.
    var problem: String?

    var topics: [String] { [ChangeTopic.follows] }

    func title(_ words: PageWords) -> String { words("Following") }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "hasFollowing": .flag(!following.isEmpty),
            "following": .list(
                following.map { FollowRow.values(of: $0, picture: pictures[$0.id], words) }),
        ]
        values[text: "problem"] = problem
        values[text: "next"] =
            following.isTruncated
            ? following.last.map { String(Link.following(after: $0.place.text).path.dropFirst()) }
            : nil
        return values
    }
}

extension Site {
    /// The lists of follows of the reader.
    var followRoutes: [Route] {
        [
            route(.get, "/me/followers") { request, visitor in
                show(
                    try await followersPage(request, visitor), in: frame(request, visitor))
            }, route(.post, "/me/followers", changeFollowers),
            route(.get, "/me/following") { request, visitor in
                show(
                    try await followingPage(request, visitor), in: frame(request, visitor))
            }, route(.post, "/me/following", changeFollowing),
        ]
    }

    private static let followsOfPage = 50

    private func followersPage(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> FollowersPage {
        let (planner, limit) = (visitor.planner, Self.followsOfPage)
        let requests = try await planner.follows(.requests, limit: limit)
        let followers = try await planner.follows(
            .followers, after: FollowPlace(text: request.query["after"]), limit: limit)
        let blocked = try await planner.blocked(limit: limit)
        // Nobody sees the picture of somebody whom they block.
        let ids = (requests.rows + followers.rows).map(\.id)
        return FollowersPage(
            requests: requests, followers: followers, blocked: blocked,
            pictures: planner.profilePictureNames(of: ids))
    }

    private func changeFollowers(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        do {
            let state = try await change(
                request.form["do"], request.form["person"], visitor.planner)
            return redirect(to: .followers(saved: Self.saved(state)))
        } catch let refusal as Refusal {
            var page = try await followersPage(request, visitor)
            page.problem = try sentence(refusal, visitor)
            return show(page, in: Frame(visitor: visitor), .conflict)
        }
    }

    private func followingPage(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> FollowingPage {
        let following = try await visitor.planner.follows(
            .following, after: FollowPlace(text: request.query["after"]),
            limit: Self.followsOfPage)
        return FollowingPage(
            following: following,
            pictures: visitor.planner.profilePictureNames(of: following.map(\.id)))
    }

    private func changeFollowing(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        do {
            let state = try await change(
                request.form["do"], request.form["person"], visitor.planner)
            return redirect(to: .following(saved: Self.saved(state)))
        } catch let refusal as Refusal {
            var page = try await followingPage(request, visitor)
            page.problem = try sentence(refusal, visitor)
            return show(page, in: Frame(visitor: visitor), .conflict)
        }
    }
}
