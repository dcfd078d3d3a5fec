import Agenda
import Interchange
import Ledger
import Secrets

/// The addresses to which answers by mail go: one for each receiver of each meeting, which nobody
/// else can know. Who answers there was asked there.
struct ReplyAddresses: Sendable {
    private let form: SubaddressForm
    private let key: InstallationKey

    /// Addresses of this form, signed with this key.
    init(form: SubaddressForm, key: InstallationKey) {
        self.form = form
        self.key = key
    }

    /// Where somebody answers who is asked to a meeting.
    func address(of meeting: MeetingID, for person: PersonID) -> String {
        form.address(signature(of: meeting, person))
    }

    /// The signatures in the addresses to which a mail was sent.
    func signatures(of mail: ReceivedMail) -> Set<String> {
        Set(Self.fields.flatMap(mail.addresses).compactMap(form.mark))
    }

    /// Whether one of these signatures was given to somebody.
    func holds(_ signatures: Set<String>, of meeting: MeetingID, for person: PersonID) -> Bool {
        !signatures.isEmpty && signatures.contains(signature(of: meeting, person))
    }

    private func signature(of meeting: MeetingID, _ person: PersonID) -> String {
        key.token(of: ["reply", meeting.text, person.text]).text
    }

    /// Where the address stands to which a mail was sent: in what its author wrote, or what the
    /// server noted that took it.
    private static let fields = ["To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To"]
}
