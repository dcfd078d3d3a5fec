import Agenda
import Interchange
public import Ledger
import Secrets
import Settings
public import Storage
import Timekeeping
import Wording

/// The mail addresses of the actor, as a page shows them.
public struct OwnAddresses: Sendable {
    /// The proven addresses, with which the actor signs in. Mails go to the first one.
    public let proven: [String]
    /// The addresses that wait to be confirmed, the latest first.
    public let waiting: [AddressRequest]
    /// The address to which mails go although it is not proven, because none is; `nil` otherwise.
    public let unproven: String?
    /// False for the owner of the installation, whose address is a setting.
    public let isChangeable: Bool
    /// True if links can be mailed.
    public let canMail: Bool
}

/// Managing the addresses with which the actor signs in, and to which mails go.
extension Planner {
    /// The time for which a link that confirms an address is valid, in seconds: an hour.
    public static let addressSeconds: Int64 = 3600
    /// The most addresses of an account, with those that wait to be confirmed.
    public static let ownAddressesMax = 10

    /// The addresses of the actor.
    public func ownAddresses() async throws -> OwnAddresses {
        let proven = try await store.provenAddresses(of: actor.id, limit: Self.ownAddressesMax)
        return OwnAddresses(
            proven: proven,
            waiting: try await store.addressRequests(
                of: actor.id, now: now, limit: Self.ownAddressesMax),
            unproven: proven.isEmpty && !actor.address.isEmpty ? actor.address : nil,
            isChangeable: actor.id != owner.id, canMail: canMailLinks)
    }

    /// Checks an address before it is added to the actor's account. It does not look at other
    /// people.
    ///
    /// - Parameter typed: the address as it was typed.
    /// - Returns: the address.
    /// - Throws: ``Refusal`` with `owner_address`, `no_mail_server`, `bad_address`, `own_address`
    ///   or `too_many_addresses`.
    public func addressToAdd(_ typed: String) async throws -> String {
        try checkChangesAddresses()
        guard canMailLinks else {
            throw Refusal(
                .refused, code: "no_mail_server",
                "This installation sends no mail, so no address can be confirmed.")
        }
        guard let address = MailAddress.plausible(typed) else {
            throw Refusal(.invalid, code: "bad_address", "This is not a mail address.")
        }
        let own = try await ownAddresses()
        let key = MailAddress.folded(address)
        guard !own.proven.contains(where: { MailAddress.folded($0) == key }) else {
            throw Refusal(
                .refused, code: "own_address", "This address already belongs to your account.")
        }
        let others = own.waiting.filter { MailAddress.folded($0.address) != key }
        guard own.proven.count + others.count < Self.ownAddressesMax else {
            throw Refusal(
                .refused, code: "too_many_addresses",
                "An account has at most \(Self.ownAddressesMax) addresses. Remove one first.")
        }
        return address
    }

    /// Asks for an address to be added to the actor's account: a link is mailed to it. If it was
    /// proven to belong to somebody else, they get a mail without a link, and the actor cannot see
    /// the difference.
    ///
    /// - Parameters:
    ///   - address: the address, from ``addressToAdd(_:)``.
    ///   - isMailed: false to send no mail, because too many were sent to the address.
    /// - Throws: an error of the store or the templates.
    public func requestAddress(_ address: String, isMailed: Bool = true) async throws {
        let id: Identifier<Meeting> = surroundings.chance.id()
        let mark = NotificationMark(text: id.text)
        let builder = try surroundings.linkBuilder()
        guard let token = builder.addressToken(for: actor.id, mark: mark),
            let base = try surroundings.configuration.baseURL()
        else { return }
        let until = now.advanced(bySeconds: Self.addressSeconds)
        try await store.add(
            AddressRequest(of: actor.id, for: address, askedAt: now, until: until),
            hash: token.hash)
        guard isMailed else { return }
        let holder = try await store.accountHolder(at: address)
        var reader = holder ?? actor
        if holder == nil { reader.address = address }
        try await mail(
            SignInFacts(
                for: reader.name, at: base.text, holder == nil ? .address : .takenAddress),
            to: reader, mark: mark, until: until)
    }

    /// Adds an address to the actor's account, with the token of the link that was mailed to it.
    ///
    /// - Parameter text: the token as the person typed or opened it.
    /// - Returns: the address.
    /// - Throws: ``Refusal`` with `owner_address` or `address_link_invalid`.
    public func confirmAddress(by text: String) async throws -> String {
        try checkChangesAddresses()
        let first = try await ownAddresses().proven.first
        guard let token = Self.token(in: text),
            let address = try await store.confirmAddress(
                hash: token.hash, of: actor.id, now: now)
        else {
            throw Refusal(
                .refused, code: "address_link_invalid",
                "This link does not work: it was used already, is older than an hour, belongs to "
                    + "another account, or is incomplete.")
        }
        try await store.note(
            AccessAct(.addressAdded, of: actor.id, by: actor.id, at: now))
        try await replanForAddress()
        if let first { try await mailNote(.addedAddress(address), to: first) }
        return address
    }

    /// Makes a proven address the one to which the actor's mails go. A mail to the earlier one
    /// says so.
    ///
    /// - Parameters:
    ///   - address: the address.
    ///   - mayMail: says whether one more mail may go to an address.
    /// - Throws: ``Refusal`` with `owner_address` or `not_own_address`.
    public func putAddressFirst(
        _ address: String, mayMail: (String) -> Bool = { _ in true }
    ) async throws {
        try checkChangesAddresses()
        let first = try await ownAddresses().proven.first
        guard try await store.putFirst(address, of: actor.id) else { throw Self.notOwnAddress }
        try await replanForAddress()
        guard let first, MailAddress.folded(first) != MailAddress.folded(address), mayMail(first)
        else { return }
        try await mailNote(.movedMails(to: address), to: first)
    }

    /// Mails a note about a change of the actor's addresses, so that they notice changes that were
    /// not theirs.
    private func mailNote(_ purpose: SignInFacts.Purpose, to address: String) async throws {
        guard canMailLinks, let base = try surroundings.configuration.baseURL() else { return }
        let id: Identifier<Meeting> = surroundings.chance.id()
        var reader = actor
        reader.address = address
        try await mail(
            SignInFacts(for: actor.name, at: base.text, purpose), to: reader,
            mark: NotificationMark(text: id.text),
            until: now.advanced(bySeconds: Self.noteSeconds))
    }

    /// The time in which a note about a change of addresses is to be sent, in seconds: a week.
    private static let noteSeconds: Int64 = 7 * 86_400

    /// Removes an address of the actor, proven or not. Removing a proven one ends all sessions of
    /// the actor but one, because whoever reads its mails may have signed in with it. A last mail
    /// to it says so.
    ///
    /// - Parameters:
    ///   - address: the address.
    ///   - kept: the session that goes on.
    /// - Returns: true if it was a proven address.
    /// - Throws: ``Refusal`` with `owner_address` or `last_address`.
    @discardableResult
    public func removeAddress(_ address: String, keeping kept: SessionID?) async throws -> Bool {
        try checkChangesAddresses()
        let own = try await ownAddresses()
        let key = MailAddress.folded(address)
        guard own.proven.contains(where: { MailAddress.folded($0) == key }) else {
            try await store.removeAddressRequest(address, of: actor.id)
            return false
        }
        guard try await store.removeAddress(address, of: actor.id) else {
            throw Refusal(
                .refused, code: "last_address",
                "This is your only confirmed address, and you sign in with it. Add another one "
                    + "first.")
        }
        try await store.note(
            AccessAct(.addressRemoved, of: actor.id, by: actor.id, at: now))
        try await signOut(keeping: kept)
        try await replanForAddress()
        try await mailNote(.removedAddress, to: address)
        return true
    }

    /// Plans the actor's coming notifications again, for the address to which mails go now.
    private func replanForAddress() async throws {
        try await store.replanMeetings(
            of: actor.id, now: now, replanning: replanning(because: "the address changed"))
    }

    /// The owner's address is a setting, and is read again at each start.
    private func checkChangesAddresses() throws {
        guard actor.id != owner.id else {
            throw Refusal(
                .refused, code: "owner_address",
                "The address of the owner of this installation is a setting. Change it there.")
        }
    }

    private static let notOwnAddress = Refusal(
        .refused, code: "not_own_address", "This is not a confirmed address of your account.")
}
