/// Something that helps after a refusal, a remark or a failed check.
///
/// Nothing below the interfaces knows commands or links. Each interface shows an advice in its own
/// form: the command line as a command, a page as a link.
public enum Advice: Hashable, Sendable {
    /// Give these parts of the request, too; with several, any one of them helps.
    case give([RequestField])
    /// Leave these parts of the request out.
    case leaveOut([RequestField])
    /// A sentence that is true in every interface.
    case say(String)
    /// About the address book.
    case people(People)
    /// About meetings.
    case meetings(Meetings)
    /// About places.
    case places(Places)
    /// About calendars and mail.
    case calendars(Calendars)
    /// About the ledger and the outbox.
    case deliveries(Deliveries)
    /// About channels and suppressed addresses.
    case channels(Channels)
    /// About the installation.
    case installation(Installation)

    /// Actions about the address book.
    public enum People: Hashable, Sendable {
        /// List the contacts.
        case list
        /// Add a contact, with this address where it is known.
        case add(address: String?)
        /// Set the mail address of this contact; if `nil`, the user names the contact.
        case setAddress(of: String?)
        /// Merge the contacts with these ids.
        case merge(String, String)
        /// List the circles.
        case listCircles
        /// Show the circle with this name.
        case showCircle(String)
        /// Create a circle with this name.
        case makeCircle(String)
        /// Add people to a circle.
        case addToCircle
    }

    /// Actions about meetings.
    public enum Meetings: Hashable, Sendable {
        /// Plan a new meeting.
        case plan
        /// List the coming meetings.
        case list
        /// List the meetings that are over.
        case listPast
        /// Show the meeting with this id.
        case show(String)
        /// Move the meeting with this id.
        case move(String)
        /// Cancel the meeting with this id or title.
        case cancel(String)
        /// Cancel one date of a recurring meeting.
        case cancelDate
        /// End the series with this id, by cancelling its dates from one on.
        case endSeries(String)
        /// Take back the cancellation of the meeting with this id.
        case uncancel(String)
        /// Invite people to a meeting.
        case invite
        /// Write a message to the people of a meeting.
        case write
        /// List the people who ask to join the meeting with this id.
        case requests(String)
        /// Hand out a link to each guest of the meeting with this id.
        case handOutLinks(String)
    }

    /// Actions about places.
    public enum Places: Hashable, Sendable {
        /// List the saved places.
        case listSaved
        /// Remove the saved place with this name.
        case remove(String)
        /// Search for places by city and interest.
        case search(city: String, interest: String)
        /// Compare with a search at Foursquare alone.
        case compare(city: String, interest: String)
        /// List the known interests.
        case listInterests
        /// Fetch the places of this city from OpenStreetMap; if `nil`, the user chooses the city.
        case fetch(city: String?)
        /// Import a file of places.
        case importFile
    }

    /// Actions about calendars and mail.
    public enum Calendars: Hashable, Sendable {
        /// List the calendars of busy times.
        case listBusy
        /// Add a calendar of busy times for a person.
        case addBusy
        /// List the feeds.
        case listFeeds
        /// Read the file as a mail.
        case receiveMail
        /// List the mails that were not taken.
        case listIgnoredMails
        /// Take the mail with this id by hand, and say what it leaves open.
        case takeMail(String, saying: [MailGap])
        /// Take the mail with this id off the list.
        case dismissMail(String)
    }

    /// A part of an answer that a mail does not tell.
    public enum MailGap: Hashable, Sendable {
        /// The answer.
        case answer
        /// The meeting.
        case meeting
        /// The person who answers.
        case person
        /// The date of a series.
        case date
    }

    /// Actions about the ledger and the outbox.
    public enum Deliveries: Hashable, Sendable {
        /// List the deliveries, or those in one state.
        case list(state: String?)
        /// List the deliveries of a meeting, as this person.
        case listOfMeeting(actor: String)
        /// Explain the deliveries of a meeting, or only those to one person.
        case explain(meeting: String?, person: String?, actor: String?)
        /// List what will be sent, or what one person will get.
        case outbox(person: String?, actor: String?)
        /// List the reminders of a person, as this person.
        case reminders(person: String, actor: String)
        /// List the notifications in the inbox of the actor.
        case inbox
        /// Show the history of the delivery with this key.
        case show(String)
        /// Send the delivery with this key again.
        case retry(String)
        /// Drop the delivery with this key.
        case drop(String)
        /// Check the ledger.
        case verify
        /// Choose to get digests of this period.
        case chooseDigest(DigestPeriod)
    }

    /// Actions about channels and suppressed addresses.
    public enum Channels: Hashable, Sendable {
        /// List the channels.
        case list
        /// Add a channel of this kind of sink.
        case add(String)
        /// Remove the channel with this name.
        case remove(String)
        /// End the old secrets of the channel with this name at once.
        case dropOldSecrets(String)
        /// Send a sample through the channel with this name.
        case test(String)
        /// List the suppressed addresses.
        case listSuppressions
        /// Send to this address again.
        case unsuppress(String)
    }

    /// Actions about the installation.
    public enum Installation: Hashable, Sendable {
        /// Start the daemon.
        case startDaemon
        /// Get a link that signs in to the pages.
        case open
        /// Send everything that is due, without a daemon.
        case sendNow
        /// Show the settings.
        case showSettings
        /// Check the settings.
        case checkSettings
        /// Set the installation up with these values.
        case setUp([SetupValue])
        /// Restore a backup.
        case restore
        /// Replace the backup that has the name of the new one.
        case replaceBackup
        /// List the templates.
        case listTemplates
        /// Check the crontab.
        case checkCrontab
        /// List the lines of the crontab with their runs.
        case listCrontab
        /// Check this installation, with advice for each problem.
        case examine
        /// Check the services that this installation uses.
        case checkOnline
        /// Name the mail server.
        case setUpMail
    }

    /// A value of the set-up.
    public enum SetupValue: Hashable, Sendable {
        /// The name of the owner.
        case name(String)
        /// The mail address of the owner.
        case address(String)
        /// The time zone of the owner.
        case zone(String)
    }
}
