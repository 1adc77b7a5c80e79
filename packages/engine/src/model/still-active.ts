import { connectionById, type Store } from '@unified/store';

/** Whether a connection may be used now; a worker asks between two pages and between two writes. */
export async function isStillActive(store: Store, connectionId: string): Promise<boolean> {
  return (await connectionById(store, connectionId))?.status === 'active';
}
