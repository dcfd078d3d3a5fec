package import Agenda
package import Interchange
import Ledger
import Secrets

/// The reply addresses of mails: one for each receiver of each meeting. Nobody else can guess it,
/// so an answer to it comes from a person who received the mail.
package struct ReplyAddresses: Sendable {
    private let form: SubaddressForm
    private let key: InstallationKey

    /// Makes addresses of this form, signed with this key.
    init(form: SubaddressForm, key: InstallationKey) {
        self.form = form
        self.key = key
    }

    /// The address for a person's answers to a meeting.
    func address(of meeting: MeetingID, for person: PersonID) -> String {
        form.address(signature(of: meeting, person))
    }

    /// The signatures in the receiver addresses of a mail.
    package func signatures(of mail: ReceivedMail) -> Set<String> {
        Set(Self.fields.flatMap(mail.addresses).compactMap(form.mark))
    }

    /// True if one of these signatures belongs to this person and meeting.
    package func holds(
        _ signatures: Set<String>, of meeting: MeetingID, for person: PersonID
    ) -> Bool {
        !signatures.isEmpty && signatures.contains(signature(of: meeting, person))
    }

    /// The identities of deliveries, without their domain, in the receiver addresses of a mail,
    /// which was returned to them.
    package func deliveries(of mail: ReceivedMail) -> [String] {
        Self.fields.flatMap(mail.addresses).compactMap(form.mark)
    }

    private func signature(of meeting: MeetingID, _ person: PersonID) -> String {
        key.token(of: ["reply", meeting.text, person.text]).text
    }

    /// The header fields that can hold the receiver address: those that the author wrote, and those
    /// that the receiving server added.
    private static let fields = ["To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To"]
}
