import { by, type Links } from './link.ts';

/** Leases of customers that have a contract. */
export const leases: Links = (rows) => {
  const contracts = by(
    rows('vertrag').filter(({ partei_art }) => partei_art === 'K'),
    ({ partei }) => partei,
  );
  return {
    mietvertrag: ({ mieter_art, mieter }) => ({
      vtrnr: mieter_art === 'K' ? (contracts.get(String(mieter))?.vtrnr ?? null) : null,
    }),
  };
};
