/// Reading mails one by one.
extension IMAPFolder {
    /// The answer of a server to the request for a mail.
    enum Answer {
        case octets([UInt8])
        /// The beginning of a mail that is too large; `nil` if the server does not deliver it.
        case tooLarge([UInt8]?)
        /// The mail was deleted in the meantime.
        case gone
        /// The server does not deliver the mail, in its words.
        case refused(String)
    }

    /// Reads mails, the lowest numbers first, until ``mailsMax`` mails or ``octetsMax`` octets are
    /// read.
    ///
    /// If the server refuses a mail but delivers a later one, the mail is requested a second time.
    /// If it is refused again, it is skipped as damaged. In all other cases the server itself may
    /// have a problem, so the reading ends before the refused mail, and it is read next time.
    ///
    /// - Returns: the mails, and the number of the last one examined.
    func read(
        _ numbers: [Int64], by session: inout IMAPSession
    ) throws(TransportError) -> (mails: [FolderMail], last: Int64) {
        let first = Array(numbers.prefix(Self.mailsMax))
        var batch = FolderBatch()
        do throws(TransportError) {
            let sizes = try sizes(of: first, by: &session)
            for number in first where batch.octetCount < Self.octetsMax {
                batch.add(number, try answer(for: number, sizes, by: &session))
            }
            for (place, number) in batch.doubtful {
                batch.set(try answer(for: number, sizes, by: &session), at: place)
            }
        } catch {
            // A failure for one mail does not discard the mails that were read before it.
            guard batch.settle() > 0 else { throw error }
        }
        guard batch.settle() > 0 || first.isEmpty else {
            throw .failed("the server refuses to deliver mails: \(batch.refusal)")
        }
        guard !batch.areAllGone || first.count < Self.mailsMax else {
            throw .failed("the server lists mails that it does not have")
        }
        return (batch.mails, batch.last)
    }

    /// The server's answer for a mail. The sizes that some servers report are only estimates.
    private func answer(
        for number: Int64, _ sizes: [Int64: Int]?, by session: inout IMAPSession
    ) throws(TransportError) -> Answer {
        let size = sizes?[number]
        let isLarge = size ?? 0 > mailOctetsMax
        let beginning = min(FolderMail.beginningOctetsMax, mailOctetsMax)
        let wanted = isLarge ? beginning : mailOctetsMax + 1
        let command = "UID FETCH \(number) (UID BODY.PEEK[]<0.\(wanted)>)"
        let (heard, refusal) = try session.attempt(command)
        let content = heard.first { reply in
            reply.isFetched && reply.number(behind: "UID") == number && !reply.literals.isEmpty
        }?.literals.first
        if let content, !isLarge, content.count <= mailOctetsMax { return .octets(content) }
        if isLarge || content != nil {
            return .tooLarge(content.map { Array($0.prefix(beginning)) })
        }
        if let refusal { return .refused(refusal) }
        // If the server reports nothing about a mail, the mail was deleted in the meantime.
        guard size != nil else { return .gone }
        let isThere = try self.sizes(of: [number], by: &session)?[number] != nil
        return isThere ? .refused("it sends nothing for mail \(number)") : .gone
    }

    private func sizes(
        of numbers: [Int64], by session: inout IMAPSession
    ) throws(TransportError) -> [Int64: Int]? {
        guard !numbers.isEmpty else { return [:] }
        // A damaged mail may have no size. Then the mails are read without sizes.
        let command = "UID FETCH \(IMAPText.set(numbers)) (UID RFC822.SIZE)"
        let (replies, refusal) = try session.attempt(command)
        guard refusal == nil else { return nil }
        var sizes: [Int64: Int] = [:]
        for reply in replies where reply.isFetched {
            guard let number = reply.number(behind: "UID"),
                let size = reply.number(behind: "RFC822.SIZE")
            else { continue }
            sizes[number] = Int(size)
        }
        return sizes
    }
}

extension IMAPFolder.Answer {
    /// The content, or its beginning.
    fileprivate var octets: [UInt8]? {
        switch self {
        case .octets(let octets): octets
        case .tooLarge(let octets): octets
        case .gone, .refused: nil
        }
    }
}

/// The mails of one read, in ascending order.
private struct FolderBatch {
    private var answers: [(number: Int64, answer: IMAPFolder.Answer)] = []
    private var settledCount = 0
    private var isRetried: Set<Int> = []
    private(set) var octetCount = 0

    mutating func add(_ number: Int64, _ answer: IMAPFolder.Answer) {
        octetCount += answer.octets?.count ?? 0
        answers.append((number, answer))
    }

    /// Sets the second answer for a mail.
    mutating func set(_ answer: IMAPFolder.Answer, at place: Int) {
        answers[place].answer = answer
        isRetried.insert(place)
    }

    /// The refused mails before the last one that was delivered.
    var doubtful: [(place: Int, number: Int64)] {
        let end = answers.lastIndex { $0.answer.octets != nil } ?? 0
        return answers[..<end].indices.filter(isRefused).map { ($0, answers[$0].number) }
    }

    private func isRefused(_ place: Int) -> Bool {
        if case .refused = answers[place].answer { return true }
        return false
    }

    /// Ends the batch before the first mail that was refused only once.
    ///
    /// - Returns: the number of mails before it.
    mutating func settle() -> Int {
        settledCount =
            answers.indices.first { isRefused($0) && !isRetried.contains($0) } ?? answers.count
        return settledCount
    }

    /// The server's words for the first refused mail.
    var refusal: String {
        for case .refused(let words) in answers.map(\.answer) { return words }
        return ""
    }

    /// True if all mails of the batch were deleted in the meantime.
    var areAllGone: Bool {
        answers[..<settledCount].allSatisfy { if case .gone = $0.answer { true } else { false } }
    }

    /// The settled mails that exist.
    var mails: [FolderMail] {
        answers[..<settledCount].compactMap { number, answer in
            switch answer {
            case .octets(let octets):
                FolderMail(number: number, octets: octets, isCut: false, isRefused: false)
            case .tooLarge(let octets):
                FolderMail(number: number, octets: octets, isCut: true, isRefused: false)
            case .refused:
                FolderMail(number: number, octets: nil, isCut: false, isRefused: true)
            case .gone: nil
            }
        }
    }

    /// The number of the last settled mail; 0 if there is none.
    var last: Int64 { settledCount == 0 ? 0 : answers[settledCount - 1].number }
}
