import type { SeedRow } from '../../row.ts';
import type { Links } from './link.ts';

/**
 * A record, identified by the letter of its kind and its number. A step of a work order is identified by the number of the order
 * and its own.
 */
type Subject = readonly [kind: string, number: SeedRow[string] | undefined];

/**
 * Contracts link to the files of their subject; maintenance documents link to these and to their own files. Items and assets
 * have a picture.
 */
export const files: Links = (rows) => {
  const about = Map.groupBy(rows('anhang'), ({ bezug_art, bezug, ziel }) => `${bezug_art}${ziel ?? bezug}`);
  const filesOf = (...subjects: readonly Subject[]) => {
    const found = subjects.flatMap(([kind, number]) => about.get(`${kind}${number}`) ?? []);
    return { anhaenge: found.map(({ anhnr }) => anhnr).join(' ') || null };
  };
  const picture = (kind: string, number: Subject[1]) =>
    about.get(`${kind}${number}`)?.find(({ art }) => art === 'B')?.anhnr ?? null;
  const each = (kind: string, list: SeedRow[string] | undefined): Subject[] =>
    list
      ? String(list)
          .split(' ')
          .map((number) => [kind, number] as const)
      : [];
  return {
    vertrag: ({ partei_art, partei }) => filesOf([String(partei_art), partei]),
    meldung: ({ meldnr, anlnr }) => filesOf(['M', meldnr], ['G', anlnr]),
    wplan: ({ wpnr, anlagen }) => filesOf(['W', wpnr], ...each('G', anlagen)),
    aufschritt: ({ aufid, schritt, anlnr }) => filesOf(['S', `${aufid}/${schritt}`], ['A', aufid], ['G', anlnr]),
    anlage: ({ anlnr }) => ({ bild: picture('G', anlnr) }),
    artikel: ({ artid }) => ({ bildnr: picture('T', artid) }),
  };
};
