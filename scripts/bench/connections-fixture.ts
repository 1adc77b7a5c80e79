import { entities } from '@unified/contract';
import { connectionById, createConnection, issueConnectionToken, openStore } from '@unified/store';
import { listFixture } from './list-fixture.ts';
import { copyVendors } from './multiply-vendors.ts';

export interface ConnectionsFixture {
  /** Ids of all connections. */
  readonly ids: readonly string[];
  /** A token of each. */
  readonly tokens: readonly string[];
}

/** Connections that are created at the same time. */
const AT_ONCE = 8;

/** The connections of one application to the generated system, each with the same number of vendors. None is due. */
export async function connectionsFixture(
  databaseUrl: string,
  { count, vendors }: { readonly count: number; readonly vendors: number },
): Promise<ConnectionsFixture> {
  const first = await listFixture(databaseUrl, vendors);
  const key = { id: 'bench', bytes: Buffer.alloc(32, 7) };
  const store = await openStore({ databaseUrl, publicUrl: 'http://localhost:4000', entities, key, poolSize: AT_ONCE });
  try {
    const { applicationId = '' } = (await connectionById(store, first.connectionId)) ?? {};
    const made: ListMade[] = [{ id: first.connectionId, token: first.token }];
    const numbers = Array.from({ length: count - 1 }, (_, index) => index + 1).values();
    const makeEach = async () => {
      for (const number of numbers) {
        const given = { applicationId, platform: 'generated', name: `Connection ${number}`, settings: {} };
        const { id } = await createConnection(store, given);
        made.push({ id, token: (await issueConnectionToken(store, { connectionId: id })).token });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, makeEach));
    const ids = made.map(({ id }) => id);
    await copyVendors(databaseUrl, first.connectionId, ids.slice(1));
    return { ids, tokens: made.map(({ token }) => token) };
  } finally {
    await store.close();
  }
}

interface ListMade {
  readonly id: string;
  readonly token: string;
}
