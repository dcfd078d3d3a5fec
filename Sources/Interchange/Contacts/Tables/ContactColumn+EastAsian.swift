/// Headers in Japanese, Chinese and Korean, which do not separate words.
extension ContactColumn {
    /// Recognizes a header by the words in it; `nil` if it is unknown.
    init?(eastAsian name: String) {
        guard !name.utf8.allSatisfy({ $0 < 0x80 }), !Self.contains(name, Self.others) else {
            return nil
        }
        let place = Self.place(name)
        if let kind = Self.whole[name] {
            self.init(kind)
        } else if Self.contains(name, "メール 邮箱 郵箱 電郵 电子邮件 邮件 이메일 메일") {
            self.init(.email, .emails, slot: name, type: place)
        } else if Self.contains(name, "ファックス 传真 傳真 팩스 ﾌｧｯｸｽ") {
            self.init(.phone, .phones, slot: name, type: place.map { "\($0) fax" } ?? "fax")
        } else if Self.contains(name, "携帯 手机 手機 移动电话 行動電話 휴대 모바일") {
            self.init(.phone, .phones, slot: name, type: "cell")
        } else if Self.contains(name, "電話 电话 전화") {
            self.init(.phone, .phones, slot: name, type: place)
        } else if let kind = Self.parts.first(where: { Self.contains(name, $0.words) })?.kind {
            self.init(kind, .addresses, slot: place ?? Self.plainSlot, type: place)
        } else if let kind = Self.singles.first(where: { Self.contains(name, $0.words) })?.kind {
            self.init(kind)
        } else {
            return nil
        }
    }

    private static func contains(_ name: String, _ list: String) -> Bool {
        list.split(separator: " ").contains { name.contains($0) }
    }

    private static func place(_ name: String) -> String? {
        if contains(name, "自宅 家庭 住宅 집 자택") { return "home" }
        return contains(name, "会社 勤務 公司 单位 單位 商务 商務 직장 회사") ? "work" : nil
    }

    /// Words of columns about how a name is spoken or shown, and about other people.
    private static let others = "ふりがな フリガナ よみ カナ 拼音 表示名 種類 显示 類型 类型 秘書 助理 配偶 비서"

    private static let whole: [String: Kind] = [
        "姓": .family, "苗字": .family, "성": .family, "名": .given, "名字": .given,
        "姓名": .formattedName, "이름": .bareName, "成員": .formattedName,
    ]

    private static let parts: [(kind: Kind, words: String)] = [
        (.postcode, "郵便番号 邮编 邮政编码 郵遞區號 우편번호"), (.country, "国/地域 国家 國家 국가"),
        (.region, "都道府県 省份 省/自治区 州/省"), (.locality, "市区町村 市町村 城市 도시"),
        (.street, "番地 街道 住所 地址 주소"),
    ]

    private static let singles: [(kind: Kind, words: String)] = [
        (.birthday, "誕生日 生年月日 生日 出生日期 생일 생년월일"), (.anniversary, "記念日 纪念日 紀念日 기념일"),
        (.department, "部署 部门 部門 부서"), (.jobTitle, "役職 职务 職務 職稱 职位 직책 직위"),
        (.organization, "会社 勤務先 公司 单位 單位 회사"), (.nickname, "ニックネーム 昵称 暱稱 별명 닉네임"),
        (.formattedName, "氏名 名前 全名 성명"), (.note, "メモ 備考 备注 備註 메모"),
        (.categories, "グループ 分類 分组 群組 类别 그룹"),
    ]
}
