import Ledger
import Testing

@Suite struct DeliveryStateTests {
    @Test func `An accepted delivery stays accepted`() {
        #expect(DeliveryState.accepted.successors.isEmpty)
    }

    @Test func `No state follows itself`() {
        for state in DeliveryState.allCases { #expect(!state.mayBecome(state)) }
    }

    @Test func `A delivery is claimed only from a waiting state`() {
        let before = DeliveryState.allCases.filter { $0.mayBecome(.claimed) }
        #expect(Set(before) == [.planned, .ambiguous])
    }

    @Test func `Only a claimed delivery can be accepted, fail or become ambiguous`() {
        for state in [DeliveryState.accepted, .failed, .ambiguous] {
            #expect(DeliveryState.allCases.filter { $0.mayBecome(state) } == [.claimed])
        }
    }

    @Test func `Every state can be reached`() {
        var reached: Set<DeliveryState> = [.planned]
        for _ in DeliveryState.allCases { reached.formUnion(reached.flatMap(\.successors)) }
        #expect(reached == Set(DeliveryState.allCases))
    }

    @Test func `A claimed delivery cannot be superseded or suppressed`() {
        #expect(!DeliveryState.claimed.mayBecome(.superseded))
        #expect(!DeliveryState.claimed.mayBecome(.suppressed))
    }
}
