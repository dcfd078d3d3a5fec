import Testing

@testable import Pictures

/// The octets between letsmeet and letsmeet-pictures.
@Suite struct PictureRequestTests {
    private let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]

    @Test func `A request is read as it was written`() throws {
        let request = try PictureRequest(sizes: [256, 96], picture: Array(0...255))
        let read: PictureRequest = try PictureRequest(octets: request.octets)
        #expect(read == request)
    }

    @Test func `A request that is cut off or too long is malformed`() throws {
        let octets = try PictureRequest(sizes: [96], picture: [1, 2, 3]).octets
        for count in 0..<octets.count {
            #expect(throws: PictureRefusal.malformed) {
                try PictureRequest(octets: Array(octets.prefix(count)))
            }
        }
        #expect(throws: PictureRefusal.malformed) { try PictureRequest(octets: octets + [0]) }
    }

    @Test(arguments: [[], [15], [513], [96, 256], [512, 400, 300, 200, 100]])
    func `Other sizes are malformed`(sizes: [Int]) {
        #expect(throws: PictureRefusal.malformed) {
            try PictureRequest(sizes: sizes, picture: [1])
        }
    }

    @Test func `A picture above the limit of octets is too large`() {
        let picture = [UInt8](repeating: 0, count: PictureLimits.octetsMax + 1)
        #expect(throws: PictureRefusal.tooLarge) {
            try PictureRequest(sizes: [96], picture: picture)
        }
    }

    @Test func `An answer is read as it was written`() throws {
        let renditions = [Rendition(side: 256, jpeg: jpeg), Rendition(side: 96, jpeg: jpeg)]
        let answer = PictureAnswer(sandbox: .all, result: .success(renditions))
        let read: PictureAnswer = try PictureAnswer(octets: answer.octets, sizes: [256, 96])
        #expect(read == answer)
        for refusal in PictureRefusal.allCases {
            let answer = PictureAnswer(sandbox: .limits, result: .failure(refusal))
            let read: PictureAnswer = try PictureAnswer(octets: answer.octets, sizes: [96])
            #expect(read == answer)
        }
    }

    @Test func `An answer with other sizes, other octets or no JPEG is not taken`() {
        let answer = PictureAnswer(
            sandbox: .all, result: .success([Rendition(side: 96, jpeg: jpeg)]))
        let script = PictureAnswer(
            sandbox: .all,
            result: .success([Rendition(side: 96, jpeg: Array("<script>".utf8))]))
        #expect(throws: PictureRefusal.damaged) {
            try PictureAnswer(octets: answer.octets, sizes: [256])
        }
        #expect(throws: PictureRefusal.damaged) {
            try PictureAnswer(octets: answer.octets + [0], sizes: [96])
        }
        #expect(throws: PictureRefusal.damaged) {
            try PictureAnswer(octets: script.octets, sizes: [96])
        }
        #expect(throws: PictureRefusal.damaged) {
            try PictureAnswer(octets: Array("LMR1".utf8) + [7, 99], sizes: [96])
        }
    }
}
