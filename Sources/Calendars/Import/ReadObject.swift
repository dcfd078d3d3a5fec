import Agenda
import Interchange
import Planning
import Secrets
import Storage
import Timekeeping

/// An object from a calendar file, with its name.
struct ReadObject: Sendable {
    let object: CalendarObject
    let file: String
    let name: CalendarObjectName

    /// The number of bytes of a hash in a generated UID.
    private static let markBytes = 16

    /// The objects in a calendar. An object without a UID gets one that is derived from its
    /// content, so that the next import recognizes it.
    ///
    /// - Parameters:
    ///   - calendar: the calendar.
    ///   - file: the file that contains it.
    ///   - isOff: true if the calendar cancels all its objects.
    ///   - directory: the zone rules of the system.
    ///   - left: the number of dates that may still be compared to split series.
    /// - Returns: the objects with their names.
    static func all(
        in calendar: CalendarComponent, file: String, isOff: Bool, by directory: ZoneDirectory,
        datesLeft left: inout Int
    ) -> [ReadObject] {
        let all = CalendarObject.all(in: calendar).flatMap {
            $0.parts(by: directory, datesLeft: &left)
        }
        return all.map { found in
            var object = isOff ? found.cancelled(by: found) : found
            if object.uid.isEmpty {
                let mark = SHA256.hash(Array(object.content.utf8)).prefix(Self.markBytes)
                object = object.named("\(Hexadecimal.text(mark))@letsmeet")
            }
            return ReadObject(
                object: object.unmarked.marked(isOff: isOff), file: file,
                name: CalendarObjectName(kind: object.kind, uid: object.uid))
        }
    }
}

extension CalendarObject {
    /// The reason why changed dates cannot be applied to a series that was imported before; `nil`
    /// if there is none.
    func obstacle(
        besides known: CalendarObject, by directory: ZoneDirectory
    ) -> String? {
        guard known.isWhole, !isWhole else { return nil }
        if isOfFollowing {
            return "changes all later dates, which is only read together with the series"
        }
        return isUnclear(besides: known, by: directory)
            ? "changes a date of a series, but its zone is unknown, so nobody can tell which one"
            : nil
    }
}

extension ReadObject {
    /// A part of a report about the object.
    ///
    /// - Parameter reason: a phrase that follows its title.
    /// - Returns: the part.
    func remark(_ reason: String) -> ImportReport.Skipped {
        ImportReport.Skipped(
            file: file, line: object.number, reason: "\(object.title) \(reason)", name: object.title
        )
    }

    /// The remark on a new meeting that letsmeet exported: its guests and circles are not in the
    /// file. `nil` for other events, and if the file names guests.
    var guestRemark: ImportReport.Skipped? {
        guard name.uid.hasSuffix(Self.ownDomain),
            name.uid.utf8.count == Self.ownNameOctets + Self.ownDomain.utf8.count,
            object.components.allSatisfy({ $0.line("ATTENDEE") == nil })
        else { return nil }
        return remark(
            "comes without its guests and circles, which letsmeet does not export to calendar "
                + "files. Invite them again.")
    }

    /// The end of the UIDs of meetings that were made here, and the octets of an id before it.
    private static let ownDomain = "@letsmeet"
    private static let ownNameOctets = 16

    /// The object divided among its series and the parts that continue it.
    func divided(
        among continuations: [CalendarObject], in own: Zone, by directory: ZoneDirectory
    ) -> [ReadObject] {
        object.divided(among: continuations, in: own, by: directory).map { part in
            ReadObject(
                object: part, file: file, name: CalendarObjectName(kind: name.kind, uid: part.uid))
        }
    }

    /// A cancellation of the meeting with the given UID, which continued this object from one of
    /// its dates on.
    func ending(_ uid: String) -> ReadObject {
        ReadObject(
            object: object.cancelled(by: object).named(uid).marked(isOff: true), file: file,
            name: CalendarObjectName(kind: name.kind, uid: uid))
    }
}
