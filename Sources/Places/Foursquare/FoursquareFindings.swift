import Transport

/// The places of a search, gathered page by page.
struct FoursquareFindings {
    private let limit: Int
    private var places: [Place] = []
    private var ids: Set<String> = []
    private var addresses: Set<HTTPURL> = []
    private var namelessCount = 0
    private var warnings: [String] = []
    /// Whether there is more that will not be read.
    var isTruncated = false

    init(limit: Int) {
        self.limit = limit
    }

    /// Whether no further place is wanted.
    var isFull: Bool { places.count >= limit }

    /// Takes the places of a page; those that came before, on another page, count once.
    mutating func add(_ page: FoursquarePage) {
        for place in page.places where ids.insert(place.id).inserted {
            places.append(place)
        }
        namelessCount += page.namelessCount
    }

    /// The address of the next page; nil on the last one, and when the next was read before. What
    /// is no address is one elsewhere: there is more, and it is not read.
    mutating func next(in headers: HTTPHeaders, after url: HTTPURL) -> HTTPURL? {
        addresses.insert(url)
        guard let reference = FoursquareLink.next(in: headers) else { return nil }
        guard let next = try? url.resolving(reference) else {
            isTruncated = true
            return nil
        }
        return addresses.contains(next) ? nil : next
    }

    /// Ends the search early; what was found so far is the answer.
    mutating func stop(because error: PlaceError) {
        isTruncated = true
        warnings.append("Not all places came. \(error.message)")
    }

    /// The places nearest first, at most as many as were wanted.
    var answer: PlaceAnswer {
        var warnings = warnings
        if namelessCount > 0 {
            warnings.append(
                "\(namelessCount) \(namelessCount == 1 ? "place" : "places") without an id or a "
                    + "name left out.")
        }
        return PlaceAnswer(
            places: Array(places.sortedByDistance.prefix(limit)),
            attribution: FoursquareSource.attribution, warnings: warnings,
            truncated: isTruncated || places.count > limit)
    }
}
