import { readFileSync } from 'node:fs';

const file = (name: string) => readFileSync(new URL(name, import.meta.url));

/** Orders with lines, an action and the types of V4. */
export const ORDERS_V4: Buffer = file('orders-v4.edmx');
/** Partners with addresses, a function import and the types of V2, with the attributes of SAP. */
export const PARTNERS_V2: Buffer = file('partners-v2.edmx');
