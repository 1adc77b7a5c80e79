import type { Made } from '../stock/goods.ts';
import { homeOf } from '../stock/levels.ts';
import { neededOf } from './order-materials.ts';
import { type ProductionOrder, productionOrders } from './production-orders.ts';

/** The goods of all finished production orders. */
export const madeGoods: readonly Made[] = productionOrders
  .filter(({ status }) => status === '60' || status === '80')
  .flatMap((order): Made[] => {
    const level = homeOf.get(order.bill.product.artid);
    const quantity = order.operations.at(-1)?.good ?? 0;
    return level && quantity > 0
      ? [{ faufnr: order.faufnr, level, quantity, ended: endOf(order), parts: partsOf(order) }]
      : [];
  });

/** Days since an order ended. */
function endOf({ begins, operations }: ProductionOrder): number {
  return begins - operations.reduce((latest, { from, actual }) => Math.max(latest, from + actual), 0) / 1_440;
}

function partsOf({ bill, quantity }: ProductionOrder): Made['parts'] {
  return bill.components.flatMap((component) => {
    const level = homeOf.get(component.article.artid);
    return level ? [{ level, quantity: neededOf(component, quantity) }] : [];
  });
}
