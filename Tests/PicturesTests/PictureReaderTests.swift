import Foundation
import Pictures
import Testing

/// The program letsmeet-pictures as the others start it. It stands beside the tests.
@Suite struct PictureReaderTests {
    private let reader = PictureReader(
        program: PictureReader.path(
            beside: URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
                .path(percentEncoded: false)),
        deadline: { try await Self.never() })

    private static func never() async throws {
        let (stream, _) = AsyncStream<Void>.makeStream()
        for await _ in stream {}
    }

    @Test func `A picture becomes two squares without metadata`() async throws {
        let picture = try Samples.octets(Samples.turned)
        let renditions = try await reader.renditions(of: picture, sizes: [256, 96])
        #expect(renditions.map(\.side) == [256, 96])
        for rendition in renditions {
            #expect(Data(rendition.jpeg).range(of: Data("Exif".utf8)) == nil)
            #expect(rendition.jpeg.suffix(2) == [0xFF, 0xD9])
        }
    }

    @Test func `A picture is turned as its orientation says`() async throws {
        let turned = try await reader.renditions(
            of: try Samples.octets(Samples.turned), sizes: [16])
        let upright = try await reader.renditions(
            of: try Samples.octets(Samples.upright), sizes: [16])
        #expect(turned == upright)
    }

    @Test func `The sandbox limits memory and time, and allows few system calls`() async throws {
        let answer = try await reader.read(try Samples.octets(Samples.upright), sizes: [16])
        #expect(answer.sandbox.isSuperset(of: [.limits, .calls]))
    }

    @Test func `A picture that claims more than 100 megapixels is refused at its header`() async {
        await #expect(throws: PictureRefusal.tooLarge) {
            try await reader.renditions(of: try Samples.octets(Samples.bomb), sizes: [96])
        }
    }

    @Test(arguments: [
        ("GIF89a and some more octets", PictureRefusal.unknownKind),
        ("<svg xmlns=\"http://www.w3.org/2000/svg\"/>", .unknownKind),
        ("%PDF-1.7 and some more octets", .unknownKind), ("", .damaged),
        ("RIFF\u{1}\u{1}\u{1}\u{1}WEBP and some more octets", .damaged),
    ])
    func `Other kinds and damaged files are refused`(
        text: String, refusal: PictureRefusal
    ) async {
        await #expect(throws: refusal) {
            try await reader.renditions(of: Array(text.utf8), sizes: [96])
        }
    }

    @Test func `A picture that is cut off is refused`() async throws {
        let picture = try Samples.octets(Samples.upright)
        await #expect(throws: PictureRefusal.damaged) {
            try await reader.renditions(of: Array(picture.dropLast(20)), sizes: [96])
        }
    }

    @Test func `Without the program there is a refusal`() async {
        let absent = PictureReader(
            program: "/nowhere/letsmeet-pictures", deadline: { try await Self.never() })
        await #expect(throws: PictureRefusal.noHelper) {
            try await absent.renditions(of: [1, 2, 3], sizes: [96])
        }
    }

    @Test func `A program that does not answer is ended at the deadline`() async {
        let silent = PictureReader(program: "/bin/cat", deadline: {})
        await #expect(throws: PictureRefusal.self) {
            try await silent.renditions(of: [1, 2, 3], sizes: [96])
        }
    }

    @Test func `A program that ends without reading the picture is refused`() async {
        signal(SIGPIPE, SIG_IGN)
        let picture = [UInt8](repeating: 0xFF, count: 4 << 20)
        for program in ["/bin/true", "/bin/false"] {
            let deaf = PictureReader(program: program, deadline: { try await Self.never() })
            await #expect(throws: PictureRefusal.self) {
                try await deaf.renditions(of: picture, sizes: [96])
            }
        }
    }

    @Test func `Only a few programs run at once`() async throws {
        let count = RunCount()
        let counted = PictureReader { _ throws(PictureRefusal) in
            await count.run()
            return PictureAnswer(sandbox: .all, result: .failure(.damaged))
        }
        await withTaskGroup { group in
            for _ in 0..<20 {
                group.addTask { _ = try? await counted.read([1], sizes: [96]) }
            }
        }
        let (most, all) = await (count.most, count.all)
        #expect(most <= PictureReader.programsMax)
        #expect(all == 20)
    }
}

/// Counts the tasks that run at the same time.
private actor RunCount {
    private var running = 0
    private(set) var most = 0
    private(set) var all = 0

    func run() async {
        (running, all) = (running + 1, all + 1)
        most = max(most, running)
        await Task.yield()
        running -= 1
    }
}

/// Small pictures in base64.
private enum Samples {
    /// A JPEG of 32 x 32 pixels with the orientation 6: upright, its upper half is red.
    static let turned = """
        /9j/4QAiRXhpZgAATU0AKgAAAAgAAQESAAMAAAABAAYAAAAAAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUE
        BAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDAsKDAkKCgr/2wBDAQICAgICAgUDAwUKBwYHCgoKCgoK
        CgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgr/wAARCAAgACADAREAAhEBAxEB/8QA
        FQABAQAAAAAAAAAAAAAAAAAAAAj/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFgEBAQEAAAAAAAAAAAAAAAAAAAkI
        /8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8Altn9XwBOa/iI4CjEA1uAE5r+IjgKMQDW4ATmv4iO
        AoxANbgBOa/iI4D/2Q==
        """
    /// The same picture, upright.
    static let upright = """
        /9j/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDAsK
        DAkKCgr/2wBDAQICAgICAgUDAwUKBwYHCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoK
        CgoKCgoKCgr/wAARCAAgACADAREAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAj/xAAUEAEAAAAAAAAAAAAA
        AAAAAAAA/8QAFgEBAQEAAAAAAAAAAAAAAAAAAAkI/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8A
        ltn9XwAAAAAABOa/iI4AAAAAAD//2Q==
        """
    /// A PNG of 68 octets that claims to have 100,000 x 100,000 pixels.
    static let bomb = """
        iVBORw0KGgoAAAANSUhEUgABhqAAAYagCAIAAAAnMJyfAAAAC0lEQVR4nDMwgAEACloB4eLk2wMAAAAASUVO
        RK5CYII=
        """

    static func octets(_ base64: String) throws -> [UInt8] {
        let data = try #require(Data(base64Encoded: base64.replacing("\n", with: "")))
        return Array(data)
    }
}
