import Agenda
import Ledger
import NIOHTTP1
import Planning
import Storage
import Timekeeping
import Wording

/// The mail addresses of the reader's account.
struct AddressesPage: PageModel {
    static let template = "addresses"
    static let names = TemplateNames(
        ["unproven", "isChangeable", "canMail", "typed", "addressFault", "hasWaiting", "problem"],
        lists: [
            "proven": ["address", "isFirst", "isRemovable"], "waiting": ["address", "until"],
        ])

    let addresses: OwnAddresses
    let zone: Zone
    /// The address that was typed, beside its fault.
    var typed = ""
    var addressFault: String?
    /// The reason why another form was refused.
    var problem: String?

    func title(_ words: PageWords) -> String { words("Mail addresses") }

    func values(_ words: PageWords) -> TemplateValues {
        let proven = addresses.proven
        var values: TemplateValues = [
            "isChangeable": .flag(addresses.isChangeable), "canMail": .flag(addresses.canMail),
            "typed": .text(typed.isEmpty ? addresses.unproven ?? "" : typed),
            "hasWaiting": .flag(!addresses.waiting.isEmpty),
            "proven": .list(
                proven.enumerated().map { place, address in
                    [
                        "address": .text(address), "isFirst": .flag(place == 0),
                        "isRemovable": .flag(addresses.isChangeable && proven.count > 1),
                    ]
                }),
            "waiting": .list(
                addresses.waiting.map { request in
                    [
                        "address": .text(request.address),
                        "until": .text(
                            words(
                                "waits to be confirmed; the link works until %when%",
                                ["when": words.moment(request.expiresAt, in: zone)])),
                    ]
                }),
        ]
        values[text: "unproven"] = addresses.unproven
        values[text: "addressFault"] = addressFault
        values[text: "problem"] = problem
        return values
    }
}

/// The page to which the link in a mail leads, and on which an address is confirmed.
struct AddressConfirmPage: PageModel {
    static let template = "address-confirm"
    static let names = TemplateNames(["problem"])

    /// The reason why the last try failed.
    var problem: String?

    func title(_ words: PageWords) -> String { words("Confirm a mail address") }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [:]
        values[text: "problem"] = problem
        return values
    }
}

extension Site {
    /// The addresses of the reader's account.
    var addressRoutes: [Route] {
        [
            route(.get, "/me/addresses") { request, visitor in
                show(try await addressesPage(visitor), in: frame(request, visitor))
            },
            confirmedRoute(.post, "/me/addresses", addAddress),
            confirmedRoute(.post, "/me/addresses/first", putAddressFirst),
            confirmedRoute(.post, "/me/addresses/remove", removeAddress),
            route(.get, "/me/addresses/confirm") { _, visitor in
                show(AddressConfirmPage(), in: Frame(visitor: visitor))
            }, route(.post, "/me/addresses/confirm", confirmAddress),
        ]
    }

    private func addressesPage(_ visitor: Visitor) async throws -> AddressesPage {
        AddressesPage(
            addresses: try await visitor.planner.ownAddresses(), zone: visitor.planner.zone)
    }

    /// Asks for an address. The answer is the same whether the address is free or belongs to
    /// somebody else.
    private func addAddress(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        let planner = visitor.planner
        let typed = request.form["address"][...].trimmingSpaces
        do {
            let address = try await planner.addressToAdd(typed)
            guard
                addressAskers.lets(planner.actor.id.text, askFor: address, at: planner.now)
            else { throw AddressAskers.tooOften }
            try await planner.requestAddress(
                address, isMailed: addressAskers.letsMail(to: address, at: planner.now))
            return redirect(to: .addresses(saved: "address-asked"))
        } catch let refusal as Refusal {
            var page = try await addressesPage(visitor)
            page.typed = typed
            page.addressFault = try sentence(refusal, visitor)
            let isTooOften = refusal.code == AddressAskers.tooOften.code
            return show(
                page, in: Frame(visitor: visitor), isTooOften ? .tooManyRequests : .badRequest)
        }
    }

    private func confirmAddress(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        do {
            _ = try await visitor.planner.confirmAddress(by: request.form["token"])
            return redirect(to: .addresses(saved: "address-added"))
        } catch let refusal as Refusal {
            let page = AddressConfirmPage(problem: try sentence(refusal, visitor))
            return show(page, in: Frame(visitor: visitor), .badRequest)
        }
    }

    private func putAddressFirst(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let planner = visitor.planner
        try await planner.putAddressFirst(request.form["address"]) {
            addressAskers.letsMail(to: $0, at: planner.now)
        }
        return redirect(to: .addresses(saved: "me"))
    }

    private func removeAddress(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        do {
            let isSignedOut = try await visitor.planner.removeAddress(
                request.form["address"], keeping: visitor.signedIn.session.id)
            let answer = redirect(to: .addresses(saved: "address-removed"))
            return isSignedOut ? await keepingBrowser(of: visitor, answer, request) : answer
        } catch let refusal as Refusal {
            var page = try await addressesPage(visitor)
            page.problem = try sentence(refusal, visitor)
            return show(page, in: Frame(visitor: visitor), .conflict)
        }
    }
}
