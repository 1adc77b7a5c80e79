import type { SeedRow } from '../../row.ts';
import { daysSince } from '../../time.ts';
import { type Tax, taxOfVendor } from '../master/party-taxes.ts';
import { purchaseOrderTables } from '../orders/purchase-orders.ts';

/** A fully received purchase order. */
export interface Arrival {
  readonly bestnr: number;
  readonly liefnr: number;
  readonly tax: Tax;
  readonly currency: string;
  /** Days since the goods arrived. */
  readonly arrived: number;
  readonly lines: readonly {
    readonly posnr: number;
    readonly artid: number;
    readonly text: string;
    readonly quantity: number;
    readonly unit: string;
    readonly price: number;
  }[];
}

/** Purchase orders that are fully received but not closed. */
export const arrivals: readonly Arrival[] = everyArrival();

function everyArrival(): Arrival[] {
  const [heads = [], positions = []] = purchaseOrderTables().map(({ rows }) => rows);
  return heads
    .filter(({ status }) => status === 'L')
    .map((head) => ({
      bestnr: Number(head.bestnr),
      liefnr: Number(head.liefnr),
      tax: taxOfVendor(String(head.mand), Number(head.liefnr)),
      currency: String(head.waehr),
      arrived: daysSince(head.erledigt_am),
      lines: positions.filter(({ bestnr, typ }) => bestnr === head.bestnr && typ === 'A').map(goods),
    }))
    .filter(({ lines }) => lines.length > 0);
}

function goods({ posnr, artid, text, mg_wareneingang, eh, preis }: SeedRow): Arrival['lines'][number] {
  return {
    posnr: Number(posnr),
    artid: Number(artid),
    text: String(text),
    quantity: Number(mg_wareneingang),
    unit: String(eh),
    price: Number(preis),
  };
}
