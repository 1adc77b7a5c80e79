/** Remarks on single entries of the master data; keys as in their tables. */
const remarks: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  waehrung: { CLP: 'Without decimals', JPY: 'Without decimals', HUF: 'Rounded to 5 when paid in cash' },
  land: { GB: 'Customs papers needed since 2021', US: 'Crates need the ISPM 15 mark' },
  sprache: { deu: 'Drawings are written in it', eng: 'Contracts are written in it' },
  einheit: { SET: 'Counted as one, however many parts it has', KM: 'For vehicles' },
  schluessel: {
    'S-DUP': 'Same need as an earlier request',
    'S-NOT': 'The need is gone',
    'L-ONE': 'Bought from once; no credit check',
    'X-CAPEX': 'Goes on the balance sheet',
  },
  status_def: {
    'AUF/30': 'Parts are ordered and have not arrived',
    'AUF/50': 'Cost is booked; nothing can be changed',
    'BES/T': 'Some of the goods are still to come',
  },
  ort: { 'DE-HH': 'City and federal state', 'DE-BE': 'City and federal state' },
  mandant: { '001': 'Holds the shares of the others' },
  abteilung: { '4300': 'Makes jigs and fixtures for all plants', '5300': 'Sends spare parts to all of Britain' },
  gjkal: { 'FY-445': 'Quarters of four, four and five weeks' },
  werk: { 'K-LYN': 'Fitters for the south of France start here', HQ: 'No goods are taken in here' },
  platz: { 'HAM-D-W1': 'Rented since 2019', 'HAM-A-R1': 'Key with the shift leader' },
  konto: { '0080': 'Until the asset is taken into use', '1060': 'On its way between two banks' },
};

/** Remark on the entry with this key; null if there is none. */
export function remark(table: string, key: string): string | null {
  return remarks[table]?.[key] ?? null;
}
