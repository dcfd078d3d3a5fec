import GRDB

/// The schema, as numbered steps. A released step is never edited.
enum Migrations {
    /// The number of steps: the `user_version` of a database that has applied all of them.
    static var count: Int { steps.count }

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for (place, step) in steps.enumerated() {
            migrator.registerMigration(step.name) { db in
                try db.execute(sql: "PRAGMA user_version = \(place + 1)")
                for sql in step.parts { try db.execute(sql: sql) }
                try step.after(db)
            }
        }
        return migrator
    }

    private struct Step: Sendable {
        let name: String
        let parts: [String]
        /// The part of the step that SQL cannot express.
        let after: @Sendable (Database) throws -> Void

        init(
            _ name: String, _ parts: String...,
            after: @escaping @Sendable (Database) throws -> Void = { _ in }
        ) {
            self.name = name
            self.parts = parts
            self.after = after
        }
    }

    /// The steps. A database records by name which of them it has applied.
    private static let steps = [
        Step(
            "001 people, meetings, ledger", "PRAGMA application_id = \(Store.applicationID)",
            people001, meetings001, ledger001, places001),
        Step("002 what persons were known as", knownAs002),
        Step("003 attempts under way", attempts003),
        Step("004 sending policies", policies004),
        Step("005 clock and zone rules", clock005),
        Step("006 open breakers", breakers006),
        Step("007 when a delivery was planned", planned007) { try CheckLists.unroll(in: $0) },
        Step("008 attempts that another may follow", unsettled008),
        Step("009 crontab", crontab009),
        Step("010 deliveries about no meeting", digests010) { try allowLetters010(in: $0) },
        Step("011 private links", links011) { try allowLinks011(in: $0) },
        Step("012 channels", channels012),
        Step("013 answers by mail", mailedAnswers013),
        Step("014 folders of mail", mailFolders014),
        Step("015 languages", languages015),
        Step("016 proposals", proposals016) { try allowProposals016(in: $0) },
        Step("017 channels of meetings", meetingChannels017),
        Step("018 sinks of plans", sinks018),
        Step("019 unsigned proposals", unsignedProposals019),
        Step("020 series", series020),
        Step("021 series sequence", seriesSequence021),
        Step("022 calendar objects", calendarObjects022),
        Step("023 feeds", feeds023),
        Step("024 busy times", busyTimes024),
        Step("025 event natures", eventNatures025),
        Step("026 last ends", lastEnds026),
        Step("027 keyed digests", keyedDigests027),
        Step("028 fewer marks of feeds", fewerMarks028),
        Step("029 indexes", indexes029),
        Step("030 accounts", accounts030) { try allowSignIn030(in: $0) },
        Step("031 verified addresses", verifiedAddresses031),
        Step("032 maps", maps032),
        Step("033 reminder changes", reminderChanges033),
        Step("034 mailboxes") { try refoldMailboxes034(in: $0) },
        Step("035 replies of one time", repliesOfOneTime035),
        Step("036 answers after moves", answersAfterMoves036),
        Step("037 ignored mails", ignoredMails037),
        Step("038 remarks on busy calendars", busyRemarks038),
        Step("039 taken mails", takenMails039),
        Step("040 imported cards", importedCards040),
        Step("041 shown links", shownLinks041),
        Step("042 uncancelled") { try allowUncancelled042(in: $0) },
        Step("043 copied answers", copiedAnswers043),
        Step("044 whole days", wholeDays044),
        Step("045 answer deadlines", answerDeadlines045),
        Step("046 default hours", defaultHours046),
        Step("047 birthdays", birthdays047),
        Step("048 merges", merges048),
        Step("049 share links", shareLinks049),
        Step("050 circle leavers", circleLeavers050),
        Step("051 typed names", typedNames051),
        Step("052 kept answers", keptAnswers052),
        Step("053 facts digests", factsDigests053),
        Step("054 guests by circle", guestsByCircle054),
        Step("055 parts of series", seriesParts055),
        Step("056 returned mails", returnedMails056),
        Step("057 names of cards", namesOfCards057) { try nameCards057(in: $0) },
        Step("058 circle sources", circleSources058),
        Step("059 known addresses", knownAddresses059),
        Step("060 typed guests", typedGuests060),
        Step("061 browser epochs", browserEpochs061),
        Step("062 mail reports", mailReports062),
        Step("063 pictures", pictures063),
        Step("064 address requests", addressRequests064),
        Step("065 channel states", channelStates065),
        Step("066 tasks", tasks066),
        Step("067 import records", importRecords067),
        Step("068 marks of accounts", accountMarks068),
        Step("069 sources of pictures", pictureSources069),
        Step("070 follows", follows070),
        Step("071 open meetings", openMeetings071),
        Step("072 notices about seats", joinedPeople072) { try allowSeatNotices072(in: $0) },
        Step("073 news of follows", followNews073) { try allowFollow073(in: $0) },
        Step("074 pecks", pecks074),
        Step("075 news of open meetings", openNews075),
    ]
}
