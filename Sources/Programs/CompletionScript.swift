import ArgumentParser

/// The completion script for bash. The one of the argument parser lets bash evaluate the offered
/// words, so that a name with a command in it would run this command; and it splits names at
/// blanks.
public enum CompletionScript {
    /// The variable with which the script asks for whole names.
    public static let variable = "LETSMEET_OFFERS"

    private static let option = "--generate-completion-script"

    /// The script that a call asks for.
    ///
    /// - Parameters:
    ///   - arguments: the arguments of the call.
    ///   - program: the program whose commands are completed.
    /// - Returns: the script; `nil` if the call asks for none, or for another shell.
    static func asked(_ arguments: [String], of program: any Program.Type) -> String? {
        guard arguments == [option, "bash"] || arguments == ["\(option)=bash"] else { return nil }
        let script = program.completionScript(for: .bash)
        return offeringNames(script, of: program.configuration.commandName ?? "")
    }

    /// A script that adds the offered names as they are, and shows no errors.
    ///
    /// - Parameters:
    ///   - script: the script of the argument parser.
    ///   - name: the name of the program.
    /// - Returns: the script; unchanged if the parser writes another one.
    static func offeringNames(_ script: String, of name: String) -> String {
        let ask = "__\(name)_custom_complete"
        let call = "    \"${COMP_WORDS[0]}\" \"${@}\" \"${words[@]}\"\n"
        guard script.contains(call), script.contains("\n\(ask)() {\n") else { return script }
        return
            script
            .replacing(
                "__\(name)_add_completions -W \"$(\(ask) ", with: "__\(name)_add_names \"$(\(ask) "
            )
            .replacing(
                call, with: "    \(variable)=names \(call.dropFirst(4).dropLast()) 2>/dev/null\n"
            )
            .replacing("\n\(ask)() {\n", with: "\n\(adding(name))\n\(ask)() {\n")
    }

    private static func adding(_ name: String) -> String {
        """
        # Adds names, one per line, without evaluating them. Bash quotes them.
        __\(name)_add_names() {
            local name
            while IFS='' read -r name; do
                [[ -z "${name}" ]] || COMPREPLY+=("${name}")
            done <<<"${1}"
        }

        """
    }
}
