import Ledger
import Testing

@Suite struct DeliveryStateTests {
    @Test func `An accepted delivery can only fail later`() {
        #expect(DeliveryState.accepted.successors == [.failed])
    }

    @Test func `No state follows itself`() {
        for state in DeliveryState.allCases { #expect(!state.mayBecome(state)) }
    }

    @Test func `A delivery is claimed only from a waiting state`() {
        let before = DeliveryState.allCases.filter { $0.mayBecome(.claimed) }
        #expect(Set(before) == [.planned, .ambiguous])
    }

    @Test func `Only a claimed delivery can be accepted or become ambiguous`() {
        for state in [DeliveryState.accepted, .ambiguous] {
            #expect(DeliveryState.allCases.filter { $0.mayBecome(state) } == [.claimed])
        }
    }

    @Test func `A delivery fails in an attempt, or after it was accepted`() {
        let before = DeliveryState.allCases.filter { $0.mayBecome(.failed) }
        #expect(Set(before) == [.claimed, .accepted])
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
