import { by, type Links } from './link.ts';

/** Bins that material is taken from, and bins where deliveries wait to be put away. */
export const bins: Links = (rows) => {
  const shelves = Map.groupBy(
    rows('fach').filter(({ kz_entnahme }) => kz_entnahme === 'J'),
    ({ platznr }) => platznr,
  );
  const arrivals = by(
    rows('fach').filter(({ zone }) => zone === 'IN'),
    ({ platznr }) => platznr,
  );
  const receipts = by(rows('wekopf'), ({ wenr }) => wenr);
  return {
    aufmat: ({ platznr, kz_lager }, index) => {
      const there = kz_lager === 'J' ? shelves.get(platznr ?? null) : undefined;
      return { fachnr: there?.[index % there.length]?.fachnr ?? null };
    },
    wepos: ({ wenr, platznr }, index) => {
      const place = platznr ?? receipts.get(String(wenr))?.platznr;
      return { fachnr: index % 4 === 0 ? (arrivals.get(String(place))?.fachnr ?? null) : null };
    },
  };
};
