/// The months' English names, which people type and sentences show.
enum Month {
    private static let names = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]

    /// The name of a month in 1...12, and the number itself for any other.
    static func name(_ month: Int) -> String {
        names.indices.contains(month - 1) ? names[month - 1] : "month \(month)"
    }
}
