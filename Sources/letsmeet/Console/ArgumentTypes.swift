public import ArgumentParser
public import Ledger
public import Planning

/// One of a few words that somebody types as an argument, in any case.
public protocol TypedWord: ExpressibleByArgument, CaseIterable, RawRepresentable<String> {}

extension TypedWord {
    /// The word that is spelled so, but for case; the words themselves are in small letters.
    public init?(argument: String) {
        self.init(rawValue: argument.lowercased())
    }
}

/// Types of the modules below that may be typed as arguments.
extension DeliveryState: TypedWord {}
extension NotificationKind: TypedWord {}
extension ExportFormat: TypedWord {}
