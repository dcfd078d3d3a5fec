/// What one module may import, besides Swift itself.
struct ModuleRow: Sendable {
    let name: String
    /// Its height in the map of modules: an arrow goes from higher to lower, never level.
    let height: Int
    /// Modules of this package.
    var own: Set<String> = []
    /// Modules of packages by others.
    var libraries: Set<String> = []
    /// Modules that come with Swift.
    var system: Set<String> = []
    /// Modules that a single file may import, and its name.
    var onlyIn: [String: String] = [:]

    /// Modules whose output is a terminal's: all others have no business with `print`.
    var isExecutable: Bool { height == ModuleTable.executableHeight }

    func allows(_ module: String, inFile file: String) -> Bool {
        own.contains(module) || libraries.contains(module) || system.contains(module)
            || onlyIn[module] == file
    }
}

/// The table of allowed imports: the map of docs/architecture.md, held against every import line,
/// because the compiler lets a transitive import pass.
enum ModuleTable {
    static let executableHeight = 9

    static let rows: [ModuleRow] = [
        ModuleRow(name: "CCurl", height: 0),
        ModuleRow(name: "CClock", height: 0),
        ModuleRow(name: "CCrypto", height: 0),
        ModuleRow(name: "CZlib", height: 0),
        ModuleRow(name: "TimerWheel", height: 0),
        ModuleRow(
            name: "Timekeeping", height: 0, system: ["Synchronization"],
            onlyIn: ["Glibc": "ZoneDirectory.swift"]),
        ModuleRow(name: "Secrets", height: 1, own: ["CCrypto"], system: ["Foundation"]),
        ModuleRow(name: "Ledger", height: 1, own: ["Timekeeping"]),
        ModuleRow(
            name: "Agenda", height: 2, own: ["Ledger", "Timekeeping"],
            onlyIn: ["Foundation": "SearchKey.swift"]),
        ModuleRow(name: "Interchange", height: 2, own: ["Timekeeping"], system: ["Foundation"]),
        ModuleRow(
            name: "Storage", height: 3,
            own: ["Agenda", "Interchange", "Ledger", "Timekeeping"],
            libraries: ["GRDB", "GRDBSQLite"], system: systemWithThreads),
        ModuleRow(
            name: "Transport", height: 3, own: ["CCurl", "Timekeeping"], system: systemWithThreads),
        ModuleRow(
            name: "Wording", height: 3, own: ["Agenda", "Ledger", "Timekeeping"],
            libraries: ["Mustache"],
            system: ["Foundation", "Synchronization"]),
        ModuleRow(
            name: "Settings", height: 4, libraries: ["Yams"],
            system: ["Foundation", "Glibc"]),
        ModuleRow(
            name: "Places", height: 4, own: ["Agenda", "Storage", "Timekeeping", "Transport"],
            system: ["Foundation", "Synchronization"]),
        ModuleRow(
            name: "Sinks", height: 5,
            own: [
                "Agenda", "Interchange", "Ledger", "Secrets", "Settings", "Timekeeping",
                "Transport", "Wording",
            ],
            libraries: ["Yams"], system: systemWithThreads),
        ModuleRow(
            name: "Planning", height: 6,
            own: [
                "Agenda", "Interchange", "Ledger", "Places", "Secrets", "Settings", "Sinks",
                "Storage", "Timekeeping", "Transport", "Wording",
            ],
            system: ["Foundation", "Synchronization"]),
        ModuleRow(
            name: "Notifications", height: 7,
            own: [
                "Agenda", "Interchange", "Ledger", "Planning", "Sinks", "Storage", "Timekeeping",
                "TimerWheel", "Wording",
            ],
            libraries: ["Logging", "Metrics"], system: systemWithThreads),
        ModuleRow(
            name: "Jobs", height: 7,
            own: [
                "Agenda", "Ledger", "Planning", "Settings", "Storage", "Timekeeping", "Wording",
            ],
            libraries: ["Logging", "Subprocess", "SystemPackage"],
            system: ["Foundation", "Glibc", "Synchronization"]),
        ModuleRow(
            name: "Web", height: 7,
            own: ["CZlib", "Ledger", "Planning", "Settings", "Timekeeping", "Wording"],
            libraries: [
                "Logging", "Metrics", "NIOCore", "NIOHTTP1", "NIOPosix", "ServiceLifecycle",
            ], system: ["Foundation", "Glibc", "Synchronization"]),
        ModuleRow(
            name: "Daemon", height: 8,
            own: [
                "Agenda", "Jobs", "Ledger", "Notifications", "Planning", "Settings", "Storage",
                "Timekeeping", "Transport", "Web", "Wording",
            ],
            libraries: ["Logging", "ServiceLifecycle", "UnixSignals"],
            system: ["Dispatch", "Foundation", "Glibc", "Synchronization"]),
        ModuleRow(
            name: "Programs", height: 8,
            own: ["CClock", "Planning", "Timekeeping", "Transport", "Wording"],
            libraries: ["ArgumentParser"],
            system: ["Dispatch", "Foundation", "Glibc", "Synchronization"]),
        ModuleRow(
            name: "letsmeet", height: executableHeight,
            own: [
                "Agenda", "Jobs", "Ledger", "Planning", "Programs", "Settings",
                "Timekeeping", "Wording",
            ],
            libraries: ["ArgumentParser"], system: ["Foundation", "Glibc"]),
        ModuleRow(
            name: "letsmeetd", height: executableHeight,
            own: ["Daemon", "Jobs", "Planning", "Programs", "Settings", "Timekeeping", "Wording"],
            libraries: ["ArgumentParser", "Logging"], system: ["Foundation", "Glibc"]),
        ModuleRow(
            name: "letsmeet-bench", height: executableHeight,
            own: [
                "Agenda", "Interchange", "Ledger", "Notifications", "Planning", "Programs",
                "Settings",
                "Sinks", "Storage",
                "Timekeeping", "TimerWheel", "Transport", "Wording",
            ],
            libraries: ["ArgumentParser", "Logging"], system: systemWithThreads),
    ]

    static func row(of module: String) -> ModuleRow? {
        rows.first { $0.name == module }
    }

    private static let systemWithThreads: Set<String> = [
        "Dispatch", "Foundation", "Glibc", "Synchronization",
    ]
}
