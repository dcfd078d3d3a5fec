import Calendars
import NIOCore
import NIOHTTP1
import Planning
import TestKit
import Testing
import Timekeeping

@testable import Web

/// Calendar feeds over HTTP, from the request to the answer.
@Suite struct FeedControllerTests {
    private struct Controller {
        let planner: Planner
        let responder: PageResponder
        let path: String

        func ask(
            _ fields: [(String, String)] = [], path: String? = nil, method: HTTPMethod = .GET
        ) async -> PageAnswer {
            let head = HTTPRequestHead(
                version: .http1_1, method: method, uri: path ?? self.path,
                headers: HTTPHeaders([("Host", "x")] + fields))
            return await responder.answer(to: head, form: nil)
        }

        func plan(_ title: String) async throws {
            var request = MeetingRequest()
            request.title = title
            request.start = "2026-12-05T18:00"
            _ = try await planner.createMeeting(request, saving: true)
        }
    }

    private func withController(_ body: (Controller, ManualClock) async throws -> Void) async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let feeds = FeedController(clock: world.clock) { planner }
            let path = try #require(
                await planner.addFeed(of: .person(planner.actor), hasAlarms: false).feed.path)
            let controller = Controller(
                planner: planner,
                responder: PageResponder(
                    feeds.routes, clock: world.clock, logger: .silent), path: path)
            try await controller.plan("Games")
            try await body(controller, world.clock)
        }
    }

    private func field(_ name: String, of answer: PageAnswer) -> String {
        answer.fields.first { $0.name == name }?.value ?? ""
    }

    @Test func `A current copy is answered with 304 until the feed changes`() async throws {
        try await withController { controller, clock in
            let first = await controller.ask()
            #expect(first.status == .ok && first.mediaType == "text/calendar; charset=utf-8")
            #expect(first.text.contains("SUMMARY:Games"))
            let tag = field("ETag", of: first)
            #expect(tag.hasPrefix("\"") && tag.hasSuffix("\""))
            let since = field("Last-Modified", of: first)
            #expect(since == "Tue, 01 Dec 2026 12:00:00 GMT")
            for condition in [
                [("If-None-Match", tag)], [("If-None-Match", "\"x\", W/\(tag)")],
                [("If-None-Match", "*")], [("If-Modified-Since", since)],
                [("If-None-Match", tag), ("If-Modified-Since", "Tue, 01 Dec 2020 12:00:00 GMT")],
                [("If-Modified-Since", "Wed, 02 Dec 2026 12:00:00 GMT")],
            ] {
                let answer = await controller.ask(condition)
                #expect(answer.status == .notModified, "\(condition)")
                #expect(answer.body.readableBytes == 0 && field("ETag", of: answer) == tag)
            }
            for condition in [
                [("If-None-Match", "\"x\"")], [("If-Modified-Since", "yesterday")],
                [("If-None-Match", "\"x\""), ("If-Modified-Since", since)],
                [("If-Modified-Since", "Mon, 30 Nov 2026 12:00:00 GMT")],
            ] { #expect(await controller.ask(condition).status == .ok, "\(condition)") }
            try await controller.plan("More games")
            let second = await controller.ask([("If-None-Match", tag)])
            #expect(second.status == .ok && second.text.contains("SUMMARY:More games"))
            // The change falls into the same second as the first request.
            #expect(await controller.ask([("If-Modified-Since", since)]).status == .ok)
            // A change that the feed does not show.
            clock.advance(bySeconds: 60)
            var anna = ContactEdit()
            (anna.name, anna.emails) = ("Anna", ["anna@example.org"])
            _ = try await controller.planner.addPerson(anna)
            let third = await controller.ask([("If-None-Match", field("ETag", of: second))])
            #expect(third.status == .notModified)
        }
    }

    @Test func `A client that accepts gzip gets it, with a different tag`() async throws {
        try await withController { controller, _ in
            let plain = await controller.ask()
            for coding in ["gzip", "br, gzip;q=0.5", "*", "x-gzip"] {
                let packed = await controller.ask([("Accept-Encoding", coding)])
                #expect(field("Content-Encoding", of: packed) == "gzip", "\(coding)")
                #expect(field("ETag", of: packed) != field("ETag", of: plain))
                #expect(Array(packed.body.readableBytesView.prefix(2)) == [0x1F, 0x8B])
                let again = await controller.ask([("If-None-Match", field("ETag", of: packed))])
                #expect(again.status == .notModified)
            }
            for coding in ["identity", "gzip;q=0", "br", "gzip; q=0.0, *"] {
                let answer = await controller.ask([("Accept-Encoding", coding)])
                #expect(field("Content-Encoding", of: answer).isEmpty, "\(coding)")
                #expect(answer.text == plain.text)
            }
            #expect(field("Vary", of: plain) == "Accept-Encoding")
        }
    }

    @Test func `An unknown or revoked feed is not found`() async throws {
        try await withController { controller, _ in
            for path in [
                "/cal/", "/cal/x.ics", "/cal/../x", String(controller.path.dropLast(4)),
                "/cal/" + String(repeating: "a", count: 32) + ".ics", controller.path + "/x",
            ] { #expect(await controller.ask(path: path).status == .notFound, "\(path)") }
            #expect(await controller.ask(method: .POST).status == .methodNotAllowed)
            #expect(await controller.ask(method: .HEAD).status == .ok)
            #expect(await controller.ask(path: controller.path + "?x=1").status == .ok)
            _ = try await controller.planner.revokeFeeds([controller.path])
            #expect(await controller.ask().status == .notFound)
        }
    }

    @Test func `HTTP dates are written and parsed`() throws {
        let moment = try Moment.parse("1994-11-06T08:49:37Z")
        #expect(HTTPDate.text(of: moment) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.parse("Sun, 06 Nov 1994 08:49:37 GMT") == moment)
        #expect(HTTPDate.parse("Sunday, 06-Nov-94 08:49:37 GMT") == moment)
        #expect(HTTPDate.parse("Sun Nov  6 08:49:37 1994") == moment)
        for text in [
            "", "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun, 31 Feb 1994 08:49:37 GMT", "now",
        ] {
            #expect(HTTPDate.parse(text) == nil)
        }
    }
}
