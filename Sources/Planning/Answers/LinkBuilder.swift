import Agenda
import Interchange
import Ledger
import Secrets
public import Settings
import Sinks
public import Storage
import Transport
public import Wording

/// Makes the links in messages.
///
/// If this installation has a public address, the links open its pages. If not, they open a new
/// mail with the answer.
public struct LinkBuilder: Sendable {
    private let site: Site?
    /// The address for answers if the organizer has none.
    private let mailbox: String?
    /// The reply addresses of single receivers; `nil` if the setting for them is missing.
    private let replies: ReplyAddresses?
    /// The language of people who have not chosen one.
    private let standard: Language

    private struct Site: Sendable {
        let base: BaseURL
        let key: InstallationKey

        func shareToken(_ meeting: MeetingID, _ number: Int) -> AccessToken {
            key.token(of: ["share", meeting.text, "\(number)"])
        }

        func token(_ subject: LinkSubject, _ number: Int) -> AccessToken {
            key.token(of: [
                subject.purpose.rawValue, subject.person.text, subject.meeting?.text ?? "",
                "\(number)",
            ])
        }
    }

    /// Makes links to pages at this address, signed with this key. Without both, makes links that
    /// write a mail: to the receiver's own reply address, else to the organizer, else to this
    /// mailbox.
    init(
        base: BaseURL?, key: InstallationKey?, replies: ReplyAddresses?, mailbox: String?,
        standard: Language
    ) {
        site = base.flatMap { base in key.map { Site(base: base, key: $0) } }
        self.replies = replies
        self.mailbox = mailbox
        self.standard = standard
    }

    /// The reply address that belongs to this receiver alone; `nil` if there is none, and for
    /// deliveries through other sinks than mail.
    public func answerAddress(of delivery: Delivery) -> String? {
        guard delivery.row.key.channel == SinkKind.mail.name else { return nil }
        return delivery.facts.flatMap { facts in
            replies?.address(of: facts.meeting.id, for: delivery.person.id)
        }
    }

    /// The generator of link hashes, by which the store finds links; `nil` without pages.
    public var generator: LinkGenerator? {
        site.map { site in
            LinkGenerator(channels: SinkTable.kindsWithEnclosures) { subject, number in
                site.token(subject, number).hash
            }
        }
    }

    /// The token of the link that signs a person in, for the mark of its delivery; `nil` without
    /// pages.
    func signInToken(for person: PersonID, mark: NotificationMark) -> AccessToken? {
        site?.key.token(of: ["sign-in", person.text, mark.text])
    }

    /// The link in a delivery that signs its receiver in; `nil` for other kinds, and without pages.
    public func signInURL(of delivery: Delivery) -> String? {
        let key = delivery.row.key.notification
        guard key.kind == .signIn, let site,
            let token = signInToken(for: delivery.person.id, mark: key.mark)
        else { return nil }
        return "\(site.base.text)/enter#\(token.text)"
    }

    /// The token of the link with which a person confirms an address, for the mark of its delivery;
    /// `nil` without pages.
    func addressToken(for person: PersonID, mark: NotificationMark) -> AccessToken? {
        site?.key.token(of: ["address", person.text, mark.text])
    }

    /// The link in a delivery with which an address is confirmed; `nil` for other kinds, and
    /// without pages.
    public func addressURL(of delivery: Delivery) -> String? {
        let key = delivery.row.key.notification
        guard key.kind == .signIn, let site,
            let token = addressToken(for: delivery.person.id, mark: key.mark)
        else { return nil }
        return "\(site.base.text)/me/addresses/confirm#\(token.text)"
    }

    /// The address of a page; `nil` without pages.
    func url(of subject: LinkSubject, number: Int) -> String? {
        site.map { site in
            let folder = subject.purpose == .guest ? "g" : "u"
            return "\(site.base.text)/\(folder)/\(site.token(subject, number).text)"
        }
    }

    /// The secret part of a link; `nil` without pages.
    func token(of subject: LinkSubject, number: Int) -> String? {
        site?.token(subject, number).text
    }

    /// The hash of the token of the link with which anybody sees a meeting, by the number of the
    /// link; `nil` without pages.
    func shareHash(of meeting: MeetingID) -> (@Sendable (_ number: Int) -> String)? {
        guard let site else { return nil }
        return { number in site.shareToken(meeting, number).hash }
    }

    /// The address of the page on which anybody sees a meeting; `nil` without pages.
    func shareURL(of meeting: MeetingID, number: Int) -> String? {
        site.map { "\($0.base.text)/g/s/\($0.shareToken(meeting, number).text)" }
    }

    /// True if programs may open links by themselves (RFC 8058), which needs HTTPS.
    public var isSecure: Bool { site?.base.isSecure ?? false }

    /// The links in a delivery.
    public func links(of delivery: Delivery) -> NotificationLinks? {
        let stop = delivery.links.unsubscribing.flatMap { number in
            LinkSubject.unsubscribing(delivery.person.id, from: delivery.row.key.notification.kind)
                .flatMap { url(of: $0, number: number) }
        }
        guard let facts = delivery.facts else { return stop.map { NotificationLinks(stop: $0) } }
        if let number = delivery.links.guest,
            let page = url(of: .guest(delivery.person.id, of: facts.meeting.id), number: number)
        {
            return NotificationLinks(page: page, on: delivery.date, stop: stop)
        }
        let state = facts.meeting.sequence + 2 * delivery.rounds
        let words = (delivery.person.language.flatMap(Language.init(tag:)) ?? standard).replies
        let own = answerAddress(of: delivery)
        let answers =
            delivery.isAnswerable
            ? Self.replies(
                to: own ?? organizer(of: facts), facts, in: state, on: delivery.date, words) : nil
        return answers.map { NotificationLinks(replies: $0, areSigned: own != nil, stop: stop) }
            ?? stop.map { NotificationLinks(stop: $0) }
    }

    private func organizer(of facts: DeliveryFacts) -> String? {
        facts.organizer.address.isEmpty ? mailbox : facts.organizer.address
    }

    /// The `mailto` links that answer yes, maybe and no (RFC 6068).
    private static func replies(
        to mailbox: String?, _ facts: DeliveryFacts, in state: Int, on date: String,
        _ words: (yes: String, maybe: String, no: String)
    ) -> NotificationLinks.Answers? {
        guard let mailbox else { return nil }
        let mark =
            date.isEmpty ? state == 0 ? "" : ".\(state)" : ".\(state).\(date.lowercased())"
        let subject = FormText.encode(": \(facts.meeting.title) [\(facts.meeting.id)\(mark)]")
        let address = mailbox.split(separator: "@", omittingEmptySubsequences: false)
            .map { FormText.encode(String($0)) }.joined(separator: "@")
        func mail(_ word: String) -> String {
            "mailto:\(address)?subject=\(FormText.encode(word))\(subject)"
        }
        return NotificationLinks.Answers(
            yes: mail(words.yes), maybe: mail(words.maybe), no: mail(words.no))
    }
}

extension PlannerSurroundings {
    /// The maker of links in messages.
    ///
    /// - Parameter other: the address of the pages if no public one is set.
    /// - Returns: the maker.
    /// - Throws: ``Refusal`` if the public address or the key of this installation is not valid.
    public func linkBuilder(otherwise other: BaseURL? = nil) throws(Refusal) -> LinkBuilder {
        let base: BaseURL?
        do throws(SettingsError) {
            base = try configuration.baseURL() ?? other
        } catch {
            throw Refusal(error)
        }
        return LinkBuilder(
            base: base, key: base == nil ? nil : try KeyFile.key(of: home, chance),
            replies: try replyAddresses(), mailbox: configuration.mailFrom,
            standard: standardLanguage)
    }

    /// The reply addresses of single receivers; `nil` if the setting for them is missing.
    ///
    /// - Throws: ``Refusal`` if their pattern or the key of this installation is not valid.
    package func replyAddresses() throws(Refusal) -> ReplyAddresses? {
        guard let text = configuration[.mailReplies] else { return nil }
        let form: SubaddressForm
        do throws(Mailbox.Fault) {
            form = try SubaddressForm(text)
        } catch {
            throw Refusal(
                .invalid, code: "bad_address",
                "\(configuration.place(of: .mailReplies)): \"\(text)\" is not an address pattern. "
                    + "Write it as in replies+*@example.org.")
        }
        return ReplyAddresses(form: form, key: try KeyFile.key(of: home, chance))
    }
}

extension Delivery {
    /// The date of a recurring meeting; empty if the delivery is not about a single date.
    fileprivate var date: String { row.key.notification.occurrence }
}
