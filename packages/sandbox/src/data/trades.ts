/** Trades of vendors, in the order of the words in `CompanyStyle.trades`. */
export const trades = [
  'fasteners',
  'bearings',
  'seals',
  'drives',
  'electrical',
  'hydraulics',
  'lubricants',
  'metal',
  'packaging',
  'safety',
  'tools',
  'transport',
  'services',
] as const;
export type Trade = (typeof trades)[number];

/** The trade that supplies a group of items; machines are made here. */
export const tradeOf: Readonly<Record<string, Trade>> = {
  'G-FAST-B': 'fasteners',
  'G-FAST-N': 'fasteners',
  'G-BEAR': 'bearings',
  'G-SEAL': 'seals',
  'G-DRIVE': 'drives',
  'G-ELEC': 'electrical',
  'G-PNEU': 'hydraulics',
  'G-HYDR': 'hydraulics',
  'G-LUBE': 'lubricants',
  'G-RAW': 'metal',
  'G-PACK': 'packaging',
  'G-SAFE': 'safety',
  'G-FIN': 'services',
  'G-SERV': 'services',
  'G-TOOL': 'tools',
};

/** Group of the vendors of a trade, and the note about them. */
export const vendorGroups: Readonly<Record<Trade, readonly [group: string, description: string]>> = {
  fasteners: ['L-TRADE', 'Screws, nuts and washers from stock'],
  bearings: ['L-TRADE', 'Bearings, including special sizes'],
  seals: ['L-TRADE', 'Seals cut to drawing'],
  drives: ['L-MAT', 'Belts, chains and couplings'],
  electrical: ['L-MAT', 'Motors, sensors and controls'],
  hydraulics: ['L-MAT', 'Hoses are crimped while you wait'],
  lubricants: ['L-MAT', 'Oils in drums and canisters'],
  metal: ['L-MAT', 'Sheet and bars, cut to length'],
  packaging: ['L-TRADE', 'Cartons and film, delivers twice a week'],
  safety: ['L-TRADE', 'Workwear and protective equipment'],
  tools: ['L-TRADE', 'Tools, with a calibration service'],
  transport: ['L-TRANS', 'General cargo and full loads'],
  services: ['L-SERV', 'Repairs on site, certified to ISO 9001'],
};
