public import Agenda
public import Foundation
import Ledger
public import Storage
import Timekeeping

/// Profiles: what accounts say of themselves, as others see it.
extension Planner {
    /// The most open meetings on a profile.
    private static let profileMeetingsMax = 50
    /// The longest words about oneself, in characters.
    public static let aboutCharactersMax = 1_000

    /// The profile of an account that the actor may see.
    ///
    /// - Parameter id: the id of the person, or of somebody who was merged into them.
    /// - Returns: the profile.
    /// - Throws: ``Refusal`` with `unknown_person` if nobody has this account, it is disabled, or
    ///   one of both blocks the other.
    public func profile(withID id: String) async throws -> ProfileView {
        let profile = try await visibleProfile(id)
        let person = profile.person
        let isOwn = person.id == actor.id
        let standing = try await store.followStanding(of: actor.id, to: person.id)
        let isShown = isOwn || profile.showsFollows
        return ProfileView(
            id: person.id.text, name: PersonLine(person, isPrivate: !isOwn).name,
            about: profile.about, since: Timestamp(profile.madeAt, reader: zone), own: isOwn,
            approves: profile.approvesFollowers, shows: profile.showsFollows,
            followers: isShown
                ? try await store.followCount(.followers, of: person.id) : nil,
            following: isShown
                ? try await store.followCount(.following, of: person.id) : nil,
            followed: standing.follows, follows: standing.isFollowed,
            circles: isOwn ? [] : try await circleNames(with: person).with,
            meetings: try await openMeetings(of: person, limit: Self.profileMeetingsMax).rows)
    }

    private func visibleProfile(_ id: String) async throws -> PublicProfile {
        guard let person = try await visibleAccount(PersonID(text: id)),
            let profile = try await store.publicProfile(of: person.id)
        else { throw Self.unknownProfile }
        return profile
    }

    /// A page of the followers of an account, or of those whom it follows, if the actor may see
    /// them: it is the actor's own, or its profile shows them.
    ///
    /// - Parameters:
    ///   - list: the list. Requests are seen only by the account itself.
    ///   - id: the id of the person.
    ///   - limit: the most rows.
    /// - Returns: the rows; `nil` if the actor may not see them.
    /// - Throws: ``Refusal`` with `unknown_person`.
    public func follows(
        _ list: FollowList, ofID id: String, limit: Int
    ) async throws -> FirstRows<FollowLine>? {
        let profile = try await visibleProfile(id)
        let isOwn = profile.person.id == actor.id
        guard isOwn || profile.showsFollows && list != .requests else { return nil }
        let found = try await store.follows(
            list, of: profile.person.id, seenBy: actor.id, limit: limit + 1)
        return FirstRows(found.map(line), countMax: limit)
    }

    /// The picture that a person with an account chose for themselves.
    ///
    /// - Parameters:
    ///   - id: the id of the person.
    ///   - size: the size of the file.
    /// - Returns: the version of the picture and the JPEG file; `nil` if there is none.
    /// - Throws: ``Refusal`` with `unknown_person`.
    public func profilePicture(
        ofID id: String, _ size: ContactPicture.Size
    ) async throws -> (name: String, jpeg: Data)? {
        ownPicture(of: try await visibleProfile(id).person.id, size)
    }

    /// The versions of the pictures that people with accounts chose for themselves, by person.
    ///
    /// - Parameter people: the ids of people whose profiles the actor may see.
    /// - Returns: the versions. People without a picture are left out.
    public func profilePictureNames(of people: [String]) -> [String: String] {
        let names = store.ownPictures(of: people.map { PersonID(text: $0) })
        return Dictionary(names.map { ($0.key.text, $0.value) }, uniquingKeysWith: { $1 })
    }

    /// What the actor says of themselves; `nil` if they have no account.
    public func ownProfile() async throws -> PublicProfile? {
        try await store.publicProfile(of: actor.id)
    }

    /// True if a person has an account that the actor can see.
    public func hasProfile(_ person: Person) async throws -> Bool {
        try await store.seesAccount(person.id, by: actor.id)
    }

    /// Changes what the actor says of themselves.
    ///
    /// - Parameters:
    ///   - about: the words about the actor; empty for none.
    ///   - approvesFollowers: true to decide on each follower. Requests that wait stay.
    ///   - showsFollows: true to show others who follows the actor, and whom they follow.
    /// - Throws: ``Refusal`` with `about_too_long` or `no_account`.
    public func setOwnProfile(
        about: String, approvesFollowers: Bool, showsFollows: Bool
    ) async throws {
        let about = about.trimmingCharacters(in: .whitespacesAndNewlines)
        guard about.count <= Self.aboutCharactersMax else {
            throw Refusal(
                .refused, code: "about_too_long",
                "This text is too long. Write at most \(Self.aboutCharactersMax) characters.")
        }
        try await checkHasAccount()
        _ = try await store.setPublicProfile(
            about: about, approvesFollowers: approvesFollowers, showsFollows: showsFollows,
            of: actor.id)
    }

    /// The coming open meetings of a person that the actor may see, the earliest first.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - limit: the most meetings.
    /// - Returns: the meetings.
    /// - Throws: ``StoreError``.
    public func openMeetings(
        of person: Person, limit: Int
    ) async throws -> FirstRows<ProfileMeetingLine> {
        let found = try await store.openMeetings(
            of: person.id, seenBy: actor.id, seesAll: actsAsOwner, now: now, limit: limit + 1)
        return FirstRows(
            found.map { open in
                ProfileMeetingLine(
                    id: open.meeting.id.text, title: open.meeting.title,
                    start: start(of: open.meeting), end: end(of: open.meeting),
                    repeats: open.meeting.isSeries, place: open.place, seats: open.seats,
                    free: open.seats.map { max($0 - open.taken, 0) })
            }, countMax: limit)
    }
}
