import NIOHTTP1
import Planning

/// The address book of the reader as a file.
enum PeopleExport: String, CaseIterable, Sendable {
    case vcard = "vcf"
    case csv

    private var mediaType: String {
        switch self {
        case .vcard: "text/vcard; charset=utf-8"
        case .csv: "text/csv; charset=utf-8"
        }
    }

    private var format: ExportFormat {
        switch self {
        case .vcard: .vcard3
        case .csv: .csv
        }
    }

    /// The file as a download, which no cache keeps.
    func answer(_ planner: Planner) async throws -> PageAnswer {
        var text = ""
        try await planner.exportPeople(format) { text += $0 }
        var answer = PageAnswer(.ok, mediaType, text)
        answer.fields = [
            ("Content-Disposition", "attachment; filename=\"people.\(rawValue)\""),
            ("Cache-Control", "private, no-store"),
        ]
        return answer
    }
}

extension Site {
    /// The address book as a file.
    var peopleExportRoutes: [Route] {
        [
            route(.get, "/people/export.vcf") { try await PeopleExport.vcard.answer($1.planner) },
            route(.get, "/people/export.csv") { try await PeopleExport.csv.answer($1.planner) },
        ]
    }
}
