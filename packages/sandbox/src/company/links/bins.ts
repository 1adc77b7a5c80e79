import type { Links } from './link.ts';

/** Bins that material is taken from. */
export const bins: Links = (rows) => {
  const shelves = Map.groupBy(
    rows('fach').filter(({ kz_entnahme }) => kz_entnahme === 'J'),
    ({ platznr }) => platznr,
  );
  return {
    aufmat: ({ platznr, kz_lager }, index) => {
      const there = kz_lager === 'J' ? shelves.get(platznr ?? null) : undefined;
      return { fachnr: there?.[index % there.length]?.fachnr ?? null };
    },
  };
};
