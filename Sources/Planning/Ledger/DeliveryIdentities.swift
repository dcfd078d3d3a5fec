import Agenda
import Interchange
import Ledger
import Secrets

/// The identities of deliveries, as their receivers see them.
///
/// The identity of a mail is its Message-ID without the angle brackets (RFC 5322, 3.6.4), which has
/// the form of a meeting's UID. A returned mail with this identity can suppress an address. Whoever
/// knows a meeting and its guests can compute the names of the deliveries, so the name is followed
/// by a mark that needs the key of the installation. Those to whom the receiver replies see the
/// identity, too, so a mail also has a return identity with another mark, which replies do not
/// repeat. Through other channels, the identity is the name.
public struct DeliveryIdentities: Sendable {
    /// A mail that is named by one of its identities.
    package struct NamedMail: Sendable {
        /// The name of the delivery.
        package let name: String
        /// True if it was named by its return identity.
        package let isReturned: Bool
    }

    /// The words that the two marks are made with.
    private enum Purpose: String, CaseIterable {
        case delivery
        case returned
    }

    /// The length of the mark. A report is tried with at most 100 identities, so
    /// guessing one of 30 bits takes about five million mails.
    private static let markCharacters = 6

    private let key: InstallationKey?

    /// Makes identities with the key of an installation; without one, mails have none.
    init(key: InstallationKey?) {
        self.key = key
    }

    /// The identity of the delivery with a name.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - channel: the channel of the delivery.
    /// - Returns: the identity; empty for a mail if there is no key.
    public func identity(of name: String, on channel: String) -> String {
        guard channel == SinkKind.mail.name else { return name }
        return identity(of: name, .delivery)
    }

    /// The return identity of the mail with a name: its envelope sender and a field of its own
    /// contain it.
    ///
    /// - Parameter name: the name.
    /// - Returns: the identity; empty if there is no key.
    public func returnIdentity(of name: String) -> String {
        identity(of: name, .returned)
    }

    /// The mail with an identity.
    ///
    /// - Parameter identity: the identity, with or without its domain, in any case.
    /// - Returns: the mail; `nil` if the mark is not one of this installation.
    package func mail(with identity: String) -> NamedMail? {
        let local = identity.lowercased().prefix { $0 != "@" }
        let name = String(local.prefix(DeliveryKey.nameCharacters))
        let mark = String(local.dropFirst(DeliveryKey.nameCharacters))
        guard !mark.isEmpty,
            let purpose = Purpose.allCases.first(where: { self.mark(of: name, $0) == mark })
        else { return nil }
        return NamedMail(name: name, isReturned: purpose == .returned)
    }

    private func identity(of name: String, _ purpose: Purpose) -> String {
        mark(of: name, purpose).map { "\(name)\($0)\(BounceReport.identityDomain)" } ?? ""
    }

    private func mark(of name: String, _ purpose: Purpose) -> String? {
        key.map {
            $0.code(of: "\(purpose)\0\(name)").prefix(Self.markCharacters).lowercased()
        }
    }
}

extension PlannerSurroundings {
    /// The identities of this installation's deliveries.
    ///
    /// - Throws: ``Refusal`` with `bad_key`.
    public func deliveryIdentities() throws -> DeliveryIdentities {
        DeliveryIdentities(key: try KeyFile.key(of: home, chance))
    }
}

extension Planner {
    /// The identities of deliveries as the actor may see them: others than the owner see none of
    /// mails, because whoever knows one can return the mail. Nor does anybody if the key cannot be
    /// read.
    var identities: DeliveryIdentities {
        let own = actsAsOwner ? try? surroundings.deliveryIdentities() : nil
        return own ?? DeliveryIdentities(key: nil)
    }

    /// The changes of the ledger by changes of meetings, as the actor may see them.
    func notifications(_ revisions: [MeetingRevision]) -> NotificationsView {
        NotificationsView(
            revisions, reader: zone, identities: identities, sight: sight(of:in:))
    }
}
