import Agenda
import Sinks

/// The kinds of sink by which people and groups may have channels of their own.
public enum ChannelKinds {
    /// Each kind with what a channel of it needs, one a line, for who adds one.
    public static var help: [String] {
        SinkTable.definitions.compactMap { definition in
            definition.form.map { "\(definition.kind.name): \($0.words)" }
        }
    }

    /// Whether nothing goes by a channel of this kind without a secret.
    public static func needSecret(_ kind: String) -> Bool {
        SinkTable.definitions.contains { $0.kind.name == kind && $0.form?.secret == .must }
    }
}
