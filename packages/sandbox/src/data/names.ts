/** Given and family names of the people of the company. */
export const firstNames =
  'Anna Ben Clara David Elena Felix Greta Hannes Ida Jan Katrin Lukas Marta Nils Olga Paul Rita Simon Tanja Uwe Vera Wolf Yasmin Adam Beata Connor Daisy Emil Fiona George Helen Ivan Julia Karol Laura Mark Nina Oscar Petra Robin Sofia Tom Ursula Viktor Wanda Agnes Bruno Cecile Dirk Eva'.split(
    ' ',
  );
export const lastNames =
  'Albrecht Becker Claassen Dietrich Engel Fischer Graf Hartmann Ivanov Jansen Koch Lange Meyer Nowak Otto Peters Quandt Richter Schmidt Thiel Ullrich Vogel Wagner Zimmermann Adams Baker Clarke Davies Evans Foster Green Harris Irving Jones Kowalski Lewandowski Mazur Nielsen Olsen Pawlak Reid Smith Taylor Underwood Vance Walker Young Zielinski Brandt Kramer'.split(
    ' ',
  );

/** Parts of company names in a country: family names, and a word for each trade, in the order of `trades`. */
export interface CompanyStyle {
  readonly trades: readonly string[];
  readonly names: readonly string[];
}

const style = (trades: string, names: string): CompanyStyle => ({ trades: trades.split(' '), names: names.split(' ') });
const german = style(
  'Schraubentechnik Wälzlager Dichtungstechnik Antriebstechnik Elektrotechnik Hydraulik Schmierstoffe Stahlhandel Verpackungen Arbeitsschutz Werkzeuge Spedition Industrieservice',
  'Ahlers Bergmann Conrad Dörner Ehlert Feldmann Gerlach Hoffmann Ising Jahn Kessler Lindner Münch Neumann Ohlsen Pohl Rademacher Sander Tiedemann Unger Volkmann Westphal Ziegler',
);
const dutch = style(
  'Bevestigingstechniek Lagers Afdichtingen Aandrijftechniek Elektrotechniek Hydrauliek Smeermiddelen Staal Verpakkingen Veiligheid Gereedschap Transport Onderhoud',
  'Bakker Dekker Hendriks Jacobs Kuiper Mulder Postma Smit Visser',
);
const british = style(
  'Fasteners Bearings Seals Drives Electrical Fluid-Power Lubricants Steel Packaging Safety Tools Haulage Engineering',
  'Ashworth Bradley Cartwright Dalton Eastwood Fairfax Garside Holloway Kingsley Langley Marlow Norton Oakley Pemberton Radcliffe Stanton Thornton Whitmore',
);

export const companyStyles: Readonly<Record<string, CompanyStyle>> = {
  DE: german,
  AT: german,
  NL: dutch,
  BE: dutch,
  GB: british,
  IE: british,
  FR: style(
    'Visserie Roulements Joints Transmissions Électricité Hydraulique Lubrifiants Aciers Emballages Protection Outillage Transports Maintenance',
    'Aubert Blanchard Chevalier Delacroix Fontaine Garnier Lambert Marchand Perrin Rousseau Vasseur',
  ),
  IT: style(
    'Viteria Cuscinetti Guarnizioni Trasmissioni Elettrica Oleodinamica Lubrificanti Acciai Imballaggi Antinfortunistica Utensili Trasporti Manutenzioni',
    'Bianchi Colombo Ferrari Galli Marini Moretti Rinaldi Serra Valenti Zanetti',
  ),
  PL: style(
    'Śruby Łożyska Uszczelnienia Napędy Elektro Hydraulika Smary Stal Opakowania BHP Narzędzia Transport Serwis',
    'Baran Cieślak Dudek Jabłoński Kaczmarek Malinowski Sikora Wilk Zając',
  ),
  US: style(
    'Fasteners Bearings Seals Power-Transmission Electric Fluid-Power Lubricants Steel Packaging Safety Tooling Freight Services',
    'Anderson Brooks Carter Dawson Ellis Franklin Hayes Jackson Mercer Porter Sullivan Turner',
  ),
  ES: style(
    'Tornillería Rodamientos Juntas Transmisiones Electricidad Hidráulica Lubricantes Aceros Embalajes Protección Herramientas Transportes Mantenimiento',
    'Ferrer García Iglesias López Martínez Navarro Serrano Vidal',
  ),
  PT: style(
    'Parafusos Rolamentos Vedantes Transmissões Electricidade Hidráulica Lubrificantes Aços Embalagens Protecção Ferramentas Transportes Manutenção',
    'Almeida Carvalho Ferreira Moreira Ribeiro Teixeira',
  ),
  SE: style(
    'Fästelement Kullager Tätningar Drivteknik Elteknik Hydraulik Smörjmedel Stål Förpackningar Skydd Verktyg Åkeri Service',
    'Andersson Bergström Lindqvist Nyström Sandberg Wallin',
  ),
  DK: style(
    'Befæstelse Lejer Tætninger Drivteknik Elteknik Hydraulik Smøremidler Stål Emballage Sikkerhed Værktøj Spedition Service',
    'Christensen Jørgensen Kjær Madsen Rasmussen Thomsen',
  ),
  NO: style(
    'Festemidler Lagre Tetninger Drivteknikk Elektro Hydraulikk Smøremidler Stål Emballasje Verneutstyr Verktøy Spedisjon Service',
    'Berge Dahl Haugen Lund Solberg Strand',
  ),
  FI: style(
    'Kiinnikkeet Laakerit Tiivisteet Voimansiirto Sähkö Hydrauliikka Voiteluaineet Teräs Pakkaukset Suojaimet Työkalut Kuljetus Huolto',
    'Heikkinen Koskinen Laine Mäkelä Niemi Virtanen',
  ),
  HU: style(
    'Csavar Csapágy Tömítés Hajtástechnika Villamosság Hidraulika Kenőanyag Acél Csomagolás Munkavédelem Szerszám Fuvarozás Szerviz',
    'Balogh Farkas Horváth Kovács Szabó Tóth',
  ),
  CZ: style(
    'Spojovací-materiál Ložiska Těsnění Pohony Elektro Hydraulika Maziva Ocel Obaly Ochrana Nástroje Doprava Servis',
    'Beneš Dvořák Horák Kučera Novotný Svoboda',
  ),
  TR: style(
    'Cıvata Rulman Conta Tahrik Elektrik Hidrolik Yağ Çelik Ambalaj Güvenlik Takım Nakliyat Servis',
    'Aydın Demir Kaya Öztürk Şahin Yılmaz',
  ),
  IN: style(
    'Fasteners Bearings Seals Drives Electricals Hydraulics Lubricants Steel Packaging Safety Tools Logistics Engineering',
    'Deshmukh Joshi Kulkarni Mehta Patil Shah',
  ),
  CN: style(
    'Fasteners Bearings Seals Transmission Electric Hydraulics Lubricants Steel Packaging Safety Tools Logistics Engineering',
    'Dongfang Hengda Jinlong Ruitai Xinhua Zhongtian',
  ),
  JP: style(
    'Fasteners Bearings Seals Drives Electric Hydraulics Lubricants Steel Packaging Safety Tools Logistics Engineering',
    'Aoki Fujimoto Ishikawa Matsuda Nakamura Yamada',
  ),
};
