import Agenda
import Testing
import Wording

@Suite struct PlaceLinksTests {
    @Test func `The name of a place is percent-encoded in the search link`() {
        let place = MeetingPlace(text: "Café & Bar 7-8, ~ä_b.c?#%")
        #expect(
            PlaceLinks.map(of: place)
                == "https://www.openstreetmap.org/search?query="
                + "Caf%C3%A9%20%26%20Bar%207-8%2C%20~%C3%A4_b.c%3F%23%25")
    }
}
