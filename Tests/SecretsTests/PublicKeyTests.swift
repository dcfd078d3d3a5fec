import Secrets
import Testing

struct PublicKeyTests {
    /// Keys and signatures of the same message, made with Python's package cryptography: ECDSA on
    /// P-256, Ed25519, and RSA.
    private static let samples: [(key: String, signature: String)] = [
        (
            "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE-evkZBR8wQLZIyTQmdknwaUOQtV6CKEW_-wKKYGdjG"
                + "VwuvfRKIiQKmoMHWet0QMSPIWatpv46UMck4STDUt-7g",
            "MEQCIBwUnrzsdHVzzvEWz-pmTyTcII72jEj5P0hqMdaAorqbAiAQ7pZ_ekibcKzkBgT_nKDdzRfa-Y"
                + "gAHR6kmzF1xr0p1Q"
        ),
        (
            "MCowBQYDK2VwAyEAA6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg",
            "AeRZKMQp5zZCYV1hW1HSVtWBpmO4oaimYaeUfGcVOaFfWVqKPfwP9Cxi4A2cpV4gLoRiLlEabBjiG2"
                + "MyjnPUCg"
        ),
        (
            "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA2vpR9CRABxc1V6Eb56mHAtSN27m44N9BJy"
                + "p2hBoPDxqoj02eJeLnGdei_yIPnV2B9phZk0HqZQPTo-2D-2eylNlMehb4U__-6-4A-ICqEVbBt5mo"
                + "t5G1Kifb0srZZH65fi9RMIJTejfjqE9loFDXlt2hongHefd0gaBASpTpviEvQ8NdEB7t7YarE9YuwM"
                + "c7qwaXeEEDefaExrFTrm3Qn4Jv2M_0Y1kg5sjnT4Mh5V4vGIXWOnFp6hYWbhfxXzqotxhi_Zun2zwe"
                + "QGr6cGXvBqu8pk55dDrzdOHwi8Yb-riPhe_XMKFt__mDQOgQ7IzxW2tSXnbIqQznqMhaGYaD4QIDAQ"
                + "AB",
            "dldPuJam-YtpG5W32-1qf9JOazSyRDEbLPymS9DBR-pcYk6kDsPBXJIUVqJFw6_SVdZoMpZya_MMKC"
                + "xemzuI204HXQA0bJwWibmos8P5S_L6Zkd1rtmxTWIN-X_mB-dGkv_SmC4UN0L0ao-FKO7rG4m7Z4pq"
                + "1fvGnMwQeBfg5cje2dMhyUlbkwXy0pPBslisILB4XD_I90w5CcZmlOaZ8m_BAIGea8_6H5TCrit8DM"
                + "n71MFtrP-zicpE33FDHydws1h8nbj4fEd04rzyaQLIPppToDnY1g_14ehG3SKS5eF7B6Eq8nGCA48y"
                + "8V4gJiDk9V2Wy5AknP2Ar6dBcFck8Q"
        ),
    ]
    private static let head = "SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAABw"
    private static let body =
        "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiWTJoaGJHeGxibWRsIiwib3JpZ2luIjoiaHR0cDov"
        + "L2xvY2FsaG9zdDo4NDIwIiwiY3Jvc3NPcmlnaW4iOmZhbHNlfQ"

    @Test(arguments: samples) func `A signature of exactly these bytes is valid`(
        _ sample: (key: String, signature: String)
    ) throws {
        let der = try #require(Base64URL.octets(sample.key))
        let key = try #require(PublicKey(der: der))
        let signature = try #require(Base64URL.octets(sample.signature))
        let message =
            try #require(Base64URL.octets(Self.head))
            + SHA256.hash(try #require(Base64URL.octets(Self.body)))
        #expect(key.verifies(signature, of: message))
        #expect(!key.verifies(signature, of: message + [0]))
        #expect(!key.verifies(Array(signature.dropLast()), of: message))
        #expect(!key.verifies([], of: message))
    }

    @Test(arguments: [
        "", "AAAA",
        // An RSA key of 1024 bits.
        "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC1fY9z0LHyvlFr9Ga13XqG6TpLY_Rq2oKoC36gCKC5AS98"
            + "CQkR"
            + "k-ih6fjpZtP05a-mp0Q9aoftm9__flp9BysPULrEFs87nXLRsFFAwzHjXyxv"
            + "5Q7kLmlMzi8m3i8ikyS2zfgv4Z"
            + "rIvs4-HZSw4MSCWfDsmI_SlAOLUwXsic5cmQIDAQAB",
    ])
    func `A damaged or short key is none`(_ text: String) throws {
        let der = try #require(Base64URL.octets(text))
        #expect(PublicKey(der: der) == nil)
    }
}

struct Base64URLTests {
    @Test(
        arguments: [
            ([], ""), ([0], "AA"), ([255, 254], "__4"), ([1, 2, 3], "AQID"),
            ([251, 255, 191, 0], "-_-_AA"),
        ] as [([UInt8], String)])
    func `Bytes become text and back`(_ octets: [UInt8], _ text: String) {
        #expect(Base64URL.text(octets) == text)
        #expect(Base64URL.octets(text) == octets)
    }

    @Test(arguments: ["A", "AB", "A=", "AA==", "+A", "/A", "Ä", "A A"])
    func `Other texts are refused`(_ text: String) {
        #expect(Base64URL.octets(text) == nil)
    }
}
