/** Conventions of a country: names and tax numbers of companies, street names, telephone numbers. */
export interface CountryCustoms {
  /** Legal forms of companies in the country, the most frequent first. */
  readonly forms: readonly string[];
  /** Identification number for VAT or tax, # for a digit. */
  readonly vat: string;
  /** Street names; `address` determines whether the number comes before them. */
  readonly streets: readonly string[];
  /** `before`: 12 Mill Lane; `after`: Hafenstr. 12. */
  readonly houseNumber: 'before' | 'after';
  readonly callingCode: string;
  /** Digits of a number without the calling code: area and subscriber. */
  readonly digits: number;
  /** Prefix of mobile numbers, after the calling code. */
  readonly mobile: string;
  /** Postal codes of the country. */
  readonly postalCode: RegExp;
}

const list = (words: string) => words.split('|');

function customs(
  forms: string,
  vat: string,
  streets: string,
  houseNumber: CountryCustoms['houseNumber'],
  [callingCode, digits, mobile]: readonly [string, number, string],
  postalCode: RegExp,
): CountryCustoms {
  return { forms: list(forms), vat, streets: list(streets), houseNumber, callingCode, digits, mobile, postalCode };
}

const german = 'Industriestr.|Hafenstr.|Werkstr.|Bahnhofstr.|Gewerbering|Ringstr.|Am Kanal|Schillerstr.';
const british = 'Mill Lane|Station Road|Foundry Street|Dock Road|Park Avenue|Church Street|Canal Street';
const american = 'Industrial Parkway|Main Street|Commerce Drive|Lake Avenue|Mill Road|Oak Street';

export const countryCustoms: Readonly<Record<string, CountryCustoms>> = {
  AT: customs('GmbH|GmbH|AG|KG', 'ATU########', german, 'after', ['43', 10, '664'], /^\d{4}$/),
  BE: customs(
    'BV|NV',
    'BE0#########',
    'Stationsstraat|Industrielaan|Kerkstraat|Havenlaan|Nieuwstraat',
    'after',
    ['32', 8, '47'],
    /^\d{4}$/,
  ),
  CN: customs(
    'Co., Ltd.',
    '9132##############',
    'Renmin Road|Zhongshan Road|Gongye Avenue|Jianshe Road',
    'before',
    ['86', 10, '138'],
    /^\d{6}$/,
  ),
  CZ: customs(
    's.r.o.|s.r.o.|a.s.',
    'CZ########',
    'Průmyslová|Nádražní|Tovární|Husova|Masarykova',
    'after',
    ['420', 9, '60'],
    /^\d{3} \d{2}$/,
  ),
  DE: customs('GmbH|GmbH|GmbH|GmbH & Co. KG|AG|KG', 'DE#########', german, 'after', ['49', 10, '171'], /^\d{5}$/),
  DK: customs(
    'A/S|ApS',
    'DK########',
    'Industrivej|Havnegade|Stationsvej|Fabriksvej|Nørregade',
    'after',
    ['45', 8, '2'],
    /^\d{4}$/,
  ),
  ES: customs(
    'S.L.|S.L.|S.A.',
    'ESB########',
    'Calle Mayor|Calle Industria|Avenida del Puerto|Calle de la Estación',
    'after',
    ['34', 9, '6'],
    /^\d{5}$/,
  ),
  FI: customs(
    'Oy|Oy|Oyj',
    'FI########',
    'Teollisuuskatu|Asemakatu|Satamatie|Tehtaankatu',
    'after',
    ['358', 9, '40'],
    /^\d{5}$/,
  ),
  FR: customs(
    'SAS|SARL|SA',
    'FR###########',
    "Rue de la Gare|Rue de l'Industrie|Avenue du Port|Rue Pasteur|Rue des Forges",
    'before',
    ['33', 9, '6'],
    /^\d{5}$/,
  ),
  GB: customs(
    'Ltd|Ltd|Ltd|PLC',
    'GB#########',
    british,
    'before',
    ['44', 10, '7'],
    /^[A-Z]{1,2}\d[\dA-Z]? \d[A-Z]{2}$/,
  ),
  HU: customs(
    'Kft.|Kft.|Zrt.',
    'HU########',
    'Ipari út|Gyár utca|Állomás utca|Petőfi utca',
    'after',
    ['36', 8, '20'],
    /^\d{4}$/,
  ),
  IE: customs(
    'Ltd|Ltd|DAC',
    'IE#######T',
    'Main Street|Harbour Road|Mill Road|Church Street|Quay Street',
    'before',
    ['353', 9, '87'],
    /^[A-Z]\d{2} [A-Z\d]{4}$/,
  ),
  IN: customs(
    'Pvt. Ltd.|Ltd.',
    '27ABCDE####F1Z#',
    'MIDC Road|Station Road|M G Road|Industrial Estate Road',
    'before',
    ['91', 10, '98'],
    /^\d{6}$/,
  ),
  IT: customs(
    'S.r.l.|S.r.l.|S.p.A.',
    'IT###########',
    "Via Roma|Via dell'Industria|Via Garibaldi|Corso Italia|Via della Stazione",
    'after',
    ['39', 9, '34'],
    /^\d{5}$/,
  ),
  JP: customs(
    'K.K.',
    'T#############',
    'Minato-machi|Kogyo-dori|Ekimae-dori|Sakura-machi',
    'before',
    ['81', 9, '90'],
    /^\d{3}-\d{4}$/,
  ),
  NL: customs(
    'B.V.|B.V.|N.V.',
    'NL#########B01',
    'Kerkstraat|Industrieweg|Stationsweg|Havenkade|Dorpsstraat',
    'after',
    ['31', 9, '6'],
    /^\d{4} [A-Z]{2}$/,
  ),
  NO: customs(
    'AS|AS|ASA',
    'NO#########MVA',
    'Industriveien|Havnegata|Stasjonsveien|Fabrikkveien',
    'after',
    ['47', 8, '9'],
    /^\d{4}$/,
  ),
  PL: customs(
    'Sp. z o.o.|Sp. z o.o.|S.A.',
    'PL##########',
    'ul. Fabryczna|ul. Przemysłowa|ul. Dworcowa|ul. Polna|ul. Hutnicza',
    'after',
    ['48', 9, '60'],
    /^\d{2}-\d{3}$/,
  ),
  PT: customs(
    'Lda.|Lda.|S.A.',
    'PT#########',
    'Rua da Indústria|Rua da Estação|Avenida do Porto|Rua das Flores',
    'after',
    ['351', 9, '91'],
    /^\d{4}-\d{3}$/,
  ),
  SE: customs(
    'AB',
    'SE##########01',
    'Industrigatan|Hamngatan|Stationsgatan|Verkstadsgatan',
    'after',
    ['46', 9, '70'],
    /^\d{3} \d{2}$/,
  ),
  TR: customs(
    'A.Ş.|Ltd. Şti.',
    'TR##########',
    'Sanayi Caddesi|Atatürk Caddesi|İstasyon Caddesi|Fabrika Sokak',
    'after',
    ['90', 10, '53'],
    /^\d{5}$/,
  ),
  US: customs('Inc.|Inc.|LLC', '##-#######', american, 'before', ['1', 10, '3'], /^\d{5}$/),
};

/** Tax numbers of people by country, # for a digit. */
const personalTaxNumbers: Readonly<Record<string, string>> = {
  ...{ AT: '##-###/####', BE: '##.##.##-###.##', CN: '##################', CZ: '######/####', DE: '## ### ### ###' },
  ...{ DK: '######-####', ES: '########Z', FI: '######-####', FR: '## ## ### ### ###', GB: '##### #####' },
  ...{ HU: '8#########', IE: '#######TA', IN: 'ABCPE####F', IT: 'KLLMRA##A##F205X', JP: '#### #### ####' },
  ...{ NL: '#########', NO: '###########', PL: '###########', PT: '#########', SE: '######-####', TR: '###########' },
  US: '###-##-####',
};

/** Tax number of a person, # for a digit. @throws Error when the list lacks the country */
export function personalTaxNumberOf(country: string): string {
  const form = personalTaxNumbers[country];
  if (form === undefined) throw new Error(`data/country-customs.ts has no personal tax number for ${country}`);
  return form;
}

/**
 * Area codes of the cities of `regions.ts`, without the zero of domestic calls. Numbers in Denmark also begin with
 * them.
 */
const areaCodes: Readonly<Record<string, string>> = {
  ...{
    Hamburg: '40',
    Altona: '40',
    Harburg: '40',
    Wandsbek: '40',
    Bergedorf: '40',
    Eimsbüttel: '40',
    Mitte: '30',
    Pankow: '30',
  },
  ...{ Spandau: '30', Neukölln: '30', Munich: '89', Nuremberg: '911', Augsburg: '821', Regensburg: '941' },
  ...{ Ingolstadt: '841', Würzburg: '931', Stuttgart: '711', Ulm: '731', Karlsruhe: '721', Mannheim: '621' },
  ...{ Heilbronn: '7131', Reutlingen: '7121', Cologne: '221', Düsseldorf: '211', Dortmund: '231', Essen: '201' },
  ...{ Bielefeld: '521', Siegen: '271', Hanover: '511', Brunswick: '531', Osnabrück: '541', Göttingen: '551' },
  ...{ Stade: '4141', Dresden: '351', Leipzig: '341', Chemnitz: '371', Zwickau: '375', Frankfurt: '69' },
  ...{ Kassel: '561', Darmstadt: '6151', Hanau: '6181', Favoriten: '1', Liesing: '1', Floridsdorf: '1' },
  ...{ Linz: '732', Wels: '7242', Steyr: '7252', Southwark: '20', Hackney: '20', Camden: '20', Greenwich: '20' },
  ...{ Birmingham: '121', Coventry: '24', Wolverhampton: '1902', Solihull: '121', Sheffield: '114', Leeds: '113' },
  ...{ York: '1904', Hull: '1482', Glasgow: '141', Edinburgh: '131', Aberdeen: '1224', Dundee: '1382', Paris: '1' },
  ...{ Créteil: '1', Versailles: '1', Cergy: '1', Lyon: '4', Grenoble: '4', Annecy: '4', 'Saint-Étienne': '4' },
  ...{ Strasbourg: '3', Metz: '3', Reims: '3', Mulhouse: '3', Milan: '02', Brescia: '030', Bergamo: '035' },
  ...{ Monza: '039', Bologna: '051', Modena: '059', Parma: '0521', 'Reggio Emilia': '0522', Turin: '011' },
  ...{ Novara: '0321', Alessandria: '0131', Eindhoven: '40', Tilburg: '13', Breda: '76', Rotterdam: '10' },
  ...{ 'The Hague': '70', Delft: '15', Dordrecht: '78', 'Antwerp-Berchem': '3', Mechelen: '15', Turnhout: '14' },
  ...{ Seraing: '4', Verviers: '87', Herstal: '4', Katowice: '32', Gliwice: '32', Tychy: '32', 'Bielsko-Biała': '33' },
  ...{ Poznań: '61', Kalisz: '62', Leszno: '65', Wrocław: '71', Legnica: '76', Wałbrzych: '74', Brno: '5' },
  ...{ Znojmo: '515', Hodonín: '518', 'Mladá Boleslav': '326', Kladno: '312', Kolín: '321', Barcelona: '93' },
  ...{ Sabadell: '93', Tarragona: '977', Bilbao: '94', 'Vitoria-Gasteiz': '945', Eibar: '943', Gothenburg: '31' },
  ...{ Borås: '33', Trollhättan: '520', Västerås: '21', Köping: '221', Sala: '224', Aarhus: '86', Herning: '97' },
  ...{ Horsens: '75', Bergen: '55', Førde: '57', Voss: '56', Tampere: '3', Nokia: '3', Valkeakoski: '3', Győr: '96' },
  ...{ Sopron: '99', Mosonmagyaróvár: '96', 'Cork City': '21', Mallow: '22', Midleton: '21', 'Porto City': '22' },
  ...{ Maia: '22', Matosinhos: '22', Detroit: '313', 'Grand Rapids': '616', Lansing: '517', 'Ann Arbor': '734' },
  ...{ Cleveland: '216', Columbus: '614', Toledo: '419', Dayton: '937', Milwaukee: '414', 'Green Bay': '920' },
  ...{ Racine: '262', Suzhou: '512', Nanjing: '25', Wuxi: '510', Nagoya: '52', Toyota: '565', Okazaki: '564' },
  ...{ Pune: '20', Mumbai: '22', Nashik: '253', Nilüfer: '224', Osmangazi: '224', İnegöl: '224' },
};

/** Area code of a city. @throws Error when the list lacks the city */
export function areaCodeOf(city: string): string {
  const code = areaCodes[city];
  if (code === undefined) throw new Error(`data/country-customs.ts has no area code for ${city}`);
  return code;
}

/** @throws Error when the list lacks the country */
export function customsOf(country: string): CountryCustoms {
  const found = countryCustoms[country];
  if (!found) throw new Error(`data/country-customs.ts has no entry for ${country}`);
  return found;
}
