import Foundation
import Ledger
import NIOHTTP1
import Planning
import Settings
import Storage
import Synchronization
import TestKit
import Testing

@testable import Web

/// No page shows a path of the server, whatever fails.
@Suite(.timeLimit(.minutes(5))) struct ServerPathTests {
    /// Lets accesses to the database fail after a number of them: all, or the next one only.
    private final class FailingStore: StoreAccessHook {
        private struct State {
            var accesses: Int
            let error: StoreError
            let isOnce: Bool
        }

        private let state = Mutex<State?>(nil)

        func fail(after accesses: Int, with error: StoreError, isOnce: Bool = false) {
            state.withLock { $0 = State(accesses: accesses, error: error, isOnce: isOnce) }
        }

        func work() { state.withLock { $0 = nil } }

        func enter() throws {
            try state.withLock { state in
                guard let now = state else { return }
                state?.accesses -= 1
                guard now.accesses <= 0 else { return }
                if now.isOnce { state = nil }
                throw now.error
            }
        }

        func leave() {}
    }

    /// The most accesses to the database for one of the requests below.
    private static let accessesMax = 40

    @Test(arguments: [
        ("/people", "name=Anna&address=anna%40example.org"),
        ("/new", "title=Games&who=ben%40example.org&date=2026-12-05&time=18:00&do=create"),
        ("/me/feeds", "what=me"),
    ])
    func `A form that the database fails shows no path`(
        _ path: String, _ form: String
    ) async throws {
        let hook = FailingStore()
        try await TestSite.with(hook: hook) { site in
            let browser = try await site.browser()
            let database = site.world.home.database
            var statuses: Set<UInt> = []
            for accesses in 0..<Self.accessesMax {
                let errors: [StoreError] = [
                    .late(path: database), .busy(path: database), .notWritable(path: database),
                ]
                for error in errors {
                    hook.fail(after: accesses, with: error)
                    let page = await browser.submit(path, form)
                    hook.work()
                    statuses.insert(page.status.code)
                    #expect(!page.text.contains(site.world.home.path))
                }
            }
            #expect(statuses.isSuperset(of: [500, 503]))
        }
    }

    @Test func `A guest who cannot be looked up is not left out of a new meeting`() async throws {
        let hook = FailingStore()
        try await TestSite.with(hook: hook) { site in
            let browser = try await site.browser()
            for accesses in 0..<Self.accessesMax {
                let error = StoreError.late(path: site.world.home.database)
                hook.fail(after: accesses, with: error, isOnce: true)
                _ = await browser.submit(
                    "/new",
                    "title=Games\(accesses)&who=ben%40example.org&date=2026-12-05&time=18:00"
                        + "&do=create")
                hook.work()
            }
            let made = try await site.planner.meetings(.coming).meetings
            #expect(!made.isEmpty)
            #expect(made.allSatisfy { $0.answers.contains("1 hasn't answered") })
        }
    }

    @Test func `An import that is stopped says how much was saved, without a path`() async throws {
        let hook = FailingStore()
        try await TestSite.with(hook: hook) { site in
            let rows = (0...2000).map { "Name \($0),n\($0)@example.org" }
            let text = "Name,Email\n" + rows.joined(separator: "\n")
            let browser = try await site.browser()
            var partly: PageAnswer?
            for accesses in 0..<Self.accessesMax where partly == nil {
                let error = StoreError.late(path: site.world.home.database)
                hook.fail(after: accesses, with: error, isOnce: true)
                var page = try await upload(text, browser.cookie ?? "", to: site)
                let place = page.field("Location")
                if place.hasPrefix("/tasks/") {
                    await site.site.tasks.ended(LongTaskID(text: String(place.dropFirst(7))))
                }
                hook.work()
                if place.hasPrefix("/tasks/") { page = await browser.open(place) }
                #expect(!page.text.contains(site.world.home.path))
                if page.text.contains("00 of 2001 cards were saved") { partly = page }
            }
            let words = "a call to the database took too long. Import the file again"
            #expect(partly?.text.contains(words) == true)
        }
    }

    private func upload(
        _ text: String, _ cookie: String, to site: TestSite
    ) async throws -> PageAnswer {
        let path = site.world.home.path + "/upload"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        var form = ReceivedForm()
        form.files = [UploadedFile(field: "file", name: "people.csv", path: path)]
        let fields = [
            "Host": "localhost:8420", "Accept": "text/html", "Cookie": cookie,
            "Sec-Fetch-Site": "same-origin",
        ]
        let head = HTTPRequestHead(
            version: .http1_1, method: .POST, uri: "/people/import",
            headers: HTTPHeaders(fields.map { ($0.key, $0.value) }))
        return await site.responder.answer(to: head, form: form)
    }
}
