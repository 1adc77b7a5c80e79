import type { SeedRow } from '../../row.ts';
import { by, type Links } from './link.ts';

/**
 * Purchase orders, requisitions and production orders for open sales orders, and the documents that quotes and returns
 * led to.
 */
export const salesOrders: Links = (rows) => {
  const orders = by(rows('vkkopf'), ({ vknr }) => vknr);
  const customers = by(rows('kunde'), ({ kdnr }) => kdnr);
  const isOpen = ({ vknr }: SeedRow) => ['20', '30'].includes(String(orders.get(String(vknr))?.status));
  const awaited = by(
    rows('vkpos').filter((line) => line.typ === 'A' && isOpen(line)),
    ({ artid }) => artid,
  );
  const awaits = ({ artid }: SeedRow) => awaited.get(String(artid));
  const bought = Map.groupBy(rows('bestpos'), ({ bestnr }) => bestnr);
  const unsent = by(
    rows('banf').filter(({ status }) => ['E', 'V', 'F'].includes(String(status))),
    ({ banfnr }) => banfnr,
  );
  const invoiceOf = by(rows('rechkopf'), ({ zeichen }) => zeichen);
  const creditOf = by(rows('gutschrift'), ({ retnr }) => retnr);
  const isFree = ({ status, banfnr, projnr }: SeedRow) =>
    ['E', 'V', 'F', 'G'].includes(String(status)) && banfnr === null && projnr === null;
  // The vendor delivers directly to the customer.
  const direct = new Map(
    rows('bestkopf')
      .filter(isFree)
      .flatMap(({ bestnr = null }) => {
        const line = bought.get(bestnr)?.find(awaits);
        const order = orders.get(String(line && awaits(line)?.vknr));
        return order ? [[bestnr, order] as const] : [];
      }),
  );
  return {
    bestkopf: ({ bestnr = null }) => {
      const order = direct.get(bestnr);
      const customer = customers.get(String(order?.kdnr));
      if (!order || !customer) return { vknr: null, kdnr: null, ...nowhere };
      const { re_name, re_strasse, re_plz, re_ort, re_lkz } = customer as Required<SeedRow>;
      const there = { la_name: re_name, la_strasse: re_strasse, la_plz: re_plz, la_ort: re_ort, la_lkz: re_lkz };
      return { vknr: order.vknr, kdnr: order.kdnr, lieferplatz: null, ...there } as SeedRow;
    },
    bestpos: ({ bestnr = null, lieferplatz = null }) => ({ lieferplatz: direct.has(bestnr) ? null : lieferplatz }),
    banfpos: (row) => ({ vknr: unsent.has(String(row.banfnr)) ? (awaits(row)?.vknr ?? null) : null }),
    fauf: (row) => {
      const line = String(row.status) < '60' ? awaits(row) : undefined;
      return { vknr: line?.vknr ?? null, vkpos: line ? `${line.vknr}/${line.posnr}` : null };
    },
    angkopf: ({ belegnr }) => ({ rechnr: invoiceOf.get(String(belegnr))?.rechnr ?? null }),
    retoure: ({ retnr }) => ({ gutnr: creditOf.get(String(retnr))?.gutnr ?? null }),
  };
};

const nowhere = { la_name: null, la_strasse: null, la_plz: null, la_ort: null, la_lkz: null };
