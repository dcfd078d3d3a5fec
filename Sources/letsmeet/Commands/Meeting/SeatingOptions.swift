import Agenda
import ArgumentParser
import Planning

/// The seats of a meeting and the people who can join it.
struct SeatingOptions: ParsableArguments {
    @Flag(
        help: """
            People can join without an invitation: your followers, if --audience does not name \
            others.
            """)
    var open = false
    @Option(
        help: "The people who can join: followers, circle:NAME, link (whoever has it) or public.",
        completion: Offers.audiences)
    var audience: String?
    @Option(help: "The number of seats, with your own, or none for no limit.")
    var seats: String?
    @Flag(
        inversion: .prefixedNo,
        help: "People who find no seat can wait for one (default), or cannot.")
    var waitingList: Bool?
    @Flag(inversion: .prefixedNo, help: "You decide on each request to join, or do not.")
    var approve: Bool?
    @Option(
        name: .customLong("names"),
        help: ArgumentHelp(
            "Who sees the names of the people: organizer, members (default) or everyone.",
            valueName: "readers"), completion: .list(NameSight.allCases.map(\.rawValue)))
    var namesFor: String?
    @Option(
        help: "The number of people who have to join, without you, for it to take place, or none.")
    var minimum: String?
    @Option(
        name: .customLong("by"),
        help: ArgumentHelp("The time at which --minimum decides: \"thu 18:00\".", valueName: "time")
    )
    var minimumBy: String?
    @Flag(
        inversion: .prefixedNo,
        help: "The meeting is confirmed as soon as --minimum have joined, or at --by.")
    var early: Bool?

    /// True if none is given.
    var isEmpty: Bool { !open && edit().isEmpty }

    func validate() throws {
        if let minimum {
            let isNone = minimum.lowercased() == "none"
            guard !isNone || minimumBy == nil && early == nil else {
                throw ValidationError("Use --minimum none without --by and --early.")
            }
        }
        guard !open || audience?.lowercased() != "none" else {
            throw ValidationError("Use --open or --audience none, not both.")
        }
    }

    /// Checks the options of a new meeting, which has no rules yet.
    ///
    /// - Throws: `ValidationError` for an option that would have no effect.
    func checkNew() throws {
        let isOpen = open || audience != nil
        guard isOpen || approve != true else {
            throw ValidationError("Use --approve with --open. Invited people need no approval.")
        }
        guard (minimum == nil) == (minimumBy == nil) else {
            throw ValidationError(
                "Use --minimum and --by together, as in: --minimum 4 --by \"thu 18:00\".")
        }
        guard early == nil || minimum != nil else {
            throw ValidationError("Use --early with --minimum and --by.")
        }
    }

    /// The wishes for a new meeting; `nil` if there are none.
    func forNewMeeting() -> SeatingEdit? {
        guard !isEmpty else { return nil }
        var edit = edit()
        if open, audience == nil { edit.audience = Self.usualAudience }
        return edit
    }

    /// The wishes without the audience that ``open`` alone means.
    func edit() -> SeatingEdit {
        var edit = SeatingEdit()
        edit.audience = audience
        edit.seats = seats
        edit.hasWaitingList = waitingList
        edit.needsApproval = approve
        edit.namesFor = namesFor
        edit.minimum = minimum
        edit.minimumBy = minimumBy
        edit.confirmsEarly = early
        return edit
    }

    /// The audience of a meeting that is open without saying to whom.
    static let usualAudience = "followers"
}
