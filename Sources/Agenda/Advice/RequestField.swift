/// A part of a request, as its interface names it: an option of a command, or a field of a form.
public enum RequestField: String, Hashable, Sendable {
    /// The home folder.
    case home
    /// The zone in which times are read and printed.
    case zone
    /// The key that makes a request happen once.
    case requestKey
    /// The people.
    case who
    /// A circle.
    case circle
    /// A meeting.
    case meeting
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
    /// Words of the name of a place.
    case placeName
    /// The start.
    case start
    /// The repetition of a meeting.
    case repetition
    /// One date of a recurring meeting.
    case date
    /// The date of a recurring meeting from which on a change is meant.
    case firstDate
    /// The beginning of a range of time.
    case rangeStart
    /// The end of a range of time.
    case rangeEnd
    /// The least number of people who can come.
    case quorum
    /// The length of something.
    case duration
    /// The wish to notify nobody.
    case quiet
    /// The kinds of notification.
    case kinds
    /// The address of a service.
    case url
    /// The target within a service, or the address of a receiver.
    case target
    /// The description of a request.
    case requestFile
    /// The secret.
    case secret
    /// The permission to replace an existing file.
    case replacement
}
