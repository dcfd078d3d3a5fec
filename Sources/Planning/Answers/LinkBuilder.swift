import Agenda
import Interchange
import Ledger
import Secrets
import Settings
import Sinks
public import Storage
import Transport
public import Wording

/// Makes the links that letters bring.
///
/// Where others see this installation at an address of its own, they lead to its pages; elsewhere
/// they write a mail.
public struct LinkBuilder: Sendable {
    private let site: Site?
    /// To whom answers go where the organizer has no address.
    private let mailbox: String?
    /// To which addresses answers by mail go, where each has one of their own.
    private let replies: ReplyAddresses?
    /// The language of those of whom none is known.
    private let standard: Language

    private struct Site {
        let base: BaseURL
        let key: InstallationKey

        func token(_ subject: LinkSubject, _ number: Int) -> AccessToken {
            key.token(of: [
                subject.purpose.rawValue, subject.person.text, subject.meeting?.text ?? "",
                "\(number)",
            ])
        }
    }

    /// A book of links to pages at this address, made with this key; without both, of links that
    /// write to the reader's own address for answers, to the organizer, or else to this mailbox.
    init(
        base: BaseURL?, key: InstallationKey?, replies: ReplyAddresses?, mailbox: String?,
        standard: Language
    ) {
        site = base.flatMap { base in key.map { Site(base: base, key: $0) } }
        self.replies = replies
        self.mailbox = mailbox
        self.standard = standard
    }

    /// To which address its reader answers a letter by mail, where that is theirs alone; what goes
    /// another way than by mail is answered elsewhere.
    public func answerAddress(of delivery: Delivery) -> String? {
        guard delivery.row.key.channel == SinkKind.mail.name else { return nil }
        return delivery.facts.flatMap { facts in
            replies?.address(of: facts.meeting.id, for: delivery.person.id)
        }
    }

    /// By what the store is to know the links to pages; `nil` where there are none.
    public var generator: LinkGenerator? {
        site.map { site in
            LinkGenerator(channels: SinkTable.kindsWithEnclosures) { subject, number in
                site.token(subject, number).hash
            }
        }
    }

    /// The address of a page; `nil` where there are none.
    func url(of subject: LinkSubject, number: Int) -> String? {
        site.map { site in
            let folder = subject.purpose == .guest ? "g" : "u"
            return "\(site.base.text)/\(folder)/\(site.token(subject, number).text)"
        }
    }

    /// Whether programs may follow links by themselves (RFC 8058): only where nobody listens.
    public var isSecure: Bool { site?.base.isSecure ?? false }

    /// The links of a letter.
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

    /// Mails that say yes, maybe and no (RFC 6068).
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
    /// The links that letters bring.
    ///
    /// - Throws: ``Refusal`` where the address or the key of this installation is none.
    public func linkBook() throws(Refusal) -> LinkBuilder {
        let base: BaseURL?
        do throws(SettingsError) {
            base = try configuration.baseURL()
        } catch {
            throw Refusal(error)
        }
        return LinkBuilder(
            base: base, key: base == nil ? nil : try KeyFile.key(of: home, chance),
            replies: try replyAddresses(), mailbox: configuration.mailFrom,
            standard: standardLanguage)
    }

    /// To which addresses answers by mail go, where each has one of their own.
    ///
    /// - Throws: ``Refusal`` where the form of them, or the key of this installation, is none.
    func replyAddresses() throws(Refusal) -> ReplyAddresses? {
        guard let text = configuration[.mailReplies] else { return nil }
        let form: SubaddressForm
        do throws(Mailbox.Fault) {
            form = try SubaddressForm(text)
        } catch {
            throw Refusal(
                .invalid, code: "bad_address",
                "\(configuration.place(of: .mailReplies)): \(text) is no form of addresses, such "
                    + "as replies+*@example.org.")
        }
        return ReplyAddresses(form: form, key: try KeyFile.key(of: home, chance))
    }
}

extension Delivery {
    /// The date of a series that it is about; empty for all else.
    fileprivate var date: String { row.key.notification.occurrence }
}
