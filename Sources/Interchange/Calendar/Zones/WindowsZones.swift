/// Time zone names of Windows and of programs for Windows.
enum WindowsZones {
    /// The tz database name for a Windows name such as "Romance Standard Time", "Canberra,
    /// Melbourne, Sydney" or "(UTC-03:00) Brasília"; `nil` for other names.
    static func identifier(_ name: String) -> String? {
        // Some programs take the name from a web page as it stands.
        let key = name.lowercased().replacing("&amp;", with: "&")
        return table[key] ?? cities[withoutOffset(key)] ?? table[inStandardTime(key)]
    }

    /// "eastern standard time" for "eastern daylight time" and "eastern time", and for "eastern",
    /// as Lotus Notes writes it.
    private static func inStandardTime(_ name: String) -> String {
        let end = [" daylight time", " summer time", " time"].first(where: name.hasSuffix)
        return name.dropLast(end?.count ?? 0) + " standard time"
    }

    /// The cities in a name such as "(UTC+01:00) Brussels, Copenhagen, Madrid, Paris".
    private static func withoutOffset(_ name: String) -> String {
        guard name.hasPrefix("(utc") || name.hasPrefix("(gmt"), let end = name.firstIndex(of: ")")
        else { return name }
        return String(name[name.index(after: end)...].drop { $0 == " " })
    }

    /// The zones of the tz database that have a Windows name, each once.
    static let identifiers = Set(table.values).sorted()

    /// The same zones, the best-known ones first. Many zones have the same rules as a well-known
    /// one.
    static let bestKnownFirst = bestKnown + identifiers.filter { !bestKnown.contains($0) }

    private static let bestKnown = [
        "Etc/UTC", "Europe/London", "Europe/Berlin", "Europe/Paris", "Europe/Kyiv",
        "Europe/Istanbul", "Europe/Moscow", "America/New_York", "America/Chicago",
        "America/Denver", "America/Phoenix", "America/Los_Angeles", "America/Anchorage",
        "America/Halifax", "America/Sao_Paulo", "America/Bogota", "Asia/Dubai", "Asia/Karachi",
        "Asia/Kolkata", "Asia/Dhaka", "Asia/Bangkok", "Asia/Shanghai", "Asia/Tokyo",
        "Australia/Sydney", "Australia/Brisbane", "Pacific/Auckland", "Pacific/Honolulu",
        "Africa/Lagos", "Africa/Johannesburg", "Africa/Nairobi",
    ]

    private static let table = rows(of: names)
    private static let cities = rows(of: cityNames).compactMapValues { name in
        table[name.lowercased()] ?? table["\(name.lowercased()) standard time"]
    }

    private static func rows(of text: String) -> [String: String] {
        Dictionary(
            text.split(separator: "\n").map { line in
                let parts = line.split(separator: "=", maxSplits: 1)
                return (parts[0].lowercased(), String(parts[1]))
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The table windowsZones of Unicode's CLDR, for the territory 001.
    private static let names = """
        AUS Central Standard Time=Australia/Darwin
        AUS Eastern Standard Time=Australia/Sydney
        Afghanistan Standard Time=Asia/Kabul
        Alaskan Standard Time=America/Anchorage
        Aleutian Standard Time=America/Adak
        Altai Standard Time=Asia/Barnaul
        Arab Standard Time=Asia/Riyadh
        Arabian Standard Time=Asia/Dubai
        Arabic Standard Time=Asia/Baghdad
        Argentina Standard Time=America/Buenos_Aires
        Astrakhan Standard Time=Europe/Astrakhan
        Atlantic Standard Time=America/Halifax
        Aus Central W. Standard Time=Australia/Eucla
        Azerbaijan Standard Time=Asia/Baku
        Azores Standard Time=Atlantic/Azores
        Bahia Standard Time=America/Bahia
        Bangladesh Standard Time=Asia/Dhaka
        Belarus Standard Time=Europe/Minsk
        Bougainville Standard Time=Pacific/Bougainville
        Canada Central Standard Time=America/Regina
        Cape Verde Standard Time=Atlantic/Cape_Verde
        Caucasus Standard Time=Asia/Yerevan
        Cen. Australia Standard Time=Australia/Adelaide
        Central America Standard Time=America/Guatemala
        Central Asia Standard Time=Asia/Bishkek
        Central Brazilian Standard Time=America/Cuiaba
        Central Europe Standard Time=Europe/Budapest
        Central European Standard Time=Europe/Warsaw
        Central Pacific Standard Time=Pacific/Guadalcanal
        Central Standard Time=America/Chicago
        Central Standard Time (Mexico)=America/Mexico_City
        Chatham Islands Standard Time=Pacific/Chatham
        China Standard Time=Asia/Shanghai
        Cuba Standard Time=America/Havana
        Dateline Standard Time=Etc/GMT+12
        E. Africa Standard Time=Africa/Nairobi
        E. Australia Standard Time=Australia/Brisbane
        E. Europe Standard Time=Europe/Chisinau
        E. South America Standard Time=America/Sao_Paulo
        Easter Island Standard Time=Pacific/Easter
        Eastern Standard Time=America/New_York
        Eastern Standard Time (Mexico)=America/Cancun
        Egypt Standard Time=Africa/Cairo
        Ekaterinburg Standard Time=Asia/Yekaterinburg
        FLE Standard Time=Europe/Kiev
        Fiji Standard Time=Pacific/Fiji
        GMT Standard Time=Europe/London
        GTB Standard Time=Europe/Bucharest
        Georgian Standard Time=Asia/Tbilisi
        Greenland Standard Time=America/Godthab
        Greenwich Standard Time=Atlantic/Reykjavik
        Haiti Standard Time=America/Port-au-Prince
        Hawaiian Standard Time=Pacific/Honolulu
        India Standard Time=Asia/Calcutta
        Iran Standard Time=Asia/Tehran
        Israel Standard Time=Asia/Jerusalem
        Jordan Standard Time=Asia/Amman
        Kaliningrad Standard Time=Europe/Kaliningrad
        Korea Standard Time=Asia/Seoul
        Libya Standard Time=Africa/Tripoli
        Line Islands Standard Time=Pacific/Kiritimati
        Lord Howe Standard Time=Australia/Lord_Howe
        Magadan Standard Time=Asia/Magadan
        Magallanes Standard Time=America/Punta_Arenas
        Marquesas Standard Time=Pacific/Marquesas
        Mauritius Standard Time=Indian/Mauritius
        Middle East Standard Time=Asia/Beirut
        Montevideo Standard Time=America/Montevideo
        Morocco Standard Time=Africa/Casablanca
        Mountain Standard Time=America/Denver
        Mountain Standard Time (Mexico)=America/Mazatlan
        Myanmar Standard Time=Asia/Rangoon
        N. Central Asia Standard Time=Asia/Novosibirsk
        Namibia Standard Time=Africa/Windhoek
        Nepal Standard Time=Asia/Katmandu
        New Zealand Standard Time=Pacific/Auckland
        Newfoundland Standard Time=America/St_Johns
        Norfolk Standard Time=Pacific/Norfolk
        North Asia East Standard Time=Asia/Irkutsk
        North Asia Standard Time=Asia/Krasnoyarsk
        North Korea Standard Time=Asia/Pyongyang
        Omsk Standard Time=Asia/Omsk
        Pacific SA Standard Time=America/Santiago
        Pacific Standard Time=America/Los_Angeles
        Pacific Standard Time (Mexico)=America/Tijuana
        Pakistan Standard Time=Asia/Karachi
        Paraguay Standard Time=America/Asuncion
        Qyzylorda Standard Time=Asia/Qyzylorda
        Romance Standard Time=Europe/Paris
        Russia Time Zone 10=Asia/Srednekolymsk
        Russia Time Zone 11=Asia/Kamchatka
        Russia Time Zone 3=Europe/Samara
        Russian Standard Time=Europe/Moscow
        SA Eastern Standard Time=America/Cayenne
        SA Pacific Standard Time=America/Bogota
        SA Western Standard Time=America/La_Paz
        SE Asia Standard Time=Asia/Bangkok
        Saint Pierre Standard Time=America/Miquelon
        Sakhalin Standard Time=Asia/Sakhalin
        Samoa Standard Time=Pacific/Apia
        Sao Tome Standard Time=Africa/Sao_Tome
        Saratov Standard Time=Europe/Saratov
        Singapore Standard Time=Asia/Singapore
        South Africa Standard Time=Africa/Johannesburg
        South Sudan Standard Time=Africa/Juba
        Sri Lanka Standard Time=Asia/Colombo
        Sudan Standard Time=Africa/Khartoum
        Syria Standard Time=Asia/Damascus
        Taipei Standard Time=Asia/Taipei
        Tasmania Standard Time=Australia/Hobart
        Tocantins Standard Time=America/Araguaina
        Tokyo Standard Time=Asia/Tokyo
        Tomsk Standard Time=Asia/Tomsk
        Tonga Standard Time=Pacific/Tongatapu
        Transbaikal Standard Time=Asia/Chita
        Turkey Standard Time=Europe/Istanbul
        Turks And Caicos Standard Time=America/Grand_Turk
        US Eastern Standard Time=America/Indianapolis
        US Mountain Standard Time=America/Phoenix
        UTC=Etc/UTC
        UTC+12=Etc/GMT-12
        UTC+13=Etc/GMT-13
        UTC-02=Etc/GMT+2
        UTC-08=Etc/GMT+8
        UTC-09=Etc/GMT+9
        UTC-11=Etc/GMT+11
        Ulaanbaatar Standard Time=Asia/Ulaanbaatar
        Venezuela Standard Time=America/Caracas
        Vladivostok Standard Time=Asia/Vladivostok
        Volgograd Standard Time=Europe/Volgograd
        W. Australia Standard Time=Australia/Perth
        W. Central Africa Standard Time=Africa/Lagos
        W. Europe Standard Time=Europe/Berlin
        W. Mongolia Standard Time=Asia/Hovd
        West Asia Standard Time=Asia/Tashkent
        West Bank Standard Time=Asia/Hebron
        West Pacific Standard Time=Pacific/Port_Moresby
        Yakutsk Standard Time=Asia/Yakutsk
        Yukon Standard Time=America/Whitehorse
        """

    /// The display names of Windows, and the names that Outlook 2003 and earlier use.
    private static let cityNames = """
        International Date Line West=Dateline
        Hawaii=Hawaiian
        Alaska=Alaskan
        Pacific Time (US & Canada)=Pacific
        Pacific Time (US and Canada)=Pacific
        Pacific Time (US & Canada); Tijuana=Pacific
        Baja California=Pacific Standard Time (Mexico)
        Mountain Time (US & Canada)=Mountain
        Mountain Time (US and Canada)=Mountain
        Arizona=US Mountain
        Chihuahua, La Paz, Mazatlan=Mountain Standard Time (Mexico)
        Central Time (US & Canada)=Central
        Central Time (US and Canada)=Central
        Central America=Central America
        Guadalajara, Mexico City, Monterrey=Central Standard Time (Mexico)
        Saskatchewan=Canada Central
        Eastern Time (US & Canada)=Eastern
        Eastern Time (US and Canada)=Eastern
        Indiana (East)=US Eastern
        Bogota, Lima, Quito=SA Pacific
        Bogota, Lima, Quito, Rio Branco=SA Pacific
        Atlantic Time (Canada)=Atlantic
        Caracas=Venezuela
        Santiago=Pacific SA
        Georgetown, La Paz, Manaus, San Juan=SA Western
        Asuncion=Paraguay
        Cuiaba=Central Brazilian
        Newfoundland=Newfoundland
        Brasilia=E. South America
        Brasília=E. South America
        Buenos Aires=Argentina
        City of Buenos Aires=Argentina
        Greenland=Greenland
        Montevideo=Montevideo
        Cayenne, Fortaleza=SA Eastern
        Salvador=Bahia
        Azores=Azores
        Cape Verde Is.=Cape Verde
        Cabo Verde Is.=Cape Verde
        Casablanca=Morocco
        Dublin, Edinburgh, Lisbon, London=GMT
        Greenwich Mean Time : Dublin, Edinburgh, Lisbon, London=GMT
        Monrovia, Reykjavik=Greenwich
        Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna=W. Europe
        Belgrade, Bratislava, Budapest, Ljubljana, Prague=Central Europe
        Brussels, Copenhagen, Madrid, Paris=Romance
        Sarajevo, Skopje, Warsaw, Zagreb=Central European
        West Central Africa=W. Central Africa
        Amman=Jordan
        Athens, Bucharest=GTB
        Athens, Bucharest, Istanbul=GTB
        Beirut=Middle East
        Cairo=Egypt
        Damascus=Syria
        Harare, Pretoria=South Africa
        Helsinki, Kyiv, Riga, Sofia, Tallinn, Vilnius=FLE
        Jerusalem=Israel
        Istanbul=Turkey
        Kaliningrad=Kaliningrad
        Baghdad=Arabic
        Kuwait, Riyadh=Arab
        Minsk=Belarus
        Moscow, St. Petersburg=Russian
        Moscow, St. Petersburg, Volgograd=Russian
        Nairobi=E. Africa
        Tehran=Iran
        Abu Dhabi, Muscat=Arabian
        Baku=Azerbaijan
        Tbilisi=Georgian
        Yerevan=Caucasus
        Port Louis=Mauritius
        Kabul=Afghanistan
        Ekaterinburg=Ekaterinburg
        Islamabad, Karachi=Pakistan
        Tashkent=West Asia
        Ashgabat, Tashkent=West Asia
        Chennai, Kolkata, Mumbai, New Delhi=India
        Sri Jayawardenepura=Sri Lanka
        Kathmandu=Nepal
        Dhaka=Bangladesh
        Astana=Central Asia
        Novosibirsk=N. Central Asia
        Yangon (Rangoon)=Myanmar
        Bangkok, Hanoi, Jakarta=SE Asia
        Krasnoyarsk=North Asia
        Beijing, Chongqing, Hong Kong, Urumqi=China
        Irkutsk=North Asia East
        Kuala Lumpur, Singapore=Singapore
        Perth=W. Australia
        Taipei=Taipei
        Ulaanbaatar=Ulaanbaatar
        Osaka, Sapporo, Tokyo=Tokyo
        Seoul=Korea
        Yakutsk=Yakutsk
        Adelaide=Cen. Australia
        Darwin=AUS Central
        Brisbane=E. Australia
        Canberra, Melbourne, Sydney=AUS Eastern
        Guam, Port Moresby=West Pacific
        Hobart=Tasmania
        Vladivostok=Vladivostok
        Magadan=Magadan
        Solomon Is., New Caledonia=Central Pacific
        Auckland, Wellington=New Zealand
        Fiji=Fiji
        Nuku'alofa=Tonga
        Samoa=Samoa
        Coordinated Universal Time=UTC
        Jerusalem Standard Time=Israel
        Jerusalem Daylight Time=Israel
        Kamchatka Standard Time=Russia Time Zone 11
        Malay Peninsula Standard Time=Singapore
        Russia TZ 1 Standard Time=Kaliningrad
        Russia TZ 2 Standard Time=Russian
        Russia TZ 3 Standard Time=Russia Time Zone 3
        Russia TZ 4 Standard Time=Ekaterinburg
        Russia TZ 5 Standard Time=N. Central Asia
        Russia TZ 6 Standard Time=North Asia
        Russia TZ 7 Standard Time=North Asia East
        Russia TZ 8 Standard Time=Yakutsk
        Russia TZ 9 Standard Time=Vladivostok
        Russia TZ 10 Standard Time=Russia Time Zone 10
        Russia TZ 11 Standard Time=Russia Time Zone 11
        """
}
