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

    private static let olga = "Olga Owner <olga@example.org>"

    @Test(arguments: [
        "On Thu, Nov 26, 2026 at 10:00 AM Olga Owner <\nolga@example.org> wrote:",
        "On Thu, Nov 26, 2026 at 10:00 AM\nOlga Owner\n<olga@example.org> wrote:",
        "On Thu, Nov 26, 2026 at 10:00 AM, Olga Owner<olga@example.org> wrote:   Are you coming?",
        "\(olga) wrote:",
        "Am Do., 26. Nov. 2026 um 10:00 Uhr schrieb Olga Owner <\nolga@example.org>:",
        "Am 26.11.2026 um 10:00 schrieb Olga Owner\n<olga@example.org>:",
        "Le jeu. 26 nov. 2026 à 10:00, \(olga) a\nécrit :",
        "Op do 26 nov 2026 om 10:00 schreef \(olga):",
        "Op 26-11-2026 heeft Olga Owner het volgende geschreven:",
        "Den tors 26 nov. 2026 kl 10:00 skrev \(olga):",
        "to 26. marrask. 2026 klo 10.00 Olga Owner (olga@example.org) kirjoitti:",
        "W dniu 26.11.2026 o 10:00, Olga Owner pisze:",
        "26.11.2026 10:00, Olga Owner пишет:",
        "чт, 26 нояб. 2026 г. в 10:00, \(olga):",
        "2026年11月26日(木) 10:00 \(olga):",
        "---- On Thu, 26 Nov 2026 10:00:00 +0100 \(olga) wrote ---",
        "Anfang der weitergeleiteten Nachricht:",
        "„Olga Owner“ olga@example.org – 26. November 2026 10:00",
        "Feladó: Olga Owner\nElküldve: 2026. november 26. 10:00\nCímzett: Anna\nTárgy: Lunch",
        "Von: Olga Owner/ORG\nAn: Anna\nDatum: 26.11.2026 10:00\nBetreff: Lunch",
    ])
    func `The words above a quoted mail end the note, in whatever language`(
        _ words: String
    ) async throws {
        try await expect("I am ill.\nSee you!", of: "I am ill.\nSee you!\n\n\(words)\nCome!")
    }

    @Test(arguments: [
        "Am Freitag schrieb ich 2 Tests:\nich kann nicht.",
        "Von meiner Seite: ich habe die Zusage schon geschickt.",
        "Von meinem Telefon aus kann ich nicht mehr schreiben.",
        "Sent with love, Anna", "Sent mail to Ben about it.",
        "My trip:\nFrom: Helsinki\nTo: Turku\nOn: 4 Dec 2026",
        "Attention: this message is late because I was outside. External people come.",
        "I wrote to Ben on 4 December 2026 at 10:00, he knows.",
    ])
    func `Words of a person that look like those of a program stay`(_ text: String) async throws {
        try await expect(text, of: text)
    }

    @Test(arguments: [
        "Sent from my Galaxy", "Envoyé depuis Proton Mail pour Android.",
        "Obtenir Outlook pour Android<https://outlook.example/get>",
        "Provenance : Courrier pour Windows",
        "Verstuurd vanaf mijn iPhone", "Lähetetty iPhonesta", "Wysłane z iPhone'a", "iPhoneから送信",
        "发自我的iPhone", "Mit Proton Mail sicherer E-Mail gesendet.",
        "Von meinem/meiner Galaxy gesendet", "Yahoo Mail: Search, Organize, Conquer",
    ])
    func `A line that names a program below the text is not part of the note`(
        _ line: String
    ) async throws {
        try await expect("I am ill.", of: "I am ill.\n\n\(line)\n\n> Come!")
    }

    private static let long = "> " + String(repeating: "word ", count: 14) + "that"

    @Test(arguments: [
        ("On 26 Nov 2026, \(olga) wrote:\n> Come!\n\nI am ill.", "I am ill."),
        ("At 10:00 I am ill.\n\(olga) wrote:\n> Come!", "At 10:00 I am ill."),
        ("> Will you come?\nNo, flu.\n> Bring cake?\nYes, cake.", "No, flu.\n\nYes, cake."),
        ("I am ill.\n\n> Come!\n\nThis mail is confidential.", "I am ill."),
        ("Hello!\n> Come?\nNo.\n> Cake?\n", "Hello!\n\nNo."),
        ("\(long)\nwas broken\n> here\n\nI am ill.", "I am ill."),
        ("When: Thursday\nWhere: Hall\n\n*~*~*~*~*~*~*~*~*~*\n\nI am ill.", "I am ill."),
        (
            "You don't often get email from anna@example.org. Learn why.\n\nI am ill.",
            "I am ill."
        ),
    ])
    func `What the author wrote below quoted text and notices is the note`(
        _ text: String, _ note: String
    ) async throws {
        try await expect(note, of: text)
    }

    private func expect(_ note: String, of text: String) async throws {
        try await mails.withLunch { _, planner, id in
            let receipt = try await planner.receiveMail(mails.words("No: Lunch [\(id)]", text))
            #expect(receipt.answer == .declined, "\(receipt.reason)")
            let anna = try await planner.meeting(id).participants.first { $0.name == "Anna Aalto" }
            #expect(anna?.note == note)
        }
    }
}
