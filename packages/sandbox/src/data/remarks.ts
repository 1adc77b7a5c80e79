/** Remarks on single entries of the master data; keys as in their tables. */
const remarks: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  waehrung: { CLP: 'Without decimals', JPY: 'Without decimals', HUF: 'Rounded to 5 when paid in cash' },
  land: { GB: 'Customs papers needed since 2021', US: 'Crates need the ISPM 15 mark' },
  sprache: { deu: 'Used in drawings', eng: 'Used in contracts' },
  einheit: { SET: 'Counted as one, regardless of the number of parts', KM: 'For vehicles' },
  schluessel: {
    'S-DUP': 'Duplicate of an earlier request',
    'S-NOT': 'No longer needed',
    'L-ONE': 'One-time vendor; no credit check',
    'X-CAPEX': 'Goes on the balance sheet',
  },
  status_def: {
    'AUF/30': 'Parts are ordered and have not arrived',
    'AUF/50': 'Costs are posted; no further changes',
    'BES/T': 'Some goods are still outstanding',
  },
  ort: { 'DE-HH': 'City and federal state', 'DE-BE': 'City and federal state' },
  mandant: { '001': 'Holds the shares of the others' },
  abteilung: { '4300': 'Makes jigs and fixtures for all plants', '5300': 'Sends spare parts to all of Britain' },
  gjkal: { 'FY-445': 'Quarters of four, four and five weeks' },
  werk: { 'K-LYN': 'Base of the technicians for the south of France', HQ: 'No goods receipts at this site' },
  platz: { 'HAM-D-W1': 'Rented since 2019', 'HAM-A-R1': 'Keys are with the shift supervisor' },
  konto: { '0080': 'Until the asset is placed in service', '1060': 'In transit between two banks' },
};

/** Remark on the entry with this key; null if there is none. */
export function remark(table: string, key: string): string | null {
  return remarks[table]?.[key] ?? null;
}
