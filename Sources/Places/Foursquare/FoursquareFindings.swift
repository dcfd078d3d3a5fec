import Transport

/// Collects the places of a search page by page.
struct FoursquareFindings {
    private let limit: Int
    private var places: [Place] = []
    private var ids: Set<String> = []
    private var addresses: Set<HTTPURL> = []
    private var namelessCount = 0
    private var warnings: [String] = []
    /// True if there are more places that are not read.
    var isTruncated = false

    init(limit: Int) {
        self.limit = limit
    }

    /// True if there are enough places.
    var isFull: Bool { places.count >= limit }

    /// Adds the places of a page. A place that was on an earlier page counts once.
    mutating func add(_ page: FoursquarePage) {
        for place in page.places where ids.insert(place.id).inserted {
            places.append(place)
        }
        namelessCount += page.namelessCount
    }

    /// The URL of the next page; nil on the last page or if that page was read before. If the link
    /// is not a valid URL, the search ends and counts as truncated.
    mutating func next(in headers: HTTPHeaders, after url: HTTPURL) -> HTTPURL? {
        addresses.insert(url)
        guard let reference = FoursquareLink.next(in: headers) else { return nil }
        guard let next = try? url.resolving(reference) else {
            isTruncated = true
            return nil
        }
        return addresses.contains(next) ? nil : next
    }

    /// Ends the search early and keeps the places so far.
    mutating func stop(because error: PlaceError) {
        isTruncated = true
        warnings.append("Some places are missing. \(error.message)")
    }

    /// The places sorted by distance, at most as many as requested.
    var answer: PlaceAnswer {
        var warnings = warnings
        if namelessCount > 0 {
            warnings.append(
                "Left out \(namelessCount) \(namelessCount == 1 ? "place" : "places") without an "
                    + "id or a name.")
        }
        return PlaceAnswer(
            places: Array(places.sortedByDistance.prefix(limit)),
            attribution: FoursquareSource.attribution, warnings: warnings,
            truncated: isTruncated || places.count > limit)
    }
}
