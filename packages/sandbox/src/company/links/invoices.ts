import type { SeedRow } from '../../row.ts';
import { by, type Links } from './link.ts';

/** References of vendor invoices to their order, contract and receipt. */
export const vendorInvoices: Links = (rows) => {
  const orders = by(rows('bestkopf'), ({ bestnr }) => bestnr);
  const lines = by(rows('bestpos'), ({ bestnr, posnr }) => `${bestnr}/${posnr}`);
  const returns = new Set(rows('wekopf').flatMap(({ wenr, kz_retour }) => (kz_retour === 'J' ? [wenr] : [])));
  const received = by(
    rows('wepos').filter(({ wenr }) => !returns.has(wenr)),
    ({ best_pos }) => best_pos,
  );
  return {
    rechkopf: ({ bestnr }) => {
      const order = bestnr === null ? undefined : orders.get(String(bestnr));
      return { projnr: order?.projnr ?? null, vtrnr: order?.vtrnr ?? null };
    },
    rechpos: ({ best_pos }) => {
      const [line, receipt] = best_pos === null ? [] : [lines.get(String(best_pos)), received.get(String(best_pos))];
      return {
        projnr: line?.projnr ?? null,
        anlnr: line?.anlnr ?? null,
        we_pos: receipt ? `${receipt.wenr}/${receipt.posnr}` : null,
      };
    },
  };
};

/** Billed quantities of orders: those of the bills and invoices that are posted. */
export const billed: Links = (rows) => {
  const posted = new Set(
    rows('rechkopf').flatMap(({ status, rechnr }) => ('FGTUB'.includes(String(status)) ? [rechnr] : [])),
  );
  const quantities = new Map<string, number>();
  for (const { rechnr, best_pos, vk_pos, menge } of rows('rechpos')) {
    const position = String(best_pos ?? vk_pos);
    if (posted.has(rechnr ?? null)) quantities.set(position, (quantities.get(position) ?? 0) + Number(menge));
  }
  const billedOf = ({ bestnr, vknr, posnr }: SeedRow) => quantities.get(`${bestnr ?? vknr}/${posnr}`) ?? 0;
  return {
    bestpos: (line) => ({ mg_rechnung: billedOf(line) }),
    vkpos: (line) => ({ mg_rechnung: billedOf(line) }),
  };
};
