import Agenda
import Foundation
import Inbox
import Planning
import TestKit
import Testing
import Timekeeping

/// Mails that anybody can send, made to take much time. With reading in quadratic time, each of
/// them took minutes.
@Suite(.timeLimit(.minutes(2))) struct HostileMailTests {
    private let mails = PeoplesMailTests()

    private func ignored(_ mail: String) async throws {
        try await mails.withLunch { _, planner, _ in
            let receipt = try await planner.receiveMail(Array(mail.utf8))
            #expect(receipt.outcome == .ignored)
        }
    }

    private func times(_ text: String, _ count: Int) -> String {
        String(repeating: text, count: count)
    }

    @Test(arguments: [
        "<div", "</", "<style>", "<script", "<a x=\"", "<!--", "<br", "‹", "<head>", "<", ">", " ",
        "<title></", "<p>&", "&#",
    ])
    func `HTML of many beginnings`(_ piece: String) async throws {
        let html = times(piece, 400_000 / piece.utf8.count)
        try await ignored(
            "From: x@evil.example\nSubject: Re: x\nContent-Type: text/html\n\n\(html)")
    }

    @Test(arguments: [
        "-", "_", "a", "<", "a@", "@", "[", "x\n", "----\n", "Von: 2026\n",
        "Von: 2026 a@b a@b\n", "Von: 1:0 1:0\n", "\u{301}\u{323}", "\u{1F1E6}",
    ])
    func `Text of one piece, also in a mail that looks like a report`(
        _ piece: String
    ) async throws {
        let text = times(piece, 400_000 / piece.utf8.count)
        try await ignored("From: x@evil.example\nSubject: hello\n\n\(text)")
        try await ignored(
            "From: MAILER-DAEMON@evil.example\nReturn-Path: <>\nSubject: Undelivered\n\n\(text)")
        try await ignored(
            "From: x@evil.example\nSubject: Yes: hi [aaaaaaaaaaaaaaaa.0]\n"
                + "Date: Tue, 1 Dec 2026 14:00:00 +0200\n\n\(text)")
    }

    @Test func `A quoted word, spaces and many signs of addresses`() async throws {
        try await ignored(
            "From: \"a\"\(times(" ", 30_000))x\(times("@", 30_000))\nSubject: x\n\nx")
    }

    @Test func `Many From fields`() async throws {
        try await ignored(times("From: x@evil.example\n", 10_000) + "\nx")
    }

    @Test func `Many parts of letters`() async throws {
        let part = "--b\nContent-Type: text/plain\n\n\(times("a", 65_000))\n"
        try await ignored(
            "From: x@evil.example\nSubject: x\nContent-Type: multipart/mixed; boundary=b\n\n"
                + times(part, 50))
    }

    @Test(arguments: ["Subject", "From", "References", "X-Failed-Recipients"])
    func `A field of a megabyte`(_ name: String) async throws {
        for piece in ["[", "=?utf-8?q?", "a@", "Re: ", "\"", "(", "a\u{301}\u{323}"] {
            try await ignored("\(name): \(times(piece, 1_000_000 / piece.utf8.count))\n\nx")
        }
    }
}
