import Foundation
import NIOCore
import NIOHTTP1
import TestKit
import Testing

@testable import Web

/// Forms with files, as browsers and others send them.
@Suite struct MultipartTests {
    private static let type = "multipart/form-data; boundary=XX"
    private static let body = """
        --XX\r
        Content-Disposition: form-data; name="title"\r
        \r
        Games\r
        --XX\r
        Content-Disposition: form-data; name="file"; filename="a%22b/../c.vcf"\r
        Content-Type: text/vcard\r
        \r
        BEGIN:VCARD\r
        --X\r
        \r
        --XX\r
        Content-Disposition: form-data; name="file"; filename=""\r
        \r
        \r
        --XX--\r

        """

    private func events(_ body: String, by size: Int) throws -> [String] {
        var parser = try #require(MultipartParser(contentType: Self.type))
        var texts: [String] = []
        for chunk in Array(body.utf8).chunks(of: size) {
            for event in try parser.feed(chunk) {
                switch event {
                case .part(let name, let file): texts.append("\(name)|\(file ?? "-"):")
                case .bytes(let bytes):
                    texts[texts.count - 1] += String(decoding: bytes, as: UTF8.self)
                case .end: texts[texts.count - 1] += "."
                }
            }
        }
        try #require(parser.isComplete)
        return texts
    }

    /// Reads a form for a page that takes no files.
    private func form(_ body: String) throws -> ReceivedForm {
        let head = HTTPRequestHead(
            version: .http1_1, method: .POST, uri: "/u/x",
            headers: ["Content-Type": Self.type, "Content-Length": "\(body.utf8.count)"])
        let received = try #require(FormBody(head, filesIn: nil, PageLimits()))
        try received.add(ByteBuffer(string: body))
        return try received.finish()
    }

    @Test func `A page without files takes such a form, but no file`() throws {
        let click = """
            --XX\r
            Content-Disposition: form-data; name="List-Unsubscribe"\r
            \r
            One-Click\r
            --XX--\r

            """
        #expect(try form(click).fields["List-Unsubscribe"] == "One-Click")
        #expect(throws: FormBody.Fault.tooLarge) { try form(Self.body) }
    }

    @Test(arguments: [1, 2, 3, 7, 16, 64, 100_000])
    func `A body is split in the same way, whatever the size of its chunks`(size: Int) throws {
        #expect(
            try events(Self.body, by: size) == [
                "title|-:Games.", "file|a\"b/../c.vcf:BEGIN:VCARD\r\n--X\r\n.", "file|:.",
            ])
        #expect(try events("ignored\r\n" + Self.body + "after", by: size).count == 3)
    }

    @Test(arguments: [
        "multipart/form-data", "multipart/mixed; boundary=x", "text/plain; boundary=x",
        "multipart/form-data; boundary=", "",
        "multipart/form-data; boundary=\(String(repeating: "x", count: 71))",
    ])
    func `Other types and boundaries are refused`(type: String) {
        #expect(MultipartParser(contentType: type) == nil)
    }

    @Test(arguments: [
        "--XXy\r\nContent-Disposition: form-data; name=\"a\"\r\n",
        "--XX\r\nContent-Disposition: form-data\r\n\r\n",
        "--XX\r\n"
            + String(repeating: "a", count: 5000),
    ])
    func `A damaged body is refused`(body: String) throws {
        var parser = try #require(MultipartParser(contentType: Self.type))
        #expect(throws: MultipartParser.Fault()) { try parser.feed(body.utf8) }
    }

    @Test func `Random bytes neither crash the parser nor make it keep much`() throws {
        var random = SeededRandom(seed: 7)
        let alphabet = Array("\r\n-X:;=\" abContent-Disposition: form-data; name=".utf8)
        for _ in 0..<300 {
            var parser = try #require(MultipartParser(contentType: Self.type))
            var sent = Array("--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n".utf8)
            sent += (0..<200).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            }
            var got = 0
            for byte in sent {
                for case .bytes(let bytes) in (try? parser.feed([byte])) ?? [] {
                    got += bytes.count
                }
            }
            #expect(got <= sent.count)
        }
    }

    // MARK: Over a connection

    private func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    private static func routes(_ folder: String) -> [Route] {
        var upload = Route(.post, "/upload") { request in
            let files = request.files.map { file in
                let text = (try? String(contentsOfFile: file.path, encoding: .utf8)) ?? "gone"
                return "\(file.field)/\(file.name)/\(text.utf8.count)"
            }
            return PageAnswer(
                .ok, "text/plain", request.form["title"] + " " + files.joined(separator: " "))
        }
        upload.admission = { _ in nil }
        let other = Route(.post, "/other") { _ in PageAnswer(.ok, "text/plain", "read") }
        return [upload, other]
    }

    private func request(_ path: String, _ body: String, length: Int? = nil) -> String {
        "POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Type: \(Self.type)\r\n"
            + "Content-Length: \(length ?? body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
    }

    @Test func `Files go to disk, are named without folders, and are gone after the answer`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let uploads = folder + "/uploads"
            try await RunningServer.with(uploads: uploads, routes: Self.routes(folder)) { server in
                let answer = try await server.ask(request("/upload", Self.body))
                #expect(answer.hasPrefix("HTTP/1.1 200") && answer.hasSuffix("Games file/c.vcf/18"))
                #expect(names(in: uploads) == [])
                let other = try await server.ask(request("/other", Self.body))
                #expect(other.hasPrefix("HTTP/1.1 413"))
                let broken = try await server.ask(request("/upload", "--XX\r\nx"))
                #expect(broken.hasPrefix("HTTP/1.1 400"))
                let large = try await server.ask(request("/upload", "", length: 26 * 1024 * 1024))
                #expect(large.hasPrefix("HTTP/1.1 413"))
                #expect(names(in: uploads) == [])
            }
        }
    }

    @Test func `A file of many chunks arrives whole, and one that is too large is dropped`()
        async throws
    {
        try await withTemporaryFolder { folder in
            var limits = PageLimits()
            limits.uploadBytesMax = 300_000
            try await RunningServer.with(
                limits: limits, uploads: folder + "/uploads", routes: Self.routes(folder)
            ) { server in
                for (size, status) in [(200_000, "200"), (400_000, "413")] {
                    let body = Self.body.replacing(
                        "BEGIN:VCARD", with: String(repeating: "x", count: size))
                    let answer = try await server.ask(request("/upload", body))
                    #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(size)")
                }
                #expect(names(in: folder + "/uploads") == [])
            }
        }
    }
}

extension Array {
    fileprivate func chunks(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
