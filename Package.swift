// swift-tools-version: 6.2

import PackageDescription

/// One set of compiler settings for the whole package.
let swiftSettings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// A library target and what it may import; the README's architecture section states the reasons.
func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

/// The tests of one library target. Fixtures lie beside the suites and are read in place.
func tests(of name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
  .testTarget(
    name: "\(name)Tests",
    dependencies: [.byName(name: name)] + dependencies,
    exclude: exclude,
    swiftSettings: swiftSettings)
}

let package = Package(
  name: "callsim",
  products: [
    .executable(name: "callsim", targets: ["callsim"]),
    .library(name: "CallEngine", targets: ["CallEngine"]),
  ],
  targets: [
    // libosip2 parses every SIP message; SIP is its only importer.
    .systemLibrary(
      name: "COsip",
      pkgConfig: "libosip2",
      providers: [.apt(["libosip2-dev"]), .brew(["libosip"])]),

    library("Instant"),
    library("TerminalText"),
    library("SimulationKernel", ["Instant"]),
    library("Timeline", ["Instant"]),
    library("CallEngine", ["Instant"]),
    library("SIP", ["COsip", "Instant"]),
    library("VirtualWorld", ["Instant", "SimulationKernel", "Timeline", "CallEngine", "SIP"]),
    library("Scenario", ["Instant", "TerminalText"]),
    library("Replay", ["Instant", "Timeline", "CallEngine", "SIP", "VirtualWorld", "Scenario"]),
    library("Rendering", ["Instant", "Timeline", "TerminalText"]),
    library("CallSimCLI", ["Instant", "TerminalText", "Timeline", "SIP", "Scenario", "Replay", "Rendering"]),
    .executableTarget(name: "callsim", dependencies: ["CallSimCLI"], swiftSettings: swiftSettings),
    .executableTarget(
      name: "callsim-benchmark",
      dependencies: ["COsip", "Instant", "Timeline", "CallEngine", "SIP", "VirtualWorld", "Scenario", "Replay"],
      path: "Benchmarks",
      swiftSettings: swiftSettings),
    // Our transactions beside libosip2's; nothing that ships depends on it.
    .target(
      name: "TransactionOracle", dependencies: ["COsip", "SIP"], path: "Oracle/TransactionOracle",
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "callsim-oracle", dependencies: ["SIP", "TransactionOracle"], path: "Oracle/callsim-oracle",
      swiftSettings: swiftSettings),

    tests(of: "Instant"),
    tests(of: "SimulationKernel"),
    tests(of: "Timeline"),
    tests(of: "CallEngine"),
    tests(of: "SIP", exclude: ["Fixtures"]),
    tests(of: "TransactionOracle"),
    // The call flows of the RFCs, played by the user agent; the messages beside the suite are read in place.
    .testTarget(
      name: "CallFlowTests", dependencies: ["Instant", "SIP"], exclude: ["Fixtures"], swiftSettings: swiftSettings),
    tests(of: "VirtualWorld"),
    tests(of: "Scenario", ["TerminalText"], exclude: ["Fixtures"]),
    tests(of: "Replay"),
    tests(of: "Rendering", ["TerminalText"]),
    tests(of: "CallSimCLI", ["callsim"]),
    // The scenarios that ship: they hold, they print their goldens, and every check in them can fail.
    .testTarget(
      name: "ShippedScenarioTests",
      dependencies: [
        "Instant", "Timeline", "CallEngine", "VirtualWorld", "Scenario", "Replay", "Rendering", "CallSimCLI",
      ],
      swiftSettings: swiftSettings),
  ],
  swiftLanguageModes: [.v6]
)
