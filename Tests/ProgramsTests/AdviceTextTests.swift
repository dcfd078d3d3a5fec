import Agenda
import Testing

@testable import Programs

struct AdviceTextTests {
    @Test(
        arguments: [
            (
                .deliveries(.chooseDigest(.weekly)),
                "To get one: letsmeet remind policy set --digest weekly"
            ),
            (
                .places(.fetch(city: nil)),
                "To fetch the places of a city: letsmeet place fetch CITY"
            ),
            (
                .places(.fetch(city: "Espoo, Finland")),
                "To fetch its places: letsmeet place fetch \"Espoo, Finland\""
            ),
            (
                .installation(.replaceBackup),
                "If it is an old backup, add --force to replace it."
            ),
            (
                .meetings(.cancelDate),
                "To cancel one date: letsmeet meeting cancel MEETING --on DATE"
            ),
            (
                .meetings(.endSeries("k3v7")),
                "To end the series: letsmeet meeting cancel k3v7 --from DATE"
            ),
            (.meetings(.plan), "To plan a meeting: letsmeet meeting new"),
            (
                .meetings(.requests("k3v7")),
                "To see who asks to join: letsmeet meeting requests k3v7"
            ),
            (
                .people(.showCircle("My club")),
                "To see who is in it: letsmeet circle show \"My club\""
            ),
            (
                .people(.setAddress(of: "Nora Nyberg")),
                "To set the mail address: letsmeet people edit \"Nora Nyberg\" --email ADDRESS"
            ),
            (
                .people(.setAddress(of: nil)),
                "To set the mail address: letsmeet people edit WHO --email ADDRESS"
            ),
            (
                .people(.merge("k3v7", "p2q9")),
                "If they are the same person: letsmeet people merge k3v7 p2q9"
            ),
            (.give([.city, .position]), "Give --city or --near."),
            (.give([.duration]), "Give --duration."),
        ] as [(Advice, String)])
    func `An advice is a command or an option`(advice: Advice, words: String) {
        #expect(AdviceText.sentence(advice) == words)
    }
}
