public import Agenda
import Wording

/// Advice in the words of the command line: the command to type, or the option to add.
public enum AdviceText {
    /// Puts an advice into a sentence, as in "To see the meeting: letsmeet meeting show k3v7".
    public static let renderer: Advice.Renderer = { sentence($0) }

    /// An advice as a sentence.
    public static func sentence(_ advice: Advice) -> String {
        switch advice {
        case .say(let sentence): sentence
        case .give(let fields): words(fields)
        case .leaveOut(let fields): "Leave out \(options(fields, joinedBy: "and"))."
        case .people(let action): words(action)
        case .meetings(let action): words(action)
        case .places(let action): words(action)
        case .calendars(let action): words(action)
        case .deliveries(let action): words(action)
        case .channels(let action): words(action)
        case .installation(let action): words(action)
        }
    }

    private static func words(_ action: Advice.People) -> String {
        switch action {
        case .list: "To list your contacts: letsmeet people list"
        case .add(let address):
            "To add them: letsmeet people add NAME --email \(address?.shellWord ?? "ADDRESS")"
        case .setAddress(let who):
            "To set the mail address: letsmeet people edit \(who?.shellWord ?? "WHO") "
                + "--email ADDRESS"
        case .merge(let first, let second):
            "If they are the same person: letsmeet people merge \(first.shellWord) "
                + second.shellWord
        case .listCircles: "To list circles: letsmeet circle list"
        case .showCircle(let name): "To see who is in it: letsmeet circle show \(name.shellWord)"
        case .makeCircle(let name): "To create it: letsmeet circle new \(name.shellWord)"
        case .addToCircle: "To add people: letsmeet circle add NAME WHO"
        }
    }

    private static func words(_ action: Advice.Meetings) -> String {
        switch action {
        case .plan: "To plan a meeting: letsmeet meeting new"
        case .list: "To list coming meetings: letsmeet meeting list"
        case .listPast: "To list past meetings: letsmeet meeting list --past"
        case .show(let id): "To see the meeting: letsmeet meeting show \(id.shellWord)"
        case .move(let id): "To move the meeting: letsmeet meeting move \(id.shellWord) TIME"
        case .uncancel(let name):
            "To take the cancellation back: letsmeet meeting uncancel \(name.shellWord)"
        case .cancel(let name): "To cancel it: letsmeet meeting cancel \(name.shellWord)"
        case .cancelDate: "To cancel one date: letsmeet meeting cancel MEETING --on DATE"
        case .endSeries(let id):
            "To end the series: letsmeet meeting cancel \(id.shellWord) --from DATE"
        case .invite: "To invite people: letsmeet meeting invite MEETING WHO"
        case .write: "To write to its people: letsmeet message MEETING TEXT"
        case .requests(let id):
            "To see who asks to join: letsmeet meeting requests \(id.shellWord)"
        case .handOutLinks(let id):
            "To get a link for each guest: letsmeet meeting link \(id.shellWord)"
        }
    }

    private static func words(_ action: Advice.Places) -> String {
        switch action {
        case .listSaved: "To list saved places: letsmeet place saved"
        case .remove(let name): "To remove it: letsmeet place remove \(name.shellWord)"
        case .search(let city, let interest):
            "To search: letsmeet place search \(search(city, interest))"
        case .compare(let city, let interest):
            "To compare: letsmeet place search \(search(city, interest)) --source foursquare"
        case .listInterests: "To list interests: letsmeet place interests"
        case .fetch(let city?): "To fetch its places: letsmeet place fetch \(city.shellWord)"
        case .fetch(nil): "To fetch the places of a city: letsmeet place fetch CITY"
        case .importFile: "To import places: letsmeet place import FILE"
        }
    }

    private static func search(_ city: String, _ interest: String) -> String {
        "--city \(city.shellWord) --for \(interest.shellWord)"
    }

    private static func words(_ action: Advice.Calendars) -> String {
        switch action {
        case .listBusy: "To list calendars: letsmeet calendar busy list"
        case .addBusy: "To add one: letsmeet calendar busy add URL --who WHO"
        case .listFeeds: "To list feeds: letsmeet calendar feed list"
        case .receiveMail: "To read it as a mail: letsmeet mail receive"
        case .listIgnoredMails: "To see them: letsmeet mail ignored"
        case .takeMail(let id, let gaps):
            "To count it: letsmeet mail take \(id)" + gaps.map { " \(argument($0))" }.joined()
        case .dismissMail(let id): "To take it off the list: letsmeet mail dismiss \(id)"
        }
    }

    private static func argument(_ gap: Advice.MailGap) -> String {
        switch gap {
        case .answer: "yes|no|maybe"
        case .meeting: "--meeting MEETING"
        case .person: "--who WHO"
        case .date: "--on DATE"
        }
    }

    private static func words(_ action: Advice.Deliveries) -> String {
        switch action {
        case .list(let state):
            "To list them: letsmeet ledger list" + (state.map { " --state \($0)" } ?? "")
        case .listOfMeeting(let actor):
            "To list those of a meeting that you organize: letsmeet ledger list --meeting MEETING"
                + acting(actor)
        case .explain(let meeting, let person, let actor):
            "To see what was sent and why: letsmeet why \(meeting?.shellWord ?? "MEETING")"
                + (person.map { " \($0.shellWord)" } ?? "") + acting(actor)
        case .outbox(let person, let actor):
            "To see what will be sent: letsmeet outbox"
                + (person.map { " --who \($0.shellWord)" } ?? "") + acting(actor)
        case .reminders(let person, let actor):
            "To see the reminders: letsmeet remind list --who \(person.shellWord)" + acting(actor)
        case .inbox: "To see your inbox: letsmeet pecks"
        case .show(let key): "To see its history: letsmeet ledger show \(key)"
        case .retry(let key): "To try again: letsmeet ledger retry \(key)"
        case .drop(let key): "To drop it: letsmeet ledger drop \(key)"
        case .verify: "To check the ledger: letsmeet ledger verify"
        case .chooseDigest(let period):
            "To get one: letsmeet remind policy set --digest \(period.rawValue)"
        }
    }

    private static func acting(_ actor: String?) -> String {
        actor.map { " --as \($0.shellWord)" } ?? ""
    }

    private static func words(_ action: Advice.Channels) -> String {
        switch action {
        case .list: "To list channels: letsmeet sink list"
        case .add(let kind): "To add a channel: letsmeet sink add \(kind.shellWord)"
        case .remove(let name): "To remove it: letsmeet sink remove \(name.shellWord)"
        case .dropOldSecrets(let name):
            "To end the old ones at once: letsmeet sink rotate \(name.shellWord) --at-once"
        case .test(let name): "To test it: letsmeet sink test \(name.shellWord)"
        case .listSuppressions: "To list suppressed addresses: letsmeet ledger suppressions"
        case .unsuppress(let address):
            "To send there again: letsmeet ledger unsuppress \(address.shellWord)"
        }
    }

    private static func words(_ action: Advice.Installation) -> String {
        switch action {
        case .open: "To get a new link: letsmeet open"
        case .startDaemon: "To start it: letsmeetd run"
        case .sendNow: "To send now: letsmeetd once"
        case .showSettings: "To see the settings: letsmeet config show"
        case .checkSettings: "To check the settings: letsmeet config check"
        case .setUp(let values):
            "To change the settings: letsmeet setup" + values.map { " \(option(of: $0))" }.joined()
        case .restore: "To restore a backup: letsmeet restore FILE"
        case .replaceBackup: "If it is an old backup, add --force to replace it."
        case .listTemplates: "To list templates: letsmeet template list"
        case .checkCrontab: "To check the crontab: letsmeet cron check"
        case .listCrontab: "To see the runs: letsmeet cron list"
        case .examine: "To see what helps: letsmeet doctor"
        case .checkOnline: "To try it: letsmeet doctor --online"
        case .setUpMail: "To set up mail: letsmeet setup"
        }
    }

    private static func option(of value: Advice.SetupValue) -> String {
        switch value {
        case .name(let name): "--name \(name.shellWord)"
        case .address(let address): "--email \(address.shellWord)"
        case .zone(let zone): "--tz \(zone.shellWord)"
        }
    }

    private static func words(_ fields: [RequestField]) -> String {
        fields == [.wholeDays]
            ? "For whole days: add --all-day" : "Give \(options(fields, joinedBy: "or"))."
    }

    private static func options(_ fields: [RequestField], joinedBy word: String) -> String {
        let names = fields.map(option)
        guard let last = names.last, names.count > 1 else { return names.joined() }
        return "\(names.dropLast().joined(separator: ", ")) \(word) \(last)"
    }

    /// A part of a request as the option that gives it, such as `--city`.
    public static func option(_ field: RequestField) -> String {
        switch field {
        case .zone: "--tz"
        case .requestKey: "--key"
        case .who: "--who"
        case .place: "--place"
        case .placeText: "--place-text"
        case .city: "--city"
        case .interest: "--for"
        case .position: "--near"
        case .start: "--start"
        case .duration: "--duration"
        case .end: "--end"
        case .wholeDays: "--all-day"
        case .repetition: "--repeat"
        case .date: "--on"
        case .firstDate: "--from"
        case .quiet: "--quiet"
        case .askingAgain: "--ask-again"
        case .url: "--url"
        case .target: "--to"
        case .requestFile: "--request"
        case .secret: "--secret-file"
        }
    }
}
