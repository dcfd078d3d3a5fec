import Interchange

/// The fields in which two cards differ, each with both values, to make failures readable. The line
/// number of the card is ignored.
func differences(_ read: ContactCard, _ written: ContactCard) -> [String] {
    zip(Mirror(reflecting: read).children, Mirror(reflecting: written).children)
        .compactMap { readField, writtenField in
            let (before, after) = ("\(writtenField.value)", "\(readField.value)")
            guard let name = readField.label, name != "line", before != after else { return nil }
            return "\(name): \(before) became \(after)"
        }
}
