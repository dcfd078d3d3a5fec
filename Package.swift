// swift-tools-version:6.2
import PackageDescription

/// The settings of every target: Swift 6 concurrency, warnings as errors, no implicit `any`, and
/// imports that are internal unless marked public.
let rules: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The settings of purely computing modules, which are optimized in debug builds too: tests run
/// them millions of times and would otherwise take minutes longer.
let computing = rules + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// The settings of tests, which are not optimized in release builds, because that would add minutes
/// to each build. They have no debug information there either; debuggers use a debug build.
let testing = rules + [.unsafeFlags(["-Onone", "-gnone"], .when(configuration: .release))]

/// With `LETSMEET_RUNTIME=static`, the programs contain the Swift runtime and run on machines
/// without Swift. `--static-swift-stdlib` would recompile everything, and would not build tests,
/// for which there is no static library. The libraries listed here are those that Foundation then
/// needs.
let runtime: [LinkerSetting] =
    Context.environment["LETSMEET_RUNTIME"] == "static"
    ? [
        .unsafeFlags(["-static-stdlib"]), .linkedLibrary("_FoundationICU"),
        .linkedLibrary("CoreFoundation"), .linkedLibrary("_FoundationCShims"),
        .linkedLibrary("_FoundationCollections"),
    ] : []

let argumentParser = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let lifecycle = Target.Dependency.product(
    name: "ServiceLifecycle", package: "swift-service-lifecycle")
let signals = Target.Dependency.product(
    name: "UnixSignals", package: "swift-service-lifecycle")
let metrics = Target.Dependency.product(name: "Metrics", package: "swift-metrics")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioHTTP = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let systemPackage = Target.Dependency.product(
    name: "SystemPackage", package: "swift-system")
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

/// The modules, from the lowest to the highest. A module may only depend on modules above it in
/// this list; `Tests/TidyTests` checks every import against the same table.
let package = Package(
    name: "letsmeet",
    products: [
        .executable(name: "letsmeet", targets: ["letsmeet"]),
        .executable(name: "letsmeetd", targets: ["letsmeetd"]),
        .executable(name: "letsmeet-pictures", targets: ["letsmeet-pictures"]),
        .executable(name: "letsmeet-bench", targets: ["letsmeet-bench"]),
        .library(name: "TimerWheel", targets: ["TimerWheel"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(
            url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
    ],
    targets: [
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CClock"), .systemLibrary(name: "CMemory"),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "TimerWheel", swiftSettings: rules),
        .systemLibrary(name: "CVips", pkgConfig: "vips", providers: [.apt(["libvips-dev"])]),
        .target(name: "CSandbox"),
        .target(name: "StreamSafe", swiftSettings: computing),
        .target(name: "Timekeeping", swiftSettings: computing),
        .target(name: "Ledger", dependencies: ["Timekeeping"], swiftSettings: computing),
        .target(
            name: "Secrets", dependencies: ["CCrypto", "Ledger"], exclude: ["Data"],
            swiftSettings: rules),
        .target(
            name: "Agenda", dependencies: ["Ledger", "Timekeeping"], swiftSettings: computing),
        .target(
            name: "Interchange", dependencies: ["StreamSafe", "Timekeeping"],
            swiftSettings: computing),
        .target(
            name: "Storage",
            dependencies: [
                "Agenda", "CMemory", "CSQLite", "Interchange", "Ledger", "Secrets", "Timekeeping",
                grdb, sqlite,
            ],
            swiftSettings: rules),
        .target(
            name: "Wording", dependencies: ["Agenda", "Ledger", "StreamSafe", "Timekeeping"],
            swiftSettings: rules),
        .target(
            name: "Settings", dependencies: ["StreamSafe", yams], swiftSettings: rules),
        .target(
            name: "Transport", dependencies: ["CCurl", "StreamSafe", "Timekeeping"],
            swiftSettings: rules),
        .target(
            name: "Places",
            dependencies: ["Agenda", "CZlib", "Storage", "StreamSafe", "Timekeeping", "Transport"],
            exclude: ["Data"], swiftSettings: rules),
        .target(
            name: "Sinks",
            dependencies: [
                "Agenda", "Interchange", "Ledger", "Secrets", "Settings", "Timekeeping",
                "Transport", "Wording", yams,
            ],
            swiftSettings: rules),
        .target(
            name: "Pictures", dependencies: [subprocess, systemPackage], swiftSettings: rules),
        .target(
            name: "Planning",
            dependencies: [
                "Agenda", "Interchange", "Ledger", "Pictures", "Places", "Secrets", "Settings",
                "Sinks",
                "Storage", "StreamSafe", "Timekeeping", "Transport", "Wording",
            ],
            swiftSettings: rules),
        .target(
            name: "Calendars",
            dependencies: [
                "Agenda", "Interchange", "Ledger", "Planning", "Secrets", "Settings", "Storage",
                "StreamSafe", "Timekeeping", "Transport", "Wording",
            ],
            swiftSettings: rules),
        .target(
            name: "Inbox",
            dependencies: [
                "Agenda", "Interchange", "Ledger", "Planning", "Secrets", "Settings", "Sinks",
                "Storage", "StreamSafe", "Timekeeping", "Transport", "Wording",
            ],
            swiftSettings: rules),
        .target(
            name: "Operations",
            dependencies: [
                "Agenda", "Interchange", "Ledger", "Pictures", "Places", "Planning", "Settings",
                "Sinks",
                "Storage", "Timekeeping", "Transport", "Wording",
            ],
            swiftSettings: rules),
        .target(
            name: "Notifications",
            dependencies: [
                "Agenda", "Interchange", "Ledger", "Planning", "Sinks", "Storage", "Timekeeping",
                "TimerWheel", "Wording", logging, metrics,
            ],
            swiftSettings: rules),
        .target(
            name: "Web",
            dependencies: [
                "Agenda", "CZlib", "Calendars", "Ledger", "Operations", "Places", "Planning",
                "Secrets", "Settings", "Storage", "StreamSafe", "Timekeeping", "Wording", lifecycle,
                logging,
                metrics,
                nioCore, nioHTTP, nioPosix,
            ],
            swiftSettings: rules),
        .target(
            name: "Jobs",
            dependencies: [
                "Agenda", "Calendars", "Ledger", "Operations", "Planning", "Settings", "Storage",
                "StreamSafe", "Timekeeping", "Wording", logging, subprocess, systemPackage,
            ],
            swiftSettings: rules),
        .target(
            name: "Daemon",
            dependencies: [
                "Agenda", "Inbox", "Jobs", "Ledger", "Notifications", "Operations", "Places",
                "Planning", "Settings", "Sinks", "Storage", "Timekeeping", "Transport", "Web",
                "Wording", lifecycle, logging, signals,
            ],
            swiftSettings: rules),
        .target(
            name: "Programs",
            dependencies: [
                "Agenda", "CClock", "Planning", "StreamSafe", "Timekeeping", "Transport", "Wording",
                argumentParser,
            ],
            swiftSettings: rules),
        .executableTarget(
            name: "letsmeet-pictures", dependencies: ["CSandbox", "CVips", "Pictures"],
            swiftSettings: rules, linkerSettings: runtime),
        .target(name: "TextUI", dependencies: ["Wording"], swiftSettings: rules),
        .executableTarget(
            name: "letsmeet",
            dependencies: [
                "Agenda", "Calendars", "Inbox", "Jobs", "Ledger", "Operations", "Planning",
                "Programs", "Settings", "Storage", "TextUI", "Timekeeping", "Wording",
                argumentParser,
            ],
            swiftSettings: rules, linkerSettings: runtime),
        .executableTarget(
            name: "letsmeetd",
            dependencies: [
                "Agenda", "Calendars", "Daemon", "Jobs", "Operations", "Planning", "Programs",
                "Settings", "Timekeeping", "Wording", argumentParser, logging,
            ],
            exclude: ["System"], swiftSettings: rules, linkerSettings: runtime),
        .executableTarget(
            name: "letsmeet-bench",
            dependencies: [
                "Agenda", "Calendars", "Interchange", "Ledger", "Notifications", "Operations",
                "Places", "Planning", "Programs", "Settings", "Sinks", "Storage", "Timekeeping",
                "TimerWheel", "Transport", "Web", "Wording", argumentParser, logging,
            ],
            swiftSettings: rules, linkerSettings: runtime),
        .target(
            name: "TestKit",
            dependencies: [
                "Agenda", "Ledger", "Notifications", "Planning", "Settings", "Sinks", "Storage",
                "Timekeeping", "Wording", logging,
            ],
            path: "Tests/TestKit", swiftSettings: testing),
        .testTarget(
            name: "AgendaTests", dependencies: ["Agenda", "Ledger", "TestKit", "Timekeeping"],
            swiftSettings: testing),
        .testTarget(
            name: "CalendarsTests",
            dependencies: [
                "Agenda", "Calendars", "Interchange", "Planning", "Settings", "Storage", "TestKit",
                "Timekeeping",
            ],
            swiftSettings: testing),
        .testTarget(
            name: "ConsoleTests",
            dependencies: [
                "Agenda", "Calendars", "Ledger", "Operations", "Planning", "Settings", "TestKit",
                "TextUI", "Timekeeping", "letsmeet", argumentParser,
            ],
            swiftSettings: testing),
        .testTarget(
            name: "DaemonTests",
            dependencies: [
                "Agenda", "Daemon", "Ledger", "Notifications", "Planning", "Settings", "Sinks",
                "Storage", "TestKit", "Timekeeping", "Web", logging,
            ],
            swiftSettings: testing),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["TestKit", "Timekeeping", "letsmeet", "letsmeetd"],
            swiftSettings: testing),
        .testTarget(
            name: "InboxTests",
            dependencies: [
                "Agenda", "Inbox", "Interchange", "Ledger", "Notifications", "Planning", "Settings",
                "Sinks", "Storage", "TestKit", "Timekeeping",
            ],
            swiftSettings: testing),
        .testTarget(
            name: "InterchangeTests", dependencies: ["Interchange", "TestKit", "Timekeeping"],
            swiftSettings: testing),
        .testTarget(
            name: "JobsTests",
            dependencies: [
                "Agenda", "Jobs", "Ledger", "Notifications", "Operations", "Planning", "Settings",
                "Sinks", "Storage", "TestKit", "Timekeeping",
            ],
            swiftSettings: testing),
        .testTarget(
            name: "LedgerTests", dependencies: ["Ledger", "TestKit", "Timekeeping"],
            swiftSettings: testing),
        .testTarget(
            name: "NotificationsTests",
            dependencies: [
                "Agenda", "Interchange", "Ledger", "Notifications", "Planning", "Settings", "Sinks",
                "Storage", "TestKit", "Timekeeping", grdb,
            ],
            swiftSettings: testing),
        .testTarget(
            name: "OperationsTests",
            dependencies: [
                "Agenda", "Operations", "Planning", "Settings", "Storage", "TestKit", "Timekeeping",
                grdb,
            ],
            swiftSettings: testing),
        .testTarget(
            name: "PlanningTests",
            dependencies: [
                "Agenda", "Inbox", "Interchange", "Ledger", "Notifications", "Operations",
                "Pictures", "Planning", "Secrets", "Settings", "Sinks", "Storage", "TestKit",
                "Timekeeping",
                "Wording",
            ],
            swiftSettings: testing),
        .testTarget(
            name: "PicturesTests", dependencies: ["Pictures", "TestKit", "letsmeet-pictures"],
            swiftSettings: testing),
        .testTarget(
            name: "PlacesTests",
            dependencies: ["Agenda", "Places", "TestKit", "Timekeeping", "Transport"],
            swiftSettings: testing),
        .testTarget(
            name: "ProgramsTests",
            dependencies: ["Agenda", "Planning", "Programs", "Timekeeping", argumentParser],
            swiftSettings: testing),
        .testTarget(
            name: "PropertyTests",
            dependencies: [
                "Agenda", "Calendars", "Ledger", "Notifications", "Planning", "Settings", "Sinks",
                "Storage", "TestKit", "Timekeeping",
            ], swiftSettings: testing),
        .testTarget(
            name: "SettingsTests", dependencies: ["Settings", "TestKit"], swiftSettings: testing),
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "Agenda", "Ledger", "Notifications", "Planning", "Settings", "Sinks", "Storage",
                "TestKit", "Timekeeping", grdb, logging, sqlite,
            ],
            swiftSettings: testing),
        .testTarget(
            name: "SecretsTests", dependencies: ["Secrets"], swiftSettings: testing),
        .testTarget(
            name: "SinksTests",
            dependencies: [
                "Agenda", "Interchange", "Ledger", "Secrets", "Settings", "Sinks", "TestKit",
                "Timekeeping", "Transport",
            ],
            swiftSettings: testing),
        .testTarget(
            name: "StorageTests",
            dependencies: [
                "Agenda", "Interchange", "Ledger", "Planning", "Settings", "Storage", "TestKit",
                "Timekeeping", grdb,
            ],
            swiftSettings: testing),
        .testTarget(
            name: "StreamSafeTests", dependencies: ["StreamSafe"], swiftSettings: testing),
        .testTarget(
            name: "TextUITests", dependencies: ["TestKit", "TextUI"], swiftSettings: testing),
        .testTarget(name: "TidyTests", dependencies: ["TestKit"], swiftSettings: testing),
        .testTarget(
            name: "TimekeepingTests", dependencies: ["TestKit", "Timekeeping"],
            swiftSettings: testing),
        .testTarget(
            name: "TimerWheelTests", dependencies: ["TestKit", "TimerWheel", "letsmeet-bench"],
            swiftSettings: testing),
        .testTarget(
            name: "TransportTests", dependencies: ["TestKit", "Timekeeping", "Transport"],
            swiftSettings: testing),
        .testTarget(
            name: "WebTests",
            dependencies: [
                "Agenda", "CZlib", "Calendars", "Operations", "Places", "Planning", "Secrets",
                "Settings",
                "Storage", "TestKit", "Timekeeping", "Web", "Wording", lifecycle, logging,
                metrics, nioCore, nioHTTP,
            ],
            swiftSettings: testing),
        .testTarget(
            name: "WordingTests",
            dependencies: ["Agenda", "Ledger", "TestKit", "Timekeeping", "Wording"],
            swiftSettings: testing),
    ]
)
