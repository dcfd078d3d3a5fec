/// A part of a request, as its interface names it: an option of a command, or a field of a form.
public enum RequestField: String, Hashable, Sendable {
    /// The zone in which times are read and printed.
    case zone
    /// The key that makes a request happen once.
    case requestKey
    /// The people.
    case who
    /// The place.
    case place
    /// The line that describes the place to people.
    case placeText
    /// The city.
    case city
    /// The interest, as in "lunch".
    case interest
    /// A position near which to search.
    case position
    /// The start.
    case start
    /// The duration.
    case duration
    /// The end.
    case end
    /// The wish that the meeting lasts whole days.
    case wholeDays
    /// The repetition of a meeting.
    case repetition
    /// One date of a recurring meeting.
    case date
    /// The date of a recurring meeting from which on a change is meant.
    case firstDate
    /// The wish to notify nobody.
    case quiet
    /// The wish that everybody answers again.
    case askingAgain
    /// The address of a service.
    case url
    /// The target within a service, or the address of a receiver.
    case target
    /// The description of a request.
    case requestFile
    /// The secret.
    case secret
}
