import Foundation
import Settings

/// The rules for new passwords (OWASP ASVS 5.0, 6.2): long enough, and none that everybody tries.
struct PasswordRules: Sendable {
    /// The fewest characters.
    static let charactersMin = 8
    /// The fewest different characters.
    private static let differentMin = 4
    /// The most characters.
    static let charactersMax = 200

    /// Common passwords, in lower case.
    private let common: Set<String>

    /// Reads the list of common passwords.
    ///
    /// - Throws: an error of the system if it cannot be read.
    init(_ shipped: ShippedFiles) throws {
        let text = try String(contentsOfFile: shipped.passwords, encoding: .utf8)
        common = Set(text.lowercased().split(separator: "\n").map(String.init))
    }

    /// - Throws: ``Refusal`` with `password_short`, `password_long` or `password_common`.
    func check(_ typed: String) throws(Refusal) {
        // As it is hashed: wide letters, for example, count as the usual ones.
        let password = typed.precomposedStringWithCompatibilityMapping
        guard password.count >= Self.charactersMin else {
            throw Refusal(
                .invalid, code: "password_short",
                "A password must have at least \(Self.charactersMin) characters; 15 are better.")
        }
        guard password.count <= Self.charactersMax else {
            throw Refusal(
                .invalid, code: "password_long",
                "A password may have at most \(Self.charactersMax) characters.")
        }
        let isVaried = Set(password).count >= Self.differentMin
        guard isVaried, !common.contains(password.lowercased()) else {
            throw Refusal(
                .invalid, code: "password_common",
                "Many people use this password, so others would try it first. Choose another one.")
        }
    }
}
