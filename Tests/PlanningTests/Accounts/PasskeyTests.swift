import Agenda
import Secrets
import Storage
import Testing
import TestKit

@testable import Planning

/// The values were made with Python's package cryptography: a passkey with the id 00 01 … 0f, for
/// the host localhost, answers the challenge "challenge" on http://localhost:8420.
private enum Sample {
    static let challenge = "Y2hhbGxlbmdl"
    static let id = "AAECAwQFBgcICQoLDA0ODw"
    static let clientNew =
        "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiWTJoaGJHeGxibWRsIiwib3JpZ2luIjoiaHR0"
        + "cDovL2xvY2FsaG9zdDo4NDIwIiwiY3Jvc3NPcmlnaW4iOmZhbHNlfQ"
    static let authenticatorNew =
        "SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2NFAAAAAAAAAAAAAAAAAAAAAAAAAAAAEAABAgMEBQYHCAkK"
        + "CwwNDg-g"
    static let client =
        "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiWTJoaGJHeGxibWRsIiwib3JpZ2luIjoiaHR0cDov"
        + "L2xvY2FsaG9zdDo4NDIwIiwiY3Jvc3NPcmlnaW4iOmZhbHNlfQ"
    static let authenticator = "SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAABw"
    static let unverified = "SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MBAAAABw"
    static let key =
        "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE-evkZBR8wQLZIyTQmdknwaUOQtV6CKEW_-wKKYGdjGVwuvfRKIiQ"
        + "KmoMHWet0QMSPIWatpv46UMck4STDUt-7g"
    static let signature =
        "MEQCIBwUnrzsdHVzzvEWz-pmTyTcII72jEj5P0hqMdaAorqbAiAQ7pZ_ekibcKzkBgT_nKDdzRfa-YgAHR6kmzF1"
        + "xr0p1Q"

    static func expectation(
        _ challenge: String = challenge, host: String = "localhost",
        origin: String = "http://localhost:8420"
    ) -> PasskeyProof.Expectation {
        PasskeyProof.Expectation(challenge: challenge, host: host) { $0 == origin }
    }

    static var new: PasskeyProof {
        get throws {
            try #require(
                PasskeyProof(
                    id: id, clientData: clientNew, authenticatorData: authenticatorNew))
        }
    }

    static var use: PasskeyProof {
        get throws {
            try #require(
                PasskeyProof(id: id, clientData: client, authenticatorData: authenticator))
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct PasskeyTests {
    private func with(_ body: (Planner) async throws -> Void) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let ticket = try await planner.openTicket(for: planner.owner)
            _ = try await planner.enter(by: ticket.text, device: "Test")
            try await body(planner)
        }
    }

    private func add(_ planner: Planner, key: String = Sample.key) async throws {
        try await planner.addPasskey(
            Sample.new, key: key, algorithm: -7, named: "Test", Sample.expectation())
    }

    @Test func `A passkey signs in, until it is removed`() async throws {
        try await with { planner in
            try await add(planner)
            #expect(try await planner.passkeys().map(\.name) == ["Test"])
            let (session, person) = try await planner.enter(
                by: Sample.use, signature: Sample.signature, Sample.expectation(),
                device: "Test")
            #expect(person.id == planner.owner.id)
            #expect(try await planner.signedIn(by: session) != nil)
            #expect(try await planner.passkeys().map(\.counter) == [7])
            try await planner.removePasskey(Sample.id)
            await #expect(throws: Refusal.self) {
                try await planner.enter(
                    by: Sample.use, signature: Sample.signature, Sample.expectation(),
                    device: "Test")
            }
            let acts = try await planner.accessActs(limit: 10).map(\.act)
            #expect(acts.contains("passkey_added") && acts.contains("passkey_removed"))
        }
    }

    @Test(arguments: [
        Sample.expectation("b3RoZXI"), Sample.expectation(host: "example.org"),
        Sample.expectation(origin: "http://evil.example"),
    ])
    func `An answer to another challenge, host or origin is refused`(
        _ expectation: PasskeyProof.Expectation
    ) async throws {
        try await with { planner in
            await #expect(throws: Refusal.self) {
                try await planner.addPasskey(
                    Sample.new, key: Sample.key, algorithm: -7, named: "", expectation)
            }
            try await add(planner)
            await #expect(throws: Refusal.self) {
                try await planner.enter(
                    by: Sample.use, signature: Sample.signature, expectation, device: "")
            }
        }
    }

    @Test(arguments: [(0x05, true), (0x45, true), (0x01, false), (0x04, false), (0x00, false)])
    func `The device must have verified the person, who must be present`(
        _ flags: Int, _ fits: Bool
    ) throws {
        var data = try #require(Base64URL.octets(Sample.authenticator))
        data[32] = UInt8(flags)
        let proof = try #require(
            PasskeyProof(
                id: Sample.id, clientData: Sample.client, authenticatorData: Base64URL.text(data)))
        #expect(proof.fits(Sample.expectation(), isNew: false) == fits)
    }

    @Test(arguments: [(4096, true), (4097, false)])
    func `Client data of more than 4096 octets are not read`(
        _ count: Int, _ fits: Bool
    ) throws {
        let data = try #require(Base64URL.octets(Sample.client))
        // Blanks behind the object are valid.
        let padded = data + [UInt8](repeating: 0x20, count: count - data.count)
        let proof = try #require(
            PasskeyProof(
                id: Sample.id, clientData: Base64URL.text(padded),
                authenticatorData: Sample.authenticator))
        #expect(proof.fits(Sample.expectation(), isNew: false) == fits)
    }

    @Test func `A wrong signature, an unverified person and mixed-up answers are refused`()
        async throws
    {
        try await with { planner in
            try await add(planner)
            let unverified = try #require(
                PasskeyProof(
                    id: Sample.id, clientData: Sample.client,
                    authenticatorData: Sample.unverified))
            let other = try #require(
                PasskeyProof(
                    id: "AAAA", clientData: Sample.client,
                    authenticatorData: Sample.authenticator))
            for (proof, signature) in [
                (try Sample.use, "MEQ"), (try Sample.use, ""), (unverified, Sample.signature),
                (other, Sample.signature), (try Sample.new, Sample.signature),
            ] {
                await #expect(throws: Refusal.self) {
                    try await planner.enter(
                        by: proof, signature: signature, Sample.expectation(), device: "")
                }
            }
        }
    }

    @Test func `A passkey is added once, and only with a key of a known kind`() async throws {
        try await with { planner in
            await #expect(throws: Refusal.self) { try await add(planner, key: "AAAA") }
            try await add(planner)
            await #expect(throws: Refusal.self) { try await add(planner) }
            #expect(try await planner.passkeys().count == 1)
        }
    }

    @Test(arguments: [
        ("", "", ""), ("!", Sample.client, Sample.authenticator),
        (Sample.id, Sample.client, "AAAA"), (Sample.id, "=", Sample.authenticator),
    ])
    func `An answer with a damaged part is none`(
        _ id: String, _ client: String, _ authenticator: String
    ) {
        #expect(PasskeyProof(id: id, clientData: client, authenticatorData: authenticator) == nil)
    }
}
