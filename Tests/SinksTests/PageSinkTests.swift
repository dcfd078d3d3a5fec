import Agenda
import Ledger
import Sinks
import TestKit
import Testing

@Suite struct PageSinkTests {
    @Test func `What goes to the inbox is accepted at once`() async {
        let sink = PageSink()
        let report = await sink.deliver(.sample("id1"))
        #expect(report.outcome == .accepted)
        #expect(sink.name == "page")
        // Printing is not telling, but what stands in the inbox is told.
        #expect(report.code != AttemptReport.printedCode)
    }

    @Test func `The inbox is a known sink of which nobody adds channels`() {
        let definition = SinkTable.definitions.first { $0.kind == .page }
        #expect(definition?.form == nil && definition?.isAlwaysThere == false)
        #expect(definition?.kind.readers == .accounts)
    }

    @Test(arguments: NotificationKind.allCases)
    func `Only what is about a meeting goes to the inbox, and no private link`(
        _ kind: NotificationKind
    ) {
        #expect(kind.goesToInbox == (kind.isAboutMeeting && kind != .link))
    }
}
