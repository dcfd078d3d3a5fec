import Foundation
import Notifications
import Planning
import Storage
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct LostFileTests {
    @Test func `The sweep each minute detects that the database is gone, and nothing more is sent`()
        async throws
    {
        try await withLunch { lunch in
            let path = lunch.planner.store.path
            let sink = ScriptedSink()
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            _ = try await engine.runOnce()
            // A watch on another folder reports no changes of this one.
            let watch = try StoreWatch(path: NSTemporaryDirectory() + "nothing.sqlite")
            await #expect(throws: StoreLoss.gone(path: path)) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await engine.run(watch: watch) }
                    await lunch.world.clock.untilSomebodySleeps()
                    try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
                    lunch.world.clock.advance(bySeconds: 60)
                    try await group.next()
                }
            }
            #expect(sink.messages.count == 2)
        }
    }
}
