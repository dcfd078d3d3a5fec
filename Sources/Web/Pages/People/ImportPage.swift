import Glibc
import NIOHTTP1
import Planning

/// Reading address books.
extension Site {
    var importRoutes: [Route] {
        var reading = route(.post, "/people/import", importPeople)
        reading.admission = { try await refusalToSend($0) }
        // The address of the result, if it is opened again.
        return [reading, route(.get, "/people/import") { _, _ in redirect(to: .people()) }]
    }

    private func importPeople(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        guard let file = request.files.first(where: { $0.field == "file" }) else {
            return redirect(to: .people(saved: "nofile"))
        }
        // The kind of an address book is known by the end of its name.
        let named = file.path + (file.name.lowercased().hasSuffix(".csv") ? ".csv" : ".vcf")
        guard rename(file.path, named) == 0 else { return redirect(to: .people(saved: "nofile")) }
        defer { unlink(named) }
        do {
            let report = try await visitor.planner.importPeople(
                [named], selection: ImportSelection())
            return try await answer(report, to: visitor)
        } catch {
            var page = try await peoplePage("", visitor.planner)
            page.importFault = try sentence(error, visitor).replacing(named, with: file.name)
            return show(page, in: Frame(visitor: visitor), .badRequest)
        }
    }

    /// The address book, and what the file had that is not in it.
    private func answer(
        _ report: ImportReport, to visitor: Visitor
    ) async throws -> PageAnswer {
        let (added, changed, skipped) = (report.imported, report.updated, report.skipped.count)
        guard let notes = ImportNotes(report) else {
            return redirect(to: .people(saved: "import", read: [added, changed, skipped]))
        }
        var page = try await peoplePage("", visitor.planner)
        page.notes = notes
        var frame = Frame(visitor: visitor)
        frame.notices = [
            Frame.Notice(
                kind: .plain,
                text: frame.words(world).imported(
                    added: added, changed: changed, skipped: skipped))
        ]
        return show(page, in: frame)
    }
}
