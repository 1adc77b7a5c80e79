import type { WriteRecord } from '@unified/sdk';
import type { TrytonConnection } from './tryton-connection.ts';

/** The writes of one queue, and their effects, which can be checked in Tryton afterwards. */
export interface QueueWork {
  readonly connection: TrytonConnection;
  /** Names of vendors to create, in order. */
  readonly names: string[];
  /** References of orders to create, in order. */
  readonly references: string[];
  /** Final phone and tax number by vendor code. */
  readonly changes: Map<string, { phone: string; taxNumber: string }>;
  readonly writeIds: string[];
}

/** Number of writes of one kind in each queue. */
const CREATES = 33;
const ORDERS = 15;
const CHANGED_VENDORS = 6;

/** Sends 60 mixed writes to a queue: vendors, orders, and two changes each for some of its vendors. */
export async function queueWrites(connection: TrytonConnection, index: number): Promise<QueueWork> {
  const { client } = connection;
  const vendors = (await client.vendors.list({ filter: { code: { startsWith: 'V' } }, sort: 'code' })).data;
  const [item] = (await client.inventoryItems.list({ filter: { code: 'PUMP-1' } })).data;
  const own = vendors.slice(index * CHANGED_VENDORS, (index + 1) * CHANGED_VENDORS);
  const work: QueueWork = { connection, names: [], references: [], changes: new Map(), writeIds: [] };
  const queue = async (write: Promise<WriteRecord>) => void work.writeIds.push((await write).writeId);
  const later = { respondAsync: true } as const;

  const createVendor = (n: number) => {
    const name = `Survivor ${index}-${n}`;
    work.names.push(name);
    return client.vendors.create({ name, email: `survivor-${index}-${n}@kill.example` }, later);
  };
  const createOrder = (n: number) => {
    const reference = `SURVIVOR-${index}-${n}`;
    work.references.push(reference);
    const lines = [{ item: { id: item?.id ?? '' }, quantity: n + 1, unitPrice: 10 }];
    return client.purchaseOrders.create({ vendor: { id: own[n % own.length]?.id ?? '' }, reference, lines }, later);
  };
  const changeVendor = (n: number) => {
    const { id = '', code = '' } = own[n % own.length] ?? {};
    const change = { phone: `+49 ${index} ${n}`, taxNumber: `TAX ${index} ${n}` };
    work.changes.set(code, change);
    return client.vendors.update(id, change, later);
  };
  for (let n = 0; n < CREATES; n += 1) {
    await queue(createVendor(n));
    if (n < ORDERS) await queue(createOrder(n));
    if (n < 2 * CHANGED_VENDORS) await queue(changeVendor(n));
  }
  return work;
}
