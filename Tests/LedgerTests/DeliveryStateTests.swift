import Ledger
import Testing

@Suite struct DeliveryStateTests {
    @Test func `What arrived stays so`() {
        #expect(DeliveryState.accepted.successors.isEmpty)
    }

    @Test func `No state follows itself`() {
        for state in DeliveryState.allCases { #expect(!state.mayBecome(state)) }
    }

    @Test func `A send begins only from a state that waits`() {
        let before = DeliveryState.allCases.filter { $0.mayBecome(.claimed) }
        #expect(Set(before) == [.planned, .ambiguous])
    }

    @Test func `Only what is being sent can be accepted, fail or become ambiguous`() {
        for state in [DeliveryState.accepted, .failed, .ambiguous] {
            #expect(DeliveryState.allCases.filter { $0.mayBecome(state) } == [.claimed])
        }
    }

    @Test func `Every state can be reached`() {
        var reached: Set<DeliveryState> = [.planned]
        for _ in DeliveryState.allCases { reached.formUnion(reached.flatMap(\.successors)) }
        #expect(reached == Set(DeliveryState.allCases))
    }

    @Test func `What is being sent cannot be taken back`() {
        #expect(!DeliveryState.claimed.mayBecome(.superseded))
        #expect(!DeliveryState.claimed.mayBecome(.suppressed))
    }
}
