import Agenda
import Foundation
import Ledger
import NIOHTTP1
import Planning
import Settings
import Storage
import Synchronization
import TestKit
import Testing
import Timekeeping

@testable import Web

/// Long tasks and their pages.
@Suite(.timeLimit(.minutes(5))) struct TaskPageTests {
    /// Work that waits until the test lets it go on.
    private final class Gate: Sendable {
        private let isOpen = Atomic<Bool>(false)
        let begun = Atomic<Int>(0)

        func open() { isOpen.store(true, ordering: .relaxed) }

        func pass() async {
            begun.add(1, ordering: .relaxed)
            while !isOpen.load(ordering: .relaxed) { await Task.yield() }
        }
    }

    private static func task(_ id: Int, of person: Person, about name: String = "people.vcf")
        -> LongTask
    {
        LongTask(
            id: LongTaskID(text: String(format: "%016d", id)), person: person.id, kind: .contacts,
            subject: name, queuedAt: Moment(seconds: 1_796_000_000))
    }

    /// Starts a task that waits at a gate after it has told its progress.
    private static func start(
        _ task: LongTask, on site: TestSite, at gate: Gate,
        cleanUp: @escaping @Sendable () -> Void = {}
    ) async throws {
        try await site.site.tasks.start(task, in: site.planner.store, cleanUp: cleanUp) { steps in
            _ = try? await steps.mayGoOn(3200, 20_000)
            await gate.pass()
            let isToGoOn = (try? await steps.mayGoOn(3300, 20_000)) ?? false
            let result = TaskResult(text: "Finished.", path: "people")
            return isToGoOn ? .done(result) : .stopped(result)
        }
    }

    /// Waits until a task has a state.
    private static func wait(
        for state: LongTask.State, of task: LongTask, on site: TestSite
    ) async throws {
        while try await site.planner.store.task(task.id, of: task.person)?.state != state {
            await Task.yield()
        }
    }

    @Test func `A running task shows how far it is in each browser of its account`() async throws {
        try await TestSite.with { site in
            let (gate, task) = (Gate(), Self.task(1, of: site.planner.owner))
            try await Self.start(task, on: site, at: gate)
            while gate.begun.load(ordering: .relaxed) == 0 { await Task.yield() }
            for _ in 0..<2 {
                let page = try await site.browser().open("/tasks/\(task.id.text)")
                #expect(page.status == .ok)
                #expect(page.text.contains("3,200 of 20,000 cards"))
                #expect(page.text.contains("max=\"20000\" value=\"3200\""))
                #expect(page.text.contains("data-topics=\"t/\(task.id.text) me\""))
                #expect(page.text.contains("See how far it is"))
            }
            gate.open()
            await site.site.tasks.ended(task.id)
            let page = try await site.browser().open("/tasks/\(task.id.text)")
            #expect(page.text.contains("Finished."))
            #expect(page.text.contains("href=\"/people\">To the result</a>"))
            #expect(!page.text.contains("<progress"))
        }
    }

    @Test(arguments: [
        "0000000000000001", "0000000000000002", "%27%20OR%201%3D1", "..%2F..%2Fetc", "%00",
    ])
    func `The tasks of others are as unknown as those that do not exist`(_ id: String) async throws
    {
        try await TestSite.with { site in
            try await site.plan(with: ["anna@example.org"])
            let (gate, task) = (Gate(), Self.task(1, of: site.planner.owner))
            try await Self.start(task, on: site, at: gate)
            let anna = try await site.browser(of: "anna@example.org")
            #expect(await anna.open("/tasks/\(id)").status == .notFound)
            #expect(await anna.submit("/tasks/\(id)/cancel", "").status == .notFound)
            #expect(await anna.submit("/tasks/\(id)/undo", "").status == .notFound)
            #expect(await !anna.open("/tasks").text.contains("people.vcf"))
            try await site.site.tasks.stop(task.id, of: PersonID(text: "somebody else"))
            gate.open()
            await site.site.tasks.ended(task.id)
            let ended: LongTask? = try await site.planner.store.task(task.id, of: task.person)
            #expect(ended?.state == .done)
        }
    }

    @Test func `A running task stops at its next step after its account was deleted`()
        async throws
    {
        try await TestSite.with { site in
            try await site.plan(with: ["anna@example.org"])
            _ = try await site.browser(of: "anna@example.org")
            let anna: Person = try await site.planner.knownPerson(named: "anna@example.org")
            let (gate, task) = (Gate(), Self.task(1, of: anna))
            let steps = Atomic<Int>(0)
            let store = site.planner.store
            try await site.site.tasks.start(task, in: store) { progress in
                await gate.pass()
                if (try? await progress.mayGoOn(1, 2)) == true {
                    steps.add(1, ordering: .relaxed)
                }
                return .done(TaskResult(text: "Finished."))
            }
            while gate.begun.load(ordering: .relaxed) == 0 { await Task.yield() }
            try await store.closeAccount(of: anna.id, now: site.planner.now)
            gate.open()
            await site.site.tasks.ended(task.id)
            #expect(steps.load(ordering: .relaxed) == 0)
            #expect(try await store.tasks(of: anna.id, limit: 9).isEmpty)
        }
    }

    @Test func `A cancelled task stops at its next step, and says what stays`() async throws {
        try await TestSite.with { site in
            let (gate, task) = (Gate(), Self.task(1, of: site.planner.owner))
            try await Self.start(task, on: site, at: gate)
            try await Self.wait(for: .running, of: task, on: site)
            let browser = try await site.browser()
            let answer = await browser.submit("/tasks/\(task.id.text)/cancel", "")
            #expect(answer.field("Location") == "/tasks/\(task.id.text)")
            gate.open()
            await site.site.tasks.ended(task.id)
            let page = await browser.open("/tasks/\(task.id.text)")
            #expect(page.text.contains("Cancelled. What was saved before stays."))
        }
    }

    @Test func `Two tasks of an account run, the others wait, and the eleventh is refused`()
        async throws
    {
        try await TestSite.with { site in
            let gate = Gate()
            let tasks = (1...TaskRunner.openEachMax).map { Self.task($0, of: site.planner.owner) }
            for task in tasks { try await Self.start(task, on: site, at: gate) }
            for task in tasks.prefix(2) {
                try await Self.wait(for: .running, of: task, on: site)
            }
            let states: [LongTask.State] = try await site.planner.store.tasks(
                of: site.planner.owner.id, limit: 99
            ).map(\.state)
            #expect(states.filter { $0 == .running }.count == TaskRunner.runningEachMax)
            #expect(states.filter { $0 == .queued }.count == 8)
            let cleanUps = Atomic<Int>(0)
            let refusal = await #expect(throws: Refusal.self) {
                try await Self.start(
                    Self.task(11, of: site.planner.owner), on: site, at: gate,
                    cleanUp: { cleanUps.add(1, ordering: .relaxed) })
            }
            #expect(refusal?.code == "too_many_tasks")
            #expect(cleanUps.load(ordering: .relaxed) == 1)
            try await site.site.tasks.stop(tasks[9].id, of: site.planner.owner.id)
            gate.open()
            for task in tasks { await site.site.tasks.ended(task.id) }
            let ended: [LongTask.State] = try await site.planner.store.tasks(
                of: site.planner.owner.id, limit: 99
            ).map(\.state)
            #expect(ended.filter { $0 == .done }.count == 9)
            #expect(ended.filter { $0 == .cancelled }.count == 1)
        }
    }

    @Test func `The tasks of a daemon that was killed are interrupted, with words what to do`()
        async throws
    {
        try await TestSite.with { site in
            let task = Self.task(1, of: site.planner.owner)
            #expect(try await site.planner.store.addTask(task, openMax: 10))
            try await site.planner.store.beginTask(task.id, now: site.planner.now)
            let uploads = site.planner.surroundings.home.uploads
            try FileManager.default.createDirectory(
                atPath: uploads, withIntermediateDirectories: true)
            let staged = uploads + "/form-abc.task.vcf"
            #expect(FileManager.default.createFile(atPath: staged, contents: nil))
            await site.site.recoverTasks()
            let page = try await site.browser().open("/tasks/\(task.id.text)")
            #expect(page.text.contains("Interrupted, because letsmeetd was stopped."))
            #expect(page.text.contains("Start it again"))
            #expect(!FileManager.default.fileExists(atPath: staged))
        }
    }

    @Test func `When the daemon ends, running and waiting tasks are interrupted`() async throws {
        try await TestSite.with { site in
            let gate = Gate()
            let tasks = (1...3).map { Self.task($0, of: site.planner.owner) }
            for task in tasks { try await Self.start(task, on: site, at: gate) }
            gate.open()
            await site.site.tasks.close()
            let states: [LongTask.State] = try await site.planner.store.tasks(
                of: site.planner.owner.id, limit: 9
            ).map(\.state)
            #expect(states.filter { !$0.isFinal } == [])
            #expect(states.contains(.interrupted))
        }
    }

    @Test func `An import is undone from its page once, with what stays`() async throws {
        try await TestSite.with { site in
            let browser = try await site.browser()
            let imported = try await site.upload(
                "Name,Email\nAnna,a@e.org\nBen,b@e.org\n", named: "cards.csv"
            ).place
            var request = MeetingRequest()
            request.title = "Lunch"
            request.with = ["Ben"]
            request.start = "2026-12-05T12:00"
            _ = try await site.planner.createMeeting(request, saving: true)
            let answer = await browser.submit("\(imported)/undo", "")
            let place = answer.field("Location")
            await site.site.tasks.ended(LongTaskID(text: String(place.dropFirst(7))))
            let page = await browser.open(place)
            #expect(
                page.text.contains(
                    "1 contact was removed, 0 have their old values again, 1 was kept."))
            #expect(page.text.contains("Ben: used since the import"))
            #expect(try await site.planner.people().map(\.name) == ["Ben"])
            let again = await browser.submit("\(imported)/undo", "")
            #expect(again.field("Location") == imported)
        }
    }

    /// Undoes an import, and waits for the end.
    private static func undo(
        _ place: String, in browser: TestSite.Browser, on site: TestSite
    ) async throws {
        let undo = await browser.submit("\(place)/undo", "").field("Location")
        await site.site.tasks.ended(LongTaskID(text: String(undo.dropFirst(7))))
    }

    @Test func `The page of an import says that the import was undone`() async throws {
        try await TestSite.with { site in
            let browser = try await site.browser()
            let place = try await site.upload("Name\nAnna\n", named: "cards.csv").place
            #expect(await !browser.open(place).text.contains("This import was undone."))
            try await Self.undo(place, in: browser, on: site)
            let page = await browser.open(place)
            #expect(page.text.contains("1 person is new"))
            #expect(page.text.contains("This import was undone."))
        }
    }

    @Test func `Imports of files with the same name are undone each by itself`() async throws {
        try await TestSite.with { site in
            let gate = Gate()
            let (first, second) = (
                Self.task(1, of: site.planner.owner), Self.task(2, of: site.planner.owner)
            )
            let undo = LongTask(
                id: LongTaskID(text: "0000000000000003"), person: site.planner.owner.id,
                kind: .undo, subject: first.subject, queuedAt: first.queuedAt)
            try await site.site.tasks.start(undo, key: first.id.text, in: site.planner.store) { _ in
                await gate.pass()
                return .done(TaskResult(text: "Finished."))
            }
            let owner = site.planner.owner.id
            #expect(site.site.tasks.open(.undo, about: first.id.text, of: owner) == undo.id)
            #expect(site.site.tasks.open(.undo, about: second.id.text, of: owner) == nil)
            gate.open()
            await site.site.tasks.ended(undo.id)
        }
    }
}
