import Timekeeping

extension CalendarObject {
    /// The object with its times in another zone.
    ///
    /// - Parameters:
    ///   - zone: the name of a zone of the tz database.
    ///   - former: the name of the zone that the object describes.
    /// - Returns: the object; the clock times are the same.
    public func inZone(named zone: String, insteadOf former: String) -> CalendarObject {
        var object = self
        object.components = components.map { $0.inZone(named: zone, insteadOf: former) }
        return object
    }
}

extension CalendarObject {
    /// The object with the times that name no zone in this one.
    func inZone(named zone: String) -> CalendarObject {
        var object = self
        object.components = components.map { $0.inZone(named: zone) }
        return object
    }
}

extension CalendarComponent {
    /// The component with its times in another zone, if they are in this one.
    func inZone(named zone: String, insteadOf former: String) -> CalendarComponent {
        var component = self
        component.items = items.map { item in
            guard case .line(let line) = item else { return item }
            return .line(line.inZone(named: zone, insteadOf: former))
        }
        return component
    }
}

extension CalendarZones {
    /// A zone of the tz database for an event whose zone is described with single clock changes
    /// alone, the last of them before the event or one of its later dates.
    ///
    /// - Parameters:
    ///   - start: the start of the event.
    ///   - repeats: true if the event repeats.
    ///   - own: the zone to try first.
    ///   - directory: the zone rules of the system.
    /// - Returns: the best-known zone with the same clock changes as far as they are described;
    ///   `nil` if there is none, or if the description says enough.
    func zoneBeyondDescription(
        of start: StatedTime, repeats: Bool, besides own: Zone, by directory: ZoneDirectory
    ) -> Zone? {
        guard let zone = start.zone, let moment = start.moment,
            usesDescription(of: zone.id, by: directory)
        else { return nil }
        let found = equivalentSoFar(of: zone, until: moment, besides: own, by: directory)
        guard repeats, found == nil else { return found?.zone }
        return equivalentWhileDescribed(of: zone, from: moment, besides: own, by: directory)?.zone
    }
}
