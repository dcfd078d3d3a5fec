// swift-tools-version:6.2
import PackageDescription

/// Every target is held to the same rules: Swift 6 concurrency, no warning, no implicit `any`,
/// and imports that say what they make public.
let rules: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// What computes and does nothing else is optimized in debug builds, too: tests have it lay out
/// millions of times, and would take minutes longer.
let computing = rules + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// Tests are not optimized beside programs that are: that would add minutes to each build. Nor do
/// they say there what a debugger wants to know, who has a debug build for it.
let testing = rules + [.unsafeFlags(["-Onone", "-gnone"], .when(configuration: .release))]

/// With `LETSMEET_RUNTIME=static` the programs hold the Swift runtime themselves, and start where
/// no Swift is. `--static-swift-stdlib` would compile everything anew for it, and no tests: there
/// is no library of them to hold. The libraries named here are those that Foundation needs then.
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
let mustache = Target.Dependency.product(name: "Mustache", package: "swift-mustache")
let systemPackage = Target.Dependency.product(
    name: "SystemPackage", package: "swift-system")
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

/// The modules, from the lowest to the highest: an arrow may only point up this list, and
/// `Tests/TidyTests` holds every import line against the same table.
let package = Package(
    name: "letsmeet",
    products: [
        .executable(name: "letsmeet", targets: ["letsmeet"]),
        .executable(name: "letsmeetd", targets: ["letsmeetd"]),
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
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(
            url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
    ],
    targets: [
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CClock"),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "TimerWheel", swiftSettings: rules),
        .target(name: "Timekeeping", swiftSettings: computing),
        .target(name: "Secrets", dependencies: ["CCrypto"], swiftSettings: rules),
        .target(name: "Ledger", dependencies: ["Timekeeping"], swiftSettings: computing),
        .target(
            name: "Agenda", dependencies: ["Ledger", "Timekeeping"], swiftSettings: computing),
        .target(name: "Interchange", dependencies: ["Timekeeping"], swiftSettings: computing),
        .target(
            name: "Storage",
            dependencies: ["Agenda", "Interchange", "Ledger", "Timekeeping", grdb],
            swiftSettings: rules),
        .target(
            name: "Wording", dependencies: ["Agenda", "Ledger", "Timekeeping", mustache],
            swiftSettings: rules),
        .target(
            name: "Settings", dependencies: [yams], swiftSettings: rules),
        .target(
            name: "Transport", dependencies: ["CCurl", "Timekeeping"], swiftSettings: rules),
        .target(
            name: "Places",
            dependencies: ["Agenda", "Storage", "Timekeeping", "Transport"],
            exclude: ["Data"], swiftSettings: rules),
        .target(
            name: "Sinks",
            dependencies: [
                "Agenda", "Interchange", "Ledger", "Secrets", "Settings", "Timekeeping",
                "Transport", "Wording", yams,
            ],
            swiftSettings: rules),
        .target(
            name: "Planning",
            dependencies: [
                "Agenda", "Interchange", "Ledger", "Places", "Secrets", "Settings", "Sinks",
                "Storage", "Timekeeping", "Transport", "Wording",
            ],
            swiftSettings: rules),
        .target(
            name: "Notifications",
            dependencies: [
                "Agenda", "Interchange", "Ledger", "Planning", "Sinks", "Storage", "TimerWheel",
                "Timekeeping", "Wording", logging, metrics,
            ],
            swiftSettings: rules),
        .target(
            name: "Web",
            dependencies: [
                "CZlib", "Ledger", "Planning", "Settings", "Timekeeping", "Wording", lifecycle,
                logging, metrics, nioCore, nioHTTP, nioPosix,
            ],
            swiftSettings: rules),
        .target(
            name: "Jobs",
            dependencies: [
                "Agenda", "Ledger", "Planning", "Settings", "Storage", "Timekeeping", "Wording",
                logging,
                subprocess, systemPackage,
            ],
            swiftSettings: rules),
        .target(
            name: "Daemon",
            dependencies: [
                "Agenda", "Jobs", "Ledger", "Notifications", "Planning", "Settings", "Storage",
                "Timekeeping", "Transport", "Web", "Wording", lifecycle, logging, signals,
            ],
            swiftSettings: rules),
        .target(
            name: "Programs",
            dependencies: [
                "CClock", "Planning", "Timekeeping", "Transport", "Wording", argumentParser,
            ],
            swiftSettings: rules),
        .executableTarget(
            name: "letsmeet",
            dependencies: [
                "Agenda", "Jobs", "Ledger", "Planning", "Programs", "Settings", "Timekeeping",
                "Wording",
                argumentParser,
            ],
            swiftSettings: rules, linkerSettings: runtime),
        .executableTarget(
            name: "letsmeetd",
            dependencies: [
                "Daemon", "Jobs", "Planning", "Programs", "Settings", "Timekeeping", "Wording",
                argumentParser, logging,
            ],
            exclude: ["System"], swiftSettings: rules, linkerSettings: runtime),
        .executableTarget(
            name: "letsmeet-bench",
            dependencies: [
                "Agenda", "Interchange", "Ledger", "Notifications", "Planning", "Programs",
                "Settings", "Sinks", "Storage",
                "Timekeeping", "TimerWheel", "Transport", "Wording", argumentParser, logging,
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
            name: "ConsoleTests",
            dependencies: [
                "Ledger", "Planning", "Settings", "TestKit", "Timekeeping", "letsmeet",
                argumentParser,
            ],
            swiftSettings: testing),
        .testTarget(
            name: "DaemonTests",
            dependencies: [
                "Agenda", "Daemon", "Ledger", "Notifications", "Planning", "Settings", "Sinks",
                "Storage", "TestKit", "Timekeeping", "Web", logging, metrics,
            ],
            swiftSettings: testing),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["TestKit", "Timekeeping", "letsmeet", "letsmeetd"],
            swiftSettings: testing),
        .testTarget(
            name: "HomeTests",
            dependencies: [
                "Agenda", "Interchange", "Ledger", "Notifications", "Planning", "Settings",
                "Storage", "TestKit", "Timekeeping", "Wording", grdb, logging,
            ],
            swiftSettings: testing),
        .testTarget(
            name: "InterchangeTests", dependencies: ["Interchange", "TestKit", "Timekeeping"],
            swiftSettings: testing),
        .testTarget(
            name: "JobsTests",
            dependencies: [
                "Agenda", "Jobs", "Ledger", "Notifications", "Planning", "Settings", "Sinks",
                "Storage", "TestKit", "Timekeeping", logging,
            ],
            swiftSettings: testing),
        .testTarget(
            name: "LedgerTests", dependencies: ["Ledger", "TestKit", "Timekeeping"],
            swiftSettings: testing),
        .testTarget(
            name: "NotificationsTests",
            dependencies: [
                "Agenda", "Interchange", "Ledger", "Notifications", "Planning", "Sinks", "Storage",
                "TestKit", "Timekeeping", grdb, logging,
            ],
            swiftSettings: testing),
        .testTarget(
            name: "PlanningTests",
            dependencies: [
                "Agenda", "Interchange", "Ledger", "Notifications", "Planning", "Secrets",
                "Settings",
                "Sinks", "Storage", "TestKit", "Timekeeping", "Wording", logging,
            ],
            swiftSettings: testing),
        .testTarget(
            name: "PlacesTests",
            dependencies: ["Agenda", "Places", "TestKit", "Timekeeping", "Transport"],
            swiftSettings: testing),
        .testTarget(
            name: "ProgramsTests", dependencies: ["Planning", "Programs", "Timekeeping"],
            swiftSettings: testing),
        .testTarget(
            name: "SettingsTests", dependencies: ["Settings", "TestKit"], swiftSettings: testing),
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "Agenda", "Ledger", "Notifications", "Planning", "Settings", "Sinks", "Storage",
                "TestKit", "Timekeeping", grdb, sqlite, logging,
            ],
            swiftSettings: testing),
        .testTarget(
            name: "SecretsTests", dependencies: ["Secrets", "TestKit"], swiftSettings: testing),
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
                "Planning", "Settings", "Storage", "TestKit", "Timekeeping", "Web", "Wording",
                nioCore,
                nioHTTP,
                lifecycle, logging, metrics,
            ],
            swiftSettings: testing),
        .testTarget(
            name: "WordingTests",
            dependencies: ["Agenda", "Ledger", "TestKit", "Timekeeping", "Wording", mustache],
            swiftSettings: testing),
    ]
)
