/// The version of letsmeet.
public enum Version {
    /// After Semantic Versioning 2.0.0.
    public static let current = "0.1.0"
}
