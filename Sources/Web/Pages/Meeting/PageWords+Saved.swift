extension PageWords {
    /// The sentence about what was just saved; `nil` for an unknown code.
    func saved(_ code: String) -> String? {
        switch code {
        case "answer": self("Thank you, your answer is saved.")
        case "new": self("The meeting is planned.")
        case "edit": self("The change is saved.")
        case "cancel": self("The meeting is cancelled.")
        case "uncancel": self("The meeting takes place after all.")
        case "invite": self("The invitations are on their way.")
        case "uninvite": self("The guest is removed.")
        case "nudge": self("They are asked again.")
        case "message": self("The message is on its way.")
        case "me", "theme", "person", "place": self("Saved.")
        case "place-removed": self("The place is removed.")
        case "odd-address": self("Saved. Check the mail address: its domain has no dot.")
        case "sessions": self("Signed out there.")
        case "passkey": self("The passkey is added. From now on, you can sign in with it.")
        case "welcome": self("All set. Plan your first meeting.")
        case "samples": self("The sample people are in your address book.")
        case "mail": self("Saved. Send a test, to be sure that it works.")
        case "feed": self("The feed is made. Subscribe to it in your calendar program.")
        case "feeds-full": self("You have 20 feeds. Revoke one first.")
        case "revoked": self("The feed is revoked. Its address no longer works.")
        case "address-asked":
            self("A mail to this address is on its way. Open the link in it within an hour.")
        case "address-added": self("The address is confirmed. You can sign in with it.")
        case "address-removed": self("The address is removed.")
        case "nofile": self("Choose a file first.")
        case "merged": self("The two are merged.")
        case "unmerged": self("The merge is taken back.")
        case "removed": self("The contact is removed.")
        case "erased": self("The person is erased.")
        case "circle": self("The circle is made. Add people to it.")
        case "members": self("Added to the circle.")
        case "members-invited": self("Added to the circle, and invited to its meetings.")
        case "member-removed": self("Removed from the circle.")
        case "circle-deleted": self("The circle is deleted.")
        default: savedOutside(code)
        }
    }
}
