import TestKit
import Testing
import Transport

@testable import Places

@Suite(.timeLimit(.minutes(5))) struct FoursquarePagingTests {
    private static func page(_ numbers: ClosedRange<Int>, link: String? = nil)
        -> FakeFoursquareAnswer
    {
        .places(
            numbers.map { FakeFoursquare.place($0, "Place \($0)", more: #","distance":\#($0)"#) },
            link: link)
    }

    private static let next = #"<{here}/places/search?cursor=c1>; rel="next""#

    @Test(arguments: [
        next, "<{here}/places/search?cursor=c1>", "{here}/places/search?cursor=c1",
        "</places/search?cursor=c1>; rel=next",
        #"<{here}/a>; rel="first", <{here}/places/search?cursor=c1>; title="a"; rel="last next""#,
    ])
    func `The next page is read with the key`(_ link: String) async throws {
        let fixture = try FoursquareFixture([
            Self.page(1...3, link: link), Self.page(3...5),
        ])
        defer { fixture.fake.stop() }
        let answer = try await fixture.search()
        #expect(answer.places.map(\.distanceMeters) == [1, 2, 3, 4, 5])
        #expect(!answer.truncated)
        #expect(fixture.fake.faults.isEmpty)
        #expect(fixture.fake.requests.map(\.fields["cursor"]) == [nil, "c1"])
    }

    @Test func `Reading stops at the limit and the answer is truncated`() async throws {
        let fixture = try FoursquareFixture([Self.page(1...3, link: Self.next), Self.page(4...6)])
        defer { fixture.fake.stop() }
        let answer = try await fixture.search(limit: 3)
        #expect(answer.places.count == 3)
        #expect(answer.truncated)
        #expect(fixture.fake.requests.count == 1)
    }

    @Test func `Places above the limit are cut and the answer is truncated`() async throws {
        let fixture = try FoursquareFixture([Self.page(1...5)])
        defer { fixture.fake.stop() }
        let answer = try await fixture.search(limit: 3)
        #expect(answer.places.map(\.distanceMeters) == [1, 2, 3])
        #expect(answer.truncated)
    }

    @Test func `A link to another host is not followed and gets no key`() async throws {
        let stranger = try FakeFoursquare([Self.page(4...6)])
        defer { stranger.stop() }
        let fixture = try FoursquareFixture([
            Self.page(1...3, link: "<\(stranger.url)/places/search?cursor=c1>; rel=\"next\"")
        ])
        defer { fixture.fake.stop() }
        let answer = try await fixture.search()
        #expect(answer.places.count == 3)
        #expect(answer.truncated)
        #expect(stranger.requests.isEmpty)
    }

    @Test(arguments: [
        "<https://127.0.0.1/places/search?cursor=c1>; rel=next", "<http://[broken>; rel=next",
        "<http://a b/>; rel=next", "<file:///etc/passwd>; rel=next",
        "<http://127.0.0.1@evil.example/>; rel=next",
    ])
    func `A link to an invalid or foreign address ends the search`(_ link: String) async throws {
        let fixture = try FoursquareFixture([Self.page(1...3, link: link)])
        defer { fixture.fake.stop() }
        let answer = try await fixture.search()
        #expect(answer.places.count == 3)
        #expect(answer.truncated)
        #expect(fixture.fake.requests.count == 1)
    }

    @Test(arguments: [
        #"<{here}/places/search?cursor=c0>; rel="prev""#, "", "<>", "< >; rel=next", "garbage",
        "<{here}/a; rel=next", "{here}/a; rel=next", "/places/search?cursor=c1",
    ])
    func `A link that is not to the next page is ignored`(_ link: String) async throws {
        let fixture = try FoursquareFixture([Self.page(1...3, link: link)])
        defer { fixture.fake.stop() }
        #expect(try await fixture.search().truncated == false)
        #expect(fixture.fake.requests.count == 1)
    }

    @Test func `A page that links to itself ends the search`() async throws {
        let fixture = try FoursquareFixture([Self.page(1...3, link: Self.next)])
        defer { fixture.fake.stop() }
        let answer = try await fixture.search()
        #expect(answer.places.count == 3)
        #expect(fixture.fake.requests.count == 2)
    }

    @Test func `The number of pages is limited`() async throws {
        let pages = (0...FoursquareSource.pagesMax).map { number in
            Self.page(number...number, link: "<{here}/places/search?cursor=\(number)>; rel=next")
        }
        let fixture = try FoursquareFixture(pages)
        defer { fixture.fake.stop() }
        let answer = try await fixture.search(limit: 500)
        #expect(fixture.fake.requests.count == FoursquareSource.pagesMax)
        #expect(answer.places.count == FoursquareSource.pagesMax)
        #expect(answer.truncated)
    }

    @Test(arguments: [
        FakeFoursquareAnswer.outOfCredit, .webPage, .refusal(401, "Invalid request token."),
    ])
    func `Places from before a failed page are kept`(
        _ failure: FakeFoursquareAnswer
    ) async throws {
        let fixture = try FoursquareFixture([Self.page(1...3, link: Self.next), failure])
        defer { fixture.fake.stop() }
        let answer = try await fixture.search()
        #expect(answer.places.count == 3)
        #expect(answer.truncated)
        #expect(answer.warnings.count == 1)
        #expect(answer.warnings.first?.hasPrefix("Some places are missing. ") == true)
    }
}
