import Agenda
import Ledger
import Storage
import TestKit
import Testing
import Timekeeping

@testable import Planning

/// Browsers in which people signed in before.
@Suite(.timeLimit(.minutes(5))) struct KnownBrowsersTests {
    enum Event: CaseIterable {
        case nothing, signedOutHere, signedOutEverywhere, signedOutByOwner, passwordSet, disabled
        case yearPassed
    }

    private func happen(_ event: Event, to eva: Person, _ owner: Planner) async throws {
        let evas = owner.acting(as: eva)
        switch event {
        case .nothing, .yearPassed: break
        case .signedOutHere:
            let session = try #require(try await evas.sessions().first)
            try await evas.signOut(session.id)
        case .signedOutEverywhere: try await evas.signOut()
        case .signedOutByOwner: _ = try await owner.signOut(eva, session: nil)
        case .passwordSet: try await evas.setPassword("a long sentence of mine", keeping: nil)
        case .disabled:
            try await owner.changeAccount(of: eva, isEnabled: false)
            try await owner.changeAccount(of: eva, isEnabled: true)
        }
    }

    @Test(arguments: Event.allCases)
    func `A browser is known for a year, unless all browsers are forgotten before`(
        _ event: Event
    ) async throws {
        try await withTemporaryHome { world in
            let owner = try await world.planner(settings: Planner.openSettings)
            let eva = try await owner.register(at: "eva@example.org")
            let ben = try await owner.register(at: "ben@example.org")
            let mark = try #require(await owner.browserMark(of: eva.id))
            let bens = try #require(await owner.browserMark(of: ben.id))
            let first = await owner.knownBrowser(by: mark, at: "EVA@example.org")
            #expect(first == eva.id)
            for (mark, address) in [(mark, "ben@example.org"), (bens, "eva@example.org")] {
                let other = await owner.knownBrowser(by: mark, at: address)
                #expect(other == nil)
            }
            try await happen(event, to: eva, owner)
            let seconds = Planner.knownBrowserSeconds - (event == .yearPassed ? 0 : 1)
            world.clock.advance(bySeconds: seconds)
            let last = await owner.knownBrowser(by: mark, at: "eva@example.org")
            let isKnown = event == .nothing || event == .signedOutHere
            #expect(last == (isKnown ? eva.id : nil))
            let next = try #require(await owner.browserMark(of: eva.id))
            let again = await owner.knownBrowser(by: next, at: "eva@example.org")
            #expect(again == eva.id)
        }
    }

    @Test func `A mark that was made up is of no known browser`() async throws {
        try await withTemporaryHome { world in
            let owner = try await world.planner(settings: Planner.openSettings)
            let eva = try await owner.register(at: "eva@example.org")
            let mark = try #require(await owner.browserMark(of: eva.id))
            let proof = try #require(mark.split(separator: ".").last)
            for made in ["", "0", "\(owner.now.milliseconds + 1)", "\(Int64.min)", "\(Int64.max)"] {
                for forged in ["\(made).\(proof)", "\(made).", made] {
                    let person = await owner.knownBrowser(by: forged, at: "eva@example.org")
                    #expect(person == nil)
                }
            }
        }
    }
}
