import { readFileSync } from 'node:fs';

const file = (name: string) => readFileSync(new URL(name, import.meta.url));

/** Orders with lines, an action and V4 types. */
export const ORDERS_V4: Buffer = file('orders-v4.edmx');
/** Partners with addresses, a function import and V2 types, with SAP attributes. */
export const PARTNERS_V2: Buffer = file('partners-v2.edmx');
