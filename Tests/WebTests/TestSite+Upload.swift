import Foundation
import Ledger
import NIOHTTP1
import Settings
import Storage
import TestKit
import Testing

@testable import Web

extension TestSite {
    /// Uploads an address book as the owner does on the page, and waits for the end of its task.
    ///
    /// - Parameters:
    ///   - text: the content of the file.
    ///   - name: the name of the file.
    ///   - language: the language of the browser.
    /// - Returns: the path of the page of the task, and the page.
    /// - Throws: errors of the store, or if the answer leads to no task.
    func upload(
        _ text: String, named name: String, language: String = "en"
    ) async throws -> (place: String, page: PageAnswer) {
        let path = world.home.path + "/upload"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        var form = ReceivedForm()
        form.files = [UploadedFile(field: "file", name: name, path: path)]
        let browser = try await browser()
        let fields = [
            "Host": "localhost:8420", "Accept": "text/html", "Cookie": browser.cookie ?? "",
            "Accept-Language": language, "Sec-Fetch-Site": "same-origin",
        ]
        let head = HTTPRequestHead(
            version: .http1_1, method: .POST, uri: "/people/import",
            headers: HTTPHeaders(fields.map { ($0.key, $0.value) }))
        let answer = await responder.answer(to: head, form: form)
        let place = answer.field("Location")
        #expect(answer.status == .seeOther && place.hasPrefix("/tasks/"))
        await site.tasks.ended(LongTaskID(text: String(place.dropFirst(7))))
        return (place, await browser.open(place, [("Accept-Language", language)]))
    }
}
