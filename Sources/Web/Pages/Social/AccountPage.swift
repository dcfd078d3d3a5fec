import NIOHTTP1
import Planning
import Storage
import Timekeeping
import Wording

/// The profile of an account, as the reader sees it.
struct AccountPage: PageModel {
    static let template = "account"
    static let names = TemplateNames(
        [
            "id", "name", "about", "since", "isOwn", "counts", "isFollowed", "isAsked", "canFollow",
            "asks", "follows", "hasCircles", "hasMeetings", "hasFollowers", "hasFollowing",
            "problem",
        ] + Face.names,
        lists: [
            "circles": ["circle", "segment"],
            "meetings": ["meetingId", "meetingName", "meetingWhen", "meetingPlace", "seats"],
            "followers": FollowRow.names, "following": FollowRow.names,
        ])

    let profile: ProfileView
    /// The followers; `nil` if the reader may not see them.
    let followers: FirstRows<FollowLine>?
    /// The accounts that it follows; `nil` if the reader may not see them.
    let following: FirstRows<FollowLine>?
    /// The versions of the pictures, by person.
    let pictures: [String: String]
    /// The reason why a form was refused.
    var problem: String?

    var topics: [String] { [ChangeTopic.follows, ChangeTopic.meetings] }

    func title(_ words: PageWords) -> String { profile.name }

    func values(_ words: PageWords) -> TemplateValues {
        let face = Face(
            of: profile.name, profile.id,
            pictures[profile.id].map {
                PersonPicture.profile(of: profile.id, .large, name: $0)
            })
        var values = face.values.merging([
            "id": .text(profile.id), "name": .text(profile.name),
            "since": .text(
                TimeWords.date(
                    profile.since.reader.wallTime(at: profile.since.moment).date,
                    in: words.language)),
            "isOwn": .flag(profile.own), "isFollowed": .flag(profile.followed == true),
            "isAsked": .flag(profile.followed == false),
            "canFollow": .flag(!profile.own && profile.followed == nil),
            "asks": .flag(profile.follows == false), "follows": .flag(profile.follows == true),
            "hasCircles": .flag(!profile.circles.isEmpty),
            "circles": .list(
                profile.circles.map {
                    ["circle": .text($0), "segment": .text(Link.segment($0))]
                }), "hasMeetings": .flag(!profile.meetings.isEmpty),
            "meetings": .list(profile.meetings.map { Self.values(of: $0, words) }),
            "hasFollowers": .flag(followers?.isEmpty == false),
            "followers": rows(followers, words),
            "hasFollowing": .flag(following?.isEmpty == false),
            "following": rows(following, words),
        ]) { $1 }
        values[text: "about"] = profile.about.isEmpty ? nil : profile.about
        values[text: "counts"] = counts(words)
        values[text: "problem"] = problem
        return values
    }

    private func rows(_ lines: FirstRows<FollowLine>?, _ words: PageWords) -> TemplateValue {
        .list(
            (lines?.rows ?? []).map {
                FollowRow.values(of: $0, picture: pictures[$0.id], words)
            })
    }

    private func counts(_ words: PageWords) -> String? {
        guard let followers = profile.followers, let following = profile.following else {
            return nil
        }
        return words(followers, "1 follower", "%n% followers") + " · "
            + words(following, "follows 1 person", "follows %n% people")
    }

    private static func values(of meeting: ProfileMeetingLine, _ words: PageWords) -> TemplateValues
    {
        let when = TimeWords.range(
            from: meeting.start.moment, to: meeting.end.moment, in: meeting.start.reader,
            at: meeting.start.zone, words.language)
        var values: TemplateValues = [
            "meetingId": .text(meeting.id), "meetingName": .text(meeting.title),
            "meetingWhen": .text(
                meeting.repeats ? words("repeats, first on %when%", ["when": when]) : when),
        ]
        values[text: "meetingPlace"] = meeting.place
        values[text: "seats"] = meeting.free.map { free in
            free == 0
                ? words("no seat is free") : words(free, "1 seat is free", "%n% seats are free")
        }
        return values
    }
}

extension PersonPicture {
    /// The link to the picture that a person with an account chose for themselves.
    static func profile(
        of person: String, _ size: ContactPicture.Size, name: String
    ) -> String {
        "@\(person)/picture?size=\(size.rawValue)&v=\(name)"
    }
}

extension Site {
    /// The profiles of accounts.
    var accountRoutes: [Route] {
        [
            route(.get, "/@:account") { request, visitor in
                show(
                    try await accountPage(request["account"], visitor),
                    in: frame(request, visitor))
            }, route(.post, "/@:account", changeFollow),
            route(.get, "/@:account/picture") { request, visitor in
                let size = PersonPicture.size(request.query["size"])
                return PersonPicture.answer(
                    try await visitor.planner.profilePicture(ofID: request["account"], size),
                    size, request)
            },
        ]
    }

    private static let followsOfProfile = 50

    private func accountPage(_ id: String, _ visitor: Visitor) async throws -> AccountPage {
        let (planner, limit) = (visitor.planner, Self.followsOfProfile)
        let profile = try await planner.profile(withID: id)
        let followers = try await planner.follows(.followers, ofID: profile.id, limit: limit)
        let following = try await planner.follows(.following, ofID: profile.id, limit: limit)
        let ids = [profile.id] + ((followers?.rows ?? []) + (following?.rows ?? [])).map(\.id)
        return AccountPage(
            profile: profile, followers: followers, following: following,
            pictures: planner.profilePictureNames(of: ids))
    }

    private func changeFollow(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let planner = visitor.planner
        let id = try await planner.profile(withID: request["account"]).id
        do {
            let state = try await change(request.form["do"], id, planner)
            // The profile of a blocked person cannot be seen any more.
            guard state != "blocked" else { return redirect(to: .followers(saved: state)) }
            return redirect(to: .account(id, saved: Self.saved(state)))
        } catch let refusal as Refusal {
            var page = try await accountPage(id, visitor)
            page.problem = try sentence(refusal, visitor)
            return show(page, in: Frame(visitor: visitor), .conflict)
        }
    }
}
