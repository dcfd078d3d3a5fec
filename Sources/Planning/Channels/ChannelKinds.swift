import Agenda
import Sinks

/// The kinds of sink by which people and groups may have channels of their own.
public enum ChannelKinds {
    /// Each kind with what a channel of it needs, one a line, for who adds one.
    public static var help: [String] {
        SinkTable.kinds.compactMap { kind in
            kind.form.map { "\(kind.channel.name): \($0.words)" }
        }
    }

    /// Whether nothing goes by a channel of this kind without a secret.
    public static func needSecret(_ kind: String) -> Bool {
        SinkTable.kinds.contains { $0.channel.name == kind && $0.form?.secret == .must }
    }
}
