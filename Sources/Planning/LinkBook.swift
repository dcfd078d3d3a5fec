import Agenda
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
public struct LinkBook: Sendable {
    private let site: Site?
    /// To whom answers go where the organizer has no address.
    private let mailbox: String?
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
    /// write to the organizer, or else to this mailbox.
    init(base: BaseURL?, key: InstallationKey?, mailbox: String?, standard: Language) {
        site = base.flatMap { base in key.map { Site(base: base, key: $0) } }
        self.mailbox = mailbox
        self.standard = standard
    }

    /// By what the store is to know the links to pages; `nil` where there are none.
    public var mint: LinkMint? {
        site.map { site in
            LinkMint(channels: SinkTable.enclosingChannels) { subject, number in
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
    public func links(of letter: Letter) -> NoticeLinks? {
        let stop = letter.links.unsubscribing.flatMap { number in
            LinkSubject.unsubscribing(letter.person.id, from: letter.row.key.notification.kind)
                .flatMap { url(of: $0, number: number) }
        }
        guard let facts = letter.facts else { return stop.map { NoticeLinks(stop: $0) } }
        if let number = letter.links.guest,
            let page = url(of: .guest(letter.person.id, of: facts.meeting.id), number: number)
        {
            return NoticeLinks(page: page, stop: stop)
        }
        let state = facts.meeting.sequence + 2 * letter.row.key.notification.round
        let words = (letter.person.language.flatMap(Language.init(tag:)) ?? standard).replies
        let answers = letter.isAnswerable ? replies(to: facts, in: state, words) : nil
        return answers.map { NoticeLinks(replies: $0, stop: stop) }
            ?? stop.map { NoticeLinks(stop: $0) }
    }

    /// Mails that say yes, maybe and no (RFC 6068).
    private func replies(
        to facts: LetterFacts, in state: Int, _ words: (yes: String, maybe: String, no: String)
    ) -> NoticeLinks.Answers? {
        let own = facts.organizer.address
        guard let mailbox = own.isEmpty ? mailbox : own else { return nil }
        func mail(_ word: String) -> String {
            let mark = state == 0 ? "" : ".\(state)"
            let subject = "\(word): \(facts.meeting.title) [\(facts.meeting.id)\(mark)]"
            let address = FormText.encode(mailbox).replacing("%40", with: "@")
            return "mailto:\(address)?subject=\(FormText.encode(subject))"
        }
        return NoticeLinks.Answers(
            yes: mail(words.yes), maybe: mail(words.maybe), no: mail(words.no))
    }
}

extension PlannerSurroundings {
    /// The links that letters bring.
    ///
    /// - Throws: ``Refusal`` where the address or the key of this installation is none.
    public func linkBook() throws(Refusal) -> LinkBook {
        let base: BaseURL?
        do throws(SettingsError) {
            base = try configuration.baseURL()
        } catch {
            throw Refusal(error)
        }
        return LinkBook(
            base: base, key: base == nil ? nil : try KeyFile.key(of: home, chance),
            mailbox: configuration.mailFrom, standard: standardLanguage)
    }
}
