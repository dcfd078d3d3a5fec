import Agenda
import Foundation
import Logging
import NIOHTTP1
import Places
import Planning
import Secrets
import Settings
import Storage
import Testing
import TestKit
import Wording

@testable import Web

/// The guest pages of a meeting, Games, of Olga Owner with anna@example.org and ben@example.org,
/// asked without a network.
struct GuestSite {
    let planner: Planner
    let responder: PageResponder

    /// Runs a test on the pages of a temporary home.
    ///
    /// - Parameters:
    ///   - template: the template of the meeting's page; `nil` for the built-in one.
    ///   - body: the test.
    /// - Throws: the errors of the test.
    static func with(
        template: String? = nil, _ body: (GuestSite) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(
                settings: [.baseURL: "https://meet.example.org", .sinks: "stdout"])
            var request = MeetingRequest()
            request.title = "Games"
            request.with = ["anna@example.org", "ben@example.org"]
            request.start = "2026-12-05T18:00"
            _ = try await planner.createMeeting(request, saving: true)
            let folder = world.home.templates + "/page"
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            try template?.write(
                toFile: folder + "/guest.mustache", atomically: true, encoding: .utf8)
            let pages = try GuestPages(
                shipped: Checkout.root + "/templates", own: world.home.templates)
            try #require(pages.faults.isEmpty)
            let controller = GuestController(logger: .silent) {
                (planner, pages, MapAlbum(StreetAtlas([], attribution: "")))
            }
            try await body(
                GuestSite(
                    planner: planner,
                    responder: PageResponder(
                        controller.routes,
                        problemPage: { await controller.problemPage($0, $1) },
                        clock: world.clock, logger: .silent)))
        }
    }

    func ask(
        _ path: String, _ form: String? = nil, method: HTTPMethod? = nil,
        _ fields: [(String, String)] = []
    ) async -> PageAnswer {
        let head = HTTPRequestHead(
            version: .http1_1, method: method ?? (form == nil ? .GET : .POST), uri: path,
            headers: HTTPHeaders([("Host", "x")] + fields))
        return await responder.answer(
            to: head, form: form.map { ReceivedForm(Array($0.utf8)) })
    }

    /// The link of a guest, as only they see it.
    func link(_ who: String) async throws -> String {
        let person = try await planner.knownPerson(named: who)
        let links = try await planner.acting(as: person).guestLinks(
            of: try await planner.meetingID(named: "Games"), to: [person], change: .none)
        return "/g/" + String(try #require(links.links.first?.url).suffix(32))
    }

    /// The link that stops a person's reminders.
    func stopLink(_ who: String) async throws -> String {
        let person = try await planner.knownPerson(named: who)
        let subject = try #require(LinkSubject.unsubscribing(person.id).first)
        let token = String(repeating: "r", count: AccessToken.characters)
        let hash = try #require(AccessToken(token)).hash
        let generator = LinkGenerator(channels: []) { _, _ in hash }
        _ = try await planner.store.keepLink(for: subject, by: generator, now: planner.now)
        return "/u/\(token)"
    }

    func answer(of who: String) async throws -> String {
        let guest = try await planner.meeting("Games").participants.first { $0.name == who }
        return "\(guest?.answer.rawValue ?? "") +\(guest?.plus ?? 0) \(guest?.note ?? "")"
    }
}
