/** Code of the combined nomenclature of the European Union, and lightest and heaviest weight of one unit in grams. */
export interface ItemCustoms {
  readonly code: string;
  readonly grams: readonly [number, number];
}

/** Customs data of the items of a group; services have none. */
export const itemCustoms: Readonly<Record<string, ItemCustoms>> = {
  'G-FAST-B': { code: '73181595', grams: [2, 450] },
  'G-FAST-N': { code: '73181699', grams: [1, 120] },
  'G-BEAR': { code: '84821090', grams: [20, 9_000] },
  'G-SEAL': { code: '40169300', grams: [1, 600] },
  'G-DRIVE': { code: '84835080', grams: [50, 18_000] },
  'G-ELEC': { code: '85365019', grams: [15, 12_000] },
  'G-PNEU': { code: '84123100', grams: [40, 6_000] },
  'G-HYDR': { code: '84122180', grams: [100, 24_000] },
  'G-LUBE': { code: '27101987', grams: [840, 930] },
  'G-RAW': { code: '72155019', grams: [500, 60_000] },
  'G-PACK': { code: '48191000', grams: [20, 1_600] },
  'G-SAFE': { code: '61161080', grams: [20, 2_400] },
  'G-TOOL': { code: '82055980', grams: [40, 6_500] },
  'G-FIN': { code: '84223000', grams: [80_000, 2_400_000] },
};
