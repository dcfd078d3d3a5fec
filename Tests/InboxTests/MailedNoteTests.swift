import Agenda
import Inbox
import Planning
import TestKit
import Testing
import Timekeeping

/// The notes of answers in words, without what programs add to them.
@Suite(.timeLimit(.minutes(5))) struct MailedNoteTests {
    private let mails = PeoplesMailTests()

    private static let warning =
        "CAUTION: This email originated from outside the organization.\nDo not open its links."
    private static let header =
        "Gesendet: Dienstag, 1. Dezember 2026 10:00\nVon: Olga <olga@example.org>\nAn: Anna\n"
        + "Betreff: Lunch"
    private static let inTheMiddle = "Sent from my iPhone\n\nSo I am brief"

    @Test(arguments: [
        ("I am ill\n\nSent from my iPhone", "I am ill"),
        ("I am ill\n\nGet Outlook for iOS<https://outlook.example/get>\n", "I am ill"),
        ("Bin krank\n\nVon meinem iPhone gesendet", "Bin krank"),
        ("\(warning)\n\nI am ill", "I am ill"),
        ("Bin krank\n\n\(header)\n\nKommst du?", "Bin krank"),
        ("Bin krank\n\nAm 26.11.2026 um 10:00 schrieb Olga:\n\nKommst du?", "Bin krank"),
        (inTheMiddle, inTheMiddle),
    ])
    func `The names of programs, warnings of gateways and quoted mails are not part of the note`(
        _ text: String, _ note: String
    ) async throws {
        try await mails.withLunch { _, planner, id in
            let receipt = try await planner.receiveMail(mails.words("No: Lunch [\(id)]", text))
            #expect(receipt.answer == .declined, "\(receipt.reason)")
            let anna = try await planner.meeting(id).participants.first { $0.name == "Anna Aalto" }
            #expect(anna?.note == note)
        }
    }
}
