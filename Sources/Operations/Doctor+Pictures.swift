import Agenda
import Foundation
import Pictures
import Planning
import Timekeeping

extension Doctor {
    /// Checks that pictures can be read: one picture goes through letsmeet-pictures. Without
    /// libexif, libvips reads pictures but does not turn them, so the picture lies on its side.
    func picturesCheck() async -> HealthCheck {
        let clock = machine.clock
        let reader = PictureReader(program: PictureReader.path(beside: program)) {
            try await clock.sleep(until: clock.now.advanced(bySeconds: Self.secondsMax))
        }
        guard let turned = Data(base64Encoded: Self.turned.replacing("\n", with: "")),
            let upright = Data(base64Encoded: Self.upright.replacing("\n", with: ""))
        else { return Self.check(.malformed) }
        do throws(PictureRefusal) {
            let answer = try await reader.read(Array(turned), sizes: [Self.side])
            let wanted = try await reader.renditions(of: Array(upright), sizes: [Self.side])
            return Self.check(isUpright: try answer.result.get() == wanted, answer.sandbox)
        } catch {
            return Self.check(error)
        }
    }

    private static func check(isUpright: Bool, _ sandbox: SandboxParts) -> HealthCheck {
        guard isUpright else {
            return HealthCheck(
                "pictures", .warning, "pictures are read, but are not turned upright",
                advice: [.say("Install libvips with libexif, as Debian's libvips42 is.")])
        }
        guard sandbox.isSuperset(of: .all) else {
            return HealthCheck(
                "pictures", .ok,
                "pictures are read; the kernel allows only a part of the sandbox", advice: [])
        }
        return HealthCheck("pictures", "pictures are read, in a sandbox")
    }

    private static func check(_ refusal: PictureRefusal) -> HealthCheck {
        guard refusal == .noHelper else {
            return HealthCheck(
                "pictures", .warning, "a test picture could not be read: \(refusal.sentence)",
                advice: [.say("Install libvips42 again. Until then, pictures are refused.")])
        }
        return HealthCheck(
            "pictures", "pictures are not taken: letsmeet-pictures or libvips42 is not installed")
    }

    /// The seconds for the test picture.
    private static let secondsMax: Int64 = 40
    /// The side of the test, in pixels. At this size, no colours of the two halves mix.
    private static let side = 16

    /// A JPEG of 32 x 32 pixels with the orientation 6: upright, its upper half is red.
    private static let turned = """
        /9j/4QAiRXhpZgAATU0AKgAAAAgAAQESAAMAAAABAAYAAAAAAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUE
        BAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDAsKDAkKCgr/2wBDAQICAgICAgUDAwUKBwYHCgoKCgoK
        CgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgr/wAARCAAgACADAREAAhEBAxEB/8QA
        FQABAQAAAAAAAAAAAAAAAAAAAAj/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFgEBAQEAAAAAAAAAAAAAAAAAAAkI
        /8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8Altn9XwBOa/iI4CjEA1uAE5r+IjgKMQDW4ATmv4iO
        AoxANbgBOa/iI4D/2Q==
        """
    /// The same picture, upright.
    private static let upright = """
        /9j/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDAsK
        DAkKCgr/2wBDAQICAgICAgUDAwUKBwYHCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoK
        CgoKCgoKCgr/wAARCAAgACADAREAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAj/xAAUEAEAAAAAAAAAAAAA
        AAAAAAAA/8QAFgEBAQEAAAAAAAAAAAAAAAAAAAkI/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8A
        ltn9XwAAAAAABOa/iI4AAAAAAD//2Q==
        """
}
