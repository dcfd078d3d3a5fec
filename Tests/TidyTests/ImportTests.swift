import Testing

struct ImportTests {
    @Test func `Every module imports only what its row allows`() {
        expectNone(Repository.sources.flatMap(Imports.forbidden))
    }

    @Test(arguments: ModuleTable.rows.map(\.name))
    func `Every row is a target of the manifest`(module: String) throws {
        let manifest = try #require(Repository.text(of: "Package.swift"))
        #expect(manifest.contains("name: \"\(module)\""))
    }

    @Test(arguments: ModuleTable.rows.map(\.name))
    func `Every allowed import of the table is used`(module: String) throws {
        let row = try #require(ModuleTable.row(of: module))
        let sources = Repository.sources.filter { $0.module == module }
        let used = Set(sources.flatMap(Imports.all).map(\.module))
        #expect(row.system.subtracting(used).sorted() == [])
        #expect(Set(row.onlyIn.keys).subtracting(used).sorted() == [])
    }

    @Test func `The build checks that every import is a declared dependency`() throws {
        let makefile = try #require(Repository.text(of: "Makefile"))
        #expect(makefile.contains("--explicit-target-dependency-import-check error"))
    }

    /// It compiles the modules by a list of its own, outside of the package.
    @Test func `The fuzz target is built with every module that it needs`() throws {
        let build = try #require(Repository.text(of: "Tests/Fuzz/build.sh"))
        let built = build.matches(of: /module (\w+) \$/).map { String($0.output.1) }
        #expect(built.contains("Interchange"))
        let needed = Repository.sources.filter { built.contains($0.module) }
            .flatMap(Imports.all).map(\.module).filter { module in
                ModuleTable.systemModules.isDisjoint(with: [module])
            }
        #expect(Set(needed).subtracting(built) == [])
    }

    @Test(arguments: [
        ("import Foundation", "Foundation"),
        ("public import Ledger", "Ledger"),
        ("@preconcurrency import GRDB", "GRDB"),
        ("@_spi(Testing) public import Planning", "Planning"),
        ("import struct Foundation.URL", "Foundation"),
        ("internal import func Glibc.read", "Glibc"),
        ("#if canImport(Glibc)\n    import Glibc\n#endif", "Glibc"),
        ("@testable\nimport Agenda", "Agenda"),
    ])
    func `Every form of import is recognised`(text: String, module: String) {
        #expect(Imports.all(in: snippet(text)).map(\.module) == [module])
    }

    @Test(arguments: [
        "// import Foundation", "let text = \"import Foundation\"", "run(.import, x)",
        "func read(\n    import file: String) {}", "func read(import file: String) {}",
    ])
    func `Text that only looks like an import is ignored`(text: String) {
        #expect(Imports.all(in: snippet(text)) == [])
    }

    @Test(arguments: [
        ("Sources/Ledger/A.swift", "import Timekeeping", 0),
        ("Sources/Ledger/Keys/A.swift", "import Foundation", 1),
        ("Sources/Agenda/SearchKey.swift", "import Foundation", 0),
        ("Sources/Agenda/Meeting.swift", "import Foundation", 1),
        ("Sources/Timekeeping/ZoneDirectory.swift", "import Glibc", 0),
        ("Sources/TimerWheel/Wheel.swift", "import Synchronization", 1),
        ("Sources/Nowhere/A.swift", "import Foundation", 1),
    ])
    func `An import that the row does not allow is found`(path: String, text: String, count: Int) {
        #expect(Imports.forbidden(in: snippet(text, path: path)).count == count)
    }
}
