public import Timekeeping

/// A meeting as somebody asks for it; what is missing takes its default.
public struct MeetingRequest: Sendable {
    /// What it is about.
    public var title = ""
    /// Who is asked: names, addresses, circles.
    public var with: [String] = []
    /// A saved place, an id that a search printed, or words.
    public var place: String?
    /// The city in which the nearest place of ``interest`` is taken, where no place is named.
    public var city: String?
    /// What kind of place is taken.
    public var interest: String?
    /// The line by which people are told the place, where it is not the place's own.
    public var placeText: String?
    /// When it starts, as somebody typed it.
    public var start = ""
    /// How it repeats, as an RRULE or in words; `nil` for a meeting that does not.
    public var repetition: String?
    /// How long it takes; one hour without it.
    public var duration: TimeSpan?
    /// How long before the start people are reminded; `nil` for the default.
    public var reminders: [TimeSpan]?
    /// What else there is to say.
    public var note = ""
    /// Where to join from afar.
    public var link = ""
    /// Names this request: the same key twice makes one meeting.
    public var key: String?

    /// An empty request.
    public init() {}
}

extension MeetingRequest {
    /// Refuses what would be ignored of the words for a place.
    ///
    /// - Throws: ``Refusal`` with `usage`.
    func checkPlace() throws(Refusal) {
        let search = [city.map { _ in "--city" }, interest.map { _ in "--for" }]
            .compactMap(\.self)
        let hasPlace = !(place ?? "").isEmpty
        guard !hasPlace || search.isEmpty else {
            throw .conflictingArguments(
                "--place names the place: leave out \(search.joined(separator: " and ")).")
        }
        guard city == nil || interest != nil else {
            throw .conflictingArguments(
                "--city needs --for: what kind of place is it to be, such as --for lunch?")
        }
        guard placeText == nil || hasPlace || interest != nil else {
            throw .conflictingArguments(
                "--place-text needs a place: give --place, or --city and --for.")
        }
    }
}
