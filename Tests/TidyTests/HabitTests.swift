import Testing

struct HabitTests {
    @Test func `No code force-unwraps`() {
        expectNone((Repository.sources + Repository.tests).flatMap(Habits.forceUnwraps))
    }

    @Test func `No code ends the process on purpose`() {
        expectNone((Repository.sources + Repository.tests).flatMap(Habits.fatalErrors))
    }

    @Test func `Only executables print`() {
        expectNone(Repository.sources.flatMap(Habits.prints))
    }

    @Test func `The clock and the random source are passed down from the programs`() {
        expectNone(Repository.sources.flatMap(Habits.realities))
    }

    @Test(arguments: [
        ("Agenda", "let now = Date()", 1), ("Planning", "SystemClock()", 1),
        ("Places", "try await Task.sleep(for: .seconds(1))", 1), ("Storage", ".now() + 5", 1),
        ("Notifications", "var source = SystemRandomNumberGenerator()", 1),
        ("Agenda", "Date.now", 1), ("Agenda", "Date(timeIntervalSinceNow: 5)", 1),
        ("Agenda", "UUID()", 1), ("Agenda", "time(nil)", 1), ("Agenda", "usleep(5)", 1),
        ("Agenda", "nanosleep(&a, nil)", 1), ("Agenda", "Thread.sleep(forTimeInterval: 1)", 1),
        ("Agenda", "queue.asyncAfter(deadline: end) {}", 1),
        ("Agenda", "Int.random(in: 1...6)", 1), ("Agenda", "list.shuffled()", 1),
        ("Agenda", "list.shuffle()", 1), ("Agenda", "list.randomElement()", 1),
        ("Agenda", "Int.random(in: f(1)...6, using: &chance)\na.shuffled(using: &chance)", 0),
        ("Programs", "clock_gettime(CLOCK_REALTIME, &time)", 0), ("letsmeet", "Date()", 0),
        ("Agenda", "try CivilDate(year: 1)\nclock.now\nclock.sleep(until: end)", 0),
    ])
    func `A real clock below the programs is found`(module: String, text: String, count: Int) {
        #expect(
            Habits.realities(in: snippet(text, path: "Sources/\(module)/A.swift")).count == count)
    }

    @Test func `No test sleeps`() {
        expectNone(Repository.tests.flatMap(Habits.sleeps))
    }

    @Test func `Every unchecked Sendable is explained`() {
        expectNone((Repository.sources + Repository.tests).flatMap(Habits.unexplainedSendables))
    }

    @Test(arguments: [
        "name!", "list[0]!", "find()!", "try! run()", "x as! Int", "var field: Int!",
        "a.b!.c", "\"x\\(y!)\"", "[Int]!", "map { $0 }!", "x?!", "`class`!", "x! == y",
    ])
    func `A force unwrap is found`(text: String) {
        #expect(Habits.forceUnwraps(in: snippet("let a = 1\n" + text)).map(\.line) == [2])
    }

    @Test(arguments: [
        "!ready", "a != b", "a!=b", "if !(a) {}", "f(!a)", "\"Wow!\"", "// a!", "a && !b", "[!a]",
        "#if !os(Linux)", "func `It works!`() {}", "a !== b",
    ])
    func `Other exclamation marks are not force unwraps`(text: String) {
        #expect(Habits.forceUnwraps(in: snippet(text)) == [])
    }

    @Test(arguments: [
        ("fatalError()", 1), ("preconditionFailure(\"no\")", 1), ("fatalError(\"no\")", 1),
        ("\"fatalError()\"", 0),
        ("log.fatalError()", 0),
    ])
    func `A call that ends the process is found`(text: String, count: Int) {
        #expect(Habits.fatalErrors(in: snippet(text)).count == count)
    }

    @Test(arguments: [
        ("Sources/Agenda/A.swift", "print(1)", 1), ("Sources/Daemon/A.swift", "dump(1)", 1),
        ("Sources/letsmeet/Commands/A.swift", "print(1)", 0),
        ("Sources/Agenda/A.swift", "printer.print(1)\nfunc print(_ a: Int) {}", 0),
    ])
    func `A print below the executables is found`(path: String, text: String, count: Int) {
        #expect(Habits.prints(in: snippet(text, path: path)).count == count)
    }

    @Test(arguments: [
        ("Tests/A/B.swift", "try await Task.sleep(for: .seconds(1))", 1),
        ("Tests/A/B.swift", "try await Task<Never, Never>.sleep(nanoseconds: 1)", 1),
        ("Tests/A/B.swift", "Thread.sleep(forTimeInterval: 1)\nusleep(5)\nsleep(1)", 3),
        ("Tests/A/B.swift", "try await clock.sleep(until: noon)", 0),
        ("Tests/TestKit/B.swift", "try await Task.sleep(for: .seconds(1))", 0),
    ])
    func `A sleeping test is found`(path: String, text: String, count: Int) {
        #expect(Habits.sleeps(in: snippet(text, path: path)).count == count)
    }

    @Test(arguments: [
        ("final class A: @unchecked Sendable {}", 1),
        ("/// A fake server.\nfinal class A: @unchecked Sendable {}", 1),
        ("// All state is guarded by `lock`.\n\nfinal class A: @unchecked Sendable {}", 1),
        ("// All state is guarded by `lock`.\nfinal class A: @unchecked Sendable {}", 0),
        ("// Sendable: nothing changes\n// after init.\nstruct A: @unchecked Sendable {}", 0),
        ("let text = \"@unchecked Sendable\"", 0),
    ])
    func `An @unchecked Sendable without a reason is found`(text: String, count: Int) {
        #expect(Habits.unexplainedSendables(in: snippet(text)).count == count)
    }
}
