import Ledger
import TestKit
import Testing
import Timekeeping

@testable import Agenda
@testable import Storage

/// Accounts, sessions, tickets and drafts as rows.
@Suite struct AccountStoreTests {
    private static let now = Moment(seconds: 1_000_000)
    private static let anna = PersonID(text: String(repeating: "a", count: 16))
    private static let hash = String(repeating: "0", count: 64)
    private static let other = String(repeating: "1", count: 64)

    private func with(_ body: (Store) async throws -> Void) async throws {
        try await withTemporaryStore { store in
            try await store.addPerson(Person(id: Self.anna, name: "Anna"), now: Self.now)
            try await store.addAccount(Account(of: Self.anna, as: .member, madeAt: Self.now))
            try await body(store)
        }
    }

    private func session(_ letter: String) -> Session {
        Session(
            id: SessionID(text: String(repeating: letter, count: 16)), of: Self.anna,
            device: "Firefox", now: Self.now)
    }

    @Test func `An account is added once, changed, and listed with its person`() async throws {
        try await with { store in
            try await store.addAccount(Account(of: Self.anna, as: .admin, madeAt: Self.now))
            #expect(try await store.account(of: Self.anna)?.role == .member)
            #expect(try await store.changeAccount(of: Self.anna, role: .admin))
            let list = try await store.accounts(limit: 10)
            #expect(list.map(\.account.role) == [.admin] && list.map(\.person.name) == ["Anna"])
            try await store.setLanguage("de", of: Self.anna)
            #expect(try await store.person(Self.anna)?.language == "de")
            let nobody = PersonID(text: String(repeating: "z", count: 16))
            #expect(try await !store.changeAccount(of: nobody, isEnabled: false))
        }
    }

    @Test func `A merged person has the name and the time zone that their account chose`()
        async throws
    {
        try await with { store in
            let ben = PersonID(text: String(repeating: "b", count: 16))
            try await store.addPerson(Person(id: ben, name: "Ben"), now: Self.now)
            try await store.setProfile(
                name: "Anna Alm", zone: "Asia/Tokyo", area: nil, of: Self.anna)
            _ = try await store.mergePersons(
                ben, Self.anna, now: Self.now,
                decisions: MergeDecisions(card: { kept, _ in kept }, meeting: { $0.unrevised }),
                saving: true)
            let person: Person? = try await store.person(ben)
            #expect(person?.name == "Anna Alm" && person?.zone == "Asia/Tokyo")
        }
    }

    @Test func `Nothing more is saved for an account that was deleted`() async throws {
        try await with { store in
            try await Store.$account.withValue(Self.anna) {
                try await store.setLanguage("de", of: Self.anna)
            }
            try await store.closeAccount(of: Self.anna, now: Self.now)
            await #expect(throws: StoreError.accountGone) {
                try await Store.$account.withValue(Self.anna) {
                    try await store.setLanguage("fi", of: Self.anna)
                }
            }
            let person: Person? = try await store.person(Self.anna)
            #expect(person?.language != "fi")
            try await store.setLanguage("fi", of: Self.anna)
        }
    }

    @Test func `Nothing more is saved for an account that was merged with another person`()
        async throws
    {
        try await with { store in
            let ben = PersonID(text: String(repeating: "b", count: 16))
            try await store.addPerson(Person(id: ben, name: "Ben"), now: Self.now)
            _ = try await store.mergePersons(
                ben, Self.anna, now: Self.now,
                decisions: MergeDecisions(card: { kept, _ in kept }, meeting: { $0.unrevised }),
                saving: true)
            await #expect(throws: StoreError.accountGone) {
                try await Store.$account.withValue(Self.anna) {
                    try await store.setLanguage("fi", of: ben)
                }
            }
            try await Store.$account.withValue(ben) {
                try await store.setLanguage("de", of: ben)
            }
        }
    }

    @Test func `A session ends when it is replaced, idle, ended or disabled`() async throws {
        try await with { store in
            let (long, before) = (Self.now, Self.now.advanced(bySeconds: -1))
            func find(_ hash: String, since: Moment) async throws -> SignedIn? {
                try await store.session(hash: hash, usedAfter: since, now: Self.now)
            }
            try await store.begin(session("s"), hash: Self.hash, replacing: nil)
            #expect(try await find(Self.hash, since: before) != nil)
            #expect(try await find(Self.hash, since: long) == nil)
            let later = Self.now.advanced(bySeconds: 60)
            try await store.noteUse(ofSession: Self.hash, now: later)
            try await store.noteUse(ofSession: Self.hash, now: Self.now)
            let used = try await find(Self.hash, since: long)
            #expect(used?.session.seenAt == later)
            try await store.begin(session("t"), hash: Self.other, replacing: Self.hash)
            #expect(try await find(Self.hash, since: before) == nil)
            try await store.begin(session("u"), hash: Self.hash, replacing: nil)
            #expect(
                try await store.sessions(of: Self.anna, usedAfter: before, limit: 10).count == 2)
            #expect(try await store.endSessions(of: Self.anna, session("u").id) == 1)
            #expect(try await find(Self.other, since: before) != nil)
            _ = try await store.changeAccount(of: Self.anna, isEnabled: false)
            #expect(try await find(Self.other, since: before) == nil)
        }
    }

    @Test func `A ticket is used once, in time, and only a few are kept`() async throws {
        try await with { store in
            let until = Self.now.advanced(bySeconds: 60)
            let ticket = SignInTicket(for: Self.anna, .opened, until: until)
            try await store.add(ticket, hash: Self.hash, now: Self.now)
            #expect(try await store.ticket(hash: Self.hash, now: Self.now)?.person == Self.anna)
            #expect(try await store.useTicket(hash: Self.hash, now: Self.now) != nil)
            #expect(try await store.useTicket(hash: Self.hash, now: Self.now) == nil)
            try await store.add(ticket, hash: Self.hash, now: Self.now)
            #expect(try await store.useTicket(hash: Self.hash, now: until) == nil)
            for number in 2..<9 {
                let hash = String(repeating: "\(number)", count: 64)
                let later = until.advanced(bySeconds: Int64(number))
                try await store.add(
                    SignInTicket(for: Self.anna, .opened, until: later), hash: hash, now: Self.now)
            }
            var left = 0
            for number in 2..<9 {
                let hash = String(repeating: "\(number)", count: 64)
                if try await store.ticket(hash: hash, now: Self.now) != nil { left += 1 }
            }
            #expect(left == Store.ticketsMax(.opened))
        }
    }

    @Test func `Requests of others make no ticket worthless`() async throws {
        try await with { store in
            let until = Self.now.advanced(bySeconds: 900)
            try await store.add(
                SignInTicket(for: Self.anna, .mail, until: until), hash: Self.hash, now: Self.now)
            try await store.add(
                SignInTicket(for: Self.anna, .opened, until: until), hash: Self.other,
                now: Self.now)
            // As many mails as one address gets until the first ticket expires.
            for number in 1...25 {
                let hash = String((1000 + number).description + String(repeating: "0", count: 60))
                try await store.add(
                    SignInTicket(
                        for: Self.anna, .mail,
                        until: until.advanced(bySeconds: Int64(number))), hash: hash, now: Self.now)
            }
            try await store.add(
                SignInTicket(for: Self.anna, .opened, until: until.advanced(bySeconds: 60)),
                hash: String(repeating: "9", count: 64), now: Self.now)
            #expect(try await store.useTicket(hash: Self.hash, now: Self.now) != nil)
            #expect(try await store.useTicket(hash: Self.other, now: Self.now) != nil)
        }
    }

    @Test func `A code proves the ticket of its browser, a few times`() async throws {
        try await with { store in
            var ticket = SignInTicket(
                for: Self.anna, .mail, until: Self.now.advanced(bySeconds: 60))
            ticket.browserHash = Self.other
            try await store.add(ticket, hash: Self.hash, now: Self.now)
            try await store.setCode("right", ofTicket: Self.hash)
            let now = Self.now
            #expect(
                try await store.useTicket(ofBrowser: Self.hash, code: "right", now: now) == nil)
            for _ in 1..<SignInTicket.triesMax {
                #expect(
                    try await store.useTicket(ofBrowser: Self.other, code: "wrong", now: now) == nil
                )
            }
            #expect(
                try await store.useTicket(ofBrowser: Self.other, code: "right", now: now)?.person
                    == Self.anna)
        }
    }

    @Test func `A draft replaces the one before`() async throws {
        try await with { store in
            #expect(try await store.draft(of: Self.anna) == nil)
            try await store.keepDraft("{}", of: Self.anna, now: Self.now)
            try await store.keepDraft("[1]", of: Self.anna, now: Self.now)
            #expect(try await store.draft(of: Self.anna)?.fields == "[1]")
            try await store.keepDraft(nil, of: Self.anna, now: Self.now)
            #expect(try await store.draft(of: Self.anna) == nil)
            await #expect(throws: StoreError.self) {
                try await store.keepDraft("{", of: Self.anna, now: Self.now)
            }
        }
    }

    @Test func `The log of access keeps people by name`() async throws {
        try await with { store in
            try await store.note(
                AccessAct(.signedIn, of: Self.anna, by: nil, detail: "Firefox", at: Self.now))
            #expect(try await store.hasVisits())
            let acts = try await store.accessActs(limit: 5)
            #expect(acts.map(\.act.kind) == [.signedIn] && acts[0].person == "Anna")
            #expect(acts[0].actor == nil && acts[0].act.detail == "Firefox")
        }
    }
}
