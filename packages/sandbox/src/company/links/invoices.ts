import { by, type Links } from './link.ts';

/** References of vendor invoices to their order, contract and receipt. */
export const vendorInvoices: Links = (rows) => {
  const orders = by(rows('bestkopf'), ({ bestnr }) => bestnr);
  const lines = by(rows('bestpos'), ({ bestnr, posnr }) => `${bestnr}/${posnr}`);
  const received = by(rows('wepos'), ({ best_pos }) => best_pos);
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
