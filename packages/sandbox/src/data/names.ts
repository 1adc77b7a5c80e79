/** Given and family names of the people of the company. */
export const firstNames =
  'Anna Ben Clara David Elena Felix Greta Hannes Ida Jan Katrin Lukas Marta Nils Olga Paul Rita Simon Tanja Uwe Vera Wolf Yasmin Adam Beata Connor Daisy Emil Fiona George Helen Ivan Julia Karol Laura Mark Nina Oscar Petra Robin Sofia Tom Ursula Viktor Wanda Agnes Bruno Cecile Dirk Eva'.split(
    ' ',
  );
export const lastNames =
  'Albrecht Becker Claassen Dietrich Engel Fischer Graf Hartmann Ivanov Jansen Koch Lange Meyer Nowak Otto Peters Quandt Richter Schmidt Thiel Ullrich Vogel Wagner Zimmermann Adams Baker Clarke Davies Evans Foster Green Harris Irving Jones Kowalski Lewandowski Mazur Nielsen Olsen Pawlak Reid Smith Taylor Underwood Vance Walker Young Zielinski Brandt Kramer'.split(
    ' ',
  );

/** How companies are called where they are at home: legal form, trades, and the words that go before them. */
export const companyStyles: Readonly<
  Record<string, { readonly form: string; readonly trades: readonly string[]; readonly names: readonly string[] }>
> = {
  DE: {
    form: 'GmbH',
    trades:
      'Antriebstechnik Metallbau Maschinenbau Werkzeuge Elektrotechnik Hydraulik Verpackungen Dichtungen Schweißtechnik Fördertechnik Lagertechnik Messtechnik'.split(
        ' ',
      ),
    names:
      'Ahlers Bergmann Conrad Dörner Ehlert Feldmann Gerlach Hoffmann Ising Jahn Kessler Lindner Münch Neumann Ohlsen Pohl Rademacher Sander Tiedemann Unger Volkmann Westphal Ziegler'.split(
        ' ',
      ),
  },
  GB: {
    form: 'Ltd.',
    trades:
      'Engineering Bearings Fasteners Hydraulics Packaging Tools Electrical Automation Logistics Castings Coatings Springs'.split(
        ' ',
      ),
    names:
      'Ashworth Bradley Cartwright Dalton Eastwood Fairfax Garside Holloway Kingsley Langley Marlow Norton Oakley Pemberton Radcliffe Stanton Thornton Whitmore'.split(
        ' ',
      ),
  },
  FR: {
    form: 'SAS',
    trades: 'Mécanique Outillage Hydraulique Emballages Électricité Roulements Soudure Automatisme'.split(' '),
    names: 'Aubert Blanchard Chevalier Delacroix Fontaine Garnier Lambert Marchand Perrin Rousseau Vasseur'.split(' '),
  },
  IT: {
    form: 'S.r.l.',
    trades: 'Meccanica Utensili Oleodinamica Imballaggi Cuscinetti Automazione Saldature'.split(' '),
    names: 'Bianchi Colombo Ferrari Galli Marini Moretti Rinaldi Serra Valenti Zanetti'.split(' '),
  },
  PL: {
    form: 'Sp. z o.o.',
    trades: 'Mechanika Narzędzia Hydraulika Opakowania Łożyska Automatyka Spawalnictwo'.split(' '),
    names: 'Baran Cieślak Dudek Jabłoński Kaczmarek Malinowski Sikora Wilk Zając'.split(' '),
  },
  US: {
    form: 'Inc.',
    trades: 'Industrial Bearings Tooling Fluid-Power Packaging Controls Fabrication Supply'.split(' '),
    names: 'Anderson Brooks Carter Dawson Ellis Franklin Hayes Jackson Mercer Porter Sullivan Turner'.split(' '),
  },
  NL: {
    form: 'B.V.',
    trades: 'Techniek Gereedschap Hydrauliek Verpakking Lagers Transport'.split(' '),
    names: 'Bakker Dekker Hendriks Jacobs Kuiper Mulder Postma Smit Visser'.split(' '),
  },
};

export const streets =
  'Industriestr.|Hafenstr.|Werkstr.|Bahnhofstr.|Gewerbering|Ringstr.|Am Kanal|Mill Lane|Station Road|Foundry Street|Dock Road|Park Avenue|Rue de la Gare|Via Roma|Ulica Fabryczna|Kerkstraat'.split(
    '|',
  );
