/// The modules of the system that one module of this package may import. The compiler checks all
/// other imports against the dependencies in Package.swift.
struct ModuleRow: Sendable {
    let name: String
    /// The modules that come with Swift.
    var system: Set<String> = []
    /// Modules that only a single file may import, with its name.
    var onlyIn: [String: String] = [:]
    /// Whether the module is an executable. Only executables may print.
    var isExecutable = false

    func allows(_ module: String, inFile file: String) -> Bool {
        system.contains(module) || onlyIn[module] == file
    }
}

/// The table of allowed imports from the system. A module without a row may import none.
enum ModuleTable {
    /// The modules that come with Swift and that a module needs a permission for.
    static let systemModules: Set<String> = [
        "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Synchronization",
    ]

    static let rows: [ModuleRow] = [
        ModuleRow(
            name: "Timekeeping", system: ["Synchronization"],
            onlyIn: ["Glibc": "ZoneDirectory.swift"]),
        ModuleRow(
            name: "Secrets", system: ["Foundation"], onlyIn: ["Dispatch": "PasswordHash.swift"]),
        ModuleRow(name: "Agenda", onlyIn: ["Foundation": "SearchKey.swift"]),
        ModuleRow(name: "Interchange", system: ["Foundation", "Glibc", "Synchronization"]),
        ModuleRow(name: "Storage", system: systemWithThreads),
        ModuleRow(name: "Transport", system: systemWithThreads),
        ModuleRow(name: "Wording", system: ["Foundation"]),
        ModuleRow(name: "Settings", system: ["Foundation", "Glibc"]),
        ModuleRow(name: "Places", system: ["Foundation", "Synchronization"]),
        ModuleRow(name: "Sinks", system: systemWithThreads),
        ModuleRow(name: "Pictures", system: ["Synchronization"]),
        ModuleRow(name: "Planning", system: ["Foundation", "Synchronization"]),
        ModuleRow(name: "Calendars", system: ["Foundation", "Synchronization"]),
        ModuleRow(name: "Inbox", system: ["Foundation", "Synchronization"]),
        ModuleRow(name: "Operations", system: ["Foundation"]),
        ModuleRow(name: "Notifications", system: ["Foundation", "Synchronization"]),
        ModuleRow(name: "Jobs", system: ["Foundation", "Glibc", "Synchronization"]),
        ModuleRow(name: "Web", system: systemWithThreads),
        ModuleRow(name: "Daemon", system: systemWithThreads),
        ModuleRow(name: "Programs", system: systemWithThreads),
        ModuleRow(name: "TextUI", system: ["Foundation", "Glibc"]),
        ModuleRow(name: "letsmeet", system: ["Foundation", "Glibc"], isExecutable: true),
        ModuleRow(name: "letsmeetd", system: ["Foundation"], isExecutable: true),
        ModuleRow(
            name: "letsmeet-bench", system: ["Dispatch", "Foundation", "Glibc", "Synchronization"],
            isExecutable: true),
        ModuleRow(name: "letsmeet-pictures", system: ["Glibc"], isExecutable: true),
    ]

    static func row(of module: String) -> ModuleRow? {
        rows.first { $0.name == module }
    }

    private static let systemWithThreads: Set<String> = [
        "Dispatch", "Foundation", "Glibc", "Synchronization",
    ]
}
