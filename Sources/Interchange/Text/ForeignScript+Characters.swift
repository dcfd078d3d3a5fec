/// The frequent characters of scripts, in names, addresses and the headers of tables.
extension ForeignScript {
    /// The points for each character that is listed.
    var weights: [Unicode.Scalar: Double] { Self.weightsByScript[self] ?? [:] }

    private static let weightsByScript = Dictionary(
        uniqueKeysWithValues: Set(encodings.map(\.script)).map { ($0, $0.listedWeights) })

    private var listedWeights: [Unicode.Scalar: Double] {
        var weights: [Unicode.Scalar: Double] = [:]
        for (points, characters) in lists {
            for scalar in (characters + characters.uppercased()).unicodeScalars {
                weights[scalar] = points
            }
        }
        return weights
    }

    /// The characters by their points. The most frequent letters of names come first.
    private var lists: [(points: Double, characters: String)] {
        switch self {
        case .cyrillic: [(3, "оеаинт"), (2, "срвлкмдпу"), (1, "яыьгзбчйхжшюцщэфъёіїєґў")]
        case .greek: [(3, "αοιεστνςη"), (2, "ρκλπμυάίόέήώύ"), (1, "γωδθχφβξζψϊϋΐΰ")]
        case .hebrew:
            [
                (3, "\u{5D9}\u{5D5}\u{5D4}\u{5DC}\u{5D0}\u{5E8}\u{5DE}"),
                (2, "\u{5D1}\u{5E0}\u{5EA}\u{5E9}\u{5D3}\u{5DD}\u{5DF}"),
                (
                    1,
                    "\u{5DA}\u{5E3}\u{5E5}\u{5D2}\u{5D6}\u{5D7}\u{5D8}"
                        + "\u{5DB}\u{5E1}\u{5E2}\u{5E4}\u{5E6}\u{5E7}"
                ),
            ]
        case .arabic:
            [
                (3, "\u{627}\u{644}\u{645}\u{64A}\u{646}\u{631}\u{648}"),
                (2, "\u{628}\u{62F}\u{62A}\u{62D}\u{633}\u{639}\u{647}\u{641}\u{642}\u{643}"),
                (1, Self.rareArabic),
            ]
        case .thai: [(3, Self.thaiList)]
        case .japanese: [(3, Self.japaneseList)]
        case .simplified: [(3, Self.common + Self.simplifiedList)]
        case .traditional: [(3, Self.common + Self.traditionalList)]
        case .korean: [(3, Self.koreanList)]
        }
    }

    private static let rareArabic =
        "\u{621}\u{622}\u{623}\u{624}\u{625}\u{626}\u{629}\u{62B}\u{62C}\u{62E}"
        + "\u{630}\u{632}\u{634}\u{635}\u{636}\u{637}\u{638}\u{63A}\u{649}\u{64B}"
        + "\u{64C}\u{64D}\u{64E}\u{64F}\u{650}\u{651}\u{652}"

    private static let thaiList =
        "\u{E32}\u{E19}\u{E23}\u{E01}\u{E2D}\u{E21}\u{E40}\u{E34}\u{E35}\u{E31}"
        + "\u{E48}\u{E49}"

    private static let japaneseList =
        "佐藤鈴木高橋田中伊渡辺山本村小林加吉斎松井清水口崎阿部森池石前川長谷近後青坂遠福太西岡三"
        + "原和島金野上河大岩浦宮今平丸竹内東京都府県市区町株式会社店支営業課員電話番号住所氏名姓携"
        + "帯自宅勤務先役職備考生年月日一二四五六七八九十子美恵花愛優真由香奈千春夏秋冬明郎次男雄介"
        + "健翔蓮陽菜結衣誠正義弘幸雅樹裕也浩哲博文直人様学校友達横浜古屋阪神戸札幌州関菊倉新堀安白"
        + "土星丹羽服久保杉桜黒沢澤武荒永"

    /// Characters of both Chinese scripts.
    private static let common =
        "王李周徐朱胡郭何高林梁宋唐曹彭曾田董袁潘于蔡余杜程魏丁任沈姚姜崔汪范金石廖夏方白邱江段芳"
        + "娜秀英敏明文玲建志宇子欣怡佳婷春家美大中上下北南西市路街公司有限科技箱手姓名地址位部工作"
        + "的一是在不人我了理校老院行集展易商信友同事客"

    private static let simplifiedList =
        "张刘陈杨黄赵吴孙马罗郑谢许韩冯邓肖蒋叶苏吕卢钟谭陆贾韦付邹孟熊秦尹薛闫雷侯龙史陶黎贺顾毛"
        + "郝龚邵万钱严武戴莫孔向汤伟静丽强磊军洋勇艳杰娟涛超兰霞平刚桂辉红华国海峰雪梅浩然轩燕永福"
        + "生成云天宁波小京东广州深圳省区县号楼室责电话邮机单门职务备注庭经总监学师医银团发贸息网络"
        + "户编"

    private static let traditionalList =
        "張劉陳楊黃趙吳孫馬羅鄭謝許韓馮鄧蕭蔣葉蘇呂盧鍾譚陸賈洪詹賴游簡偉靜麗強惠淑雅君豪俊傑宗翰"
        + "宏冠華雄國蘭軒台東新竹桃園縣區號樓股份電話機單門職稱備註郵件經學師醫銀團發貿業資訊網戶編"
        + "郁香港九龍"

    private static let koreanList =
        "김이박최정강조윤장임한오서신권황안송전홍유고문양손배백허남심노하곽성차주우구민진지나엄채"
        + "원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모탁국은영수철희경호준훈혜미"
        + "숙자순아재동상용태승규환혁란예빈다회사울시로부산대광충북름메일화번휴폰직집학교삼엘식"
}
