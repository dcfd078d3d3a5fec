import Foundation
import Planning
import Settings
import TestKit
import Testing
import Wording

/// Tests that an import of files without contacts names the file.
@Suite struct ImportNothingTests {
    private static let noRow = "the file has column names but no rows"

    @Test(arguments: [
        ("head.csv", "Name,E-mail\n", 1, noRow), ("late.csv", "\n\nname,email\n\n", 3, noRow),
        ("empty.csv", "", 1, "the file is empty"),
        ("empty.vcf", "", 1, "the file has no BEGIN:VCARD"),
        ("folder", nil, nil, "the folder has no .vcf, .vcard or .csv file"),
    ])
    func `An import without contacts is refused with the file, the line and the reason`(
        name: String, text: String?, line: Int?, reason: String
    ) async throws {
        try await withHome { home in
            let path = "\(home.home.path)/\(name)"
            if let text {
                try text.write(toFile: path, atomically: true, encoding: .utf8)
            } else {
                try FileManager.default.createDirectory(
                    atPath: path, withIntermediateDirectories: true)
            }
            let planner = try await home.planner()
            let refused = await refusal {
                _ = try await planner.importPeople([path], selection: ImportSelection())
            }
            #expect(refused?.code == "nothing_read")
            #expect(refused?.message.contains(path) == true)
            #expect(refused?.message.contains(reason) == true)
            let answer = try JSONText.of(refused?.answer)
            #expect(answer.contains("\"line\":\(line.map(String.init) ?? "null")"), "\(answer)")
        }
    }
}
