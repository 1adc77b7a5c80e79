import { entities } from '@unified/contract';
import { createWebhookEndpoint, type NewEndpoint, type Scope, type Store, saveRecords } from '@unified/store';

/** Registers an endpoint, by default for all events about records. */
export async function register(store: Store, { applicationId }: Scope, given: Partial<NewEndpoint> & { url: string }) {
  const events = ['record.created', 'record.updated', 'record.deleted'] as const;
  const defaults: Omit<NewEndpoint, 'url'> = { events, entities: [], connectionIds: [], payload: 'thin' };
  const { endpoint, secret } = await createWebhookEndpoint(store.application(applicationId), { ...defaults, ...given });
  return { ...endpoint, secret };
}

/** Creates or changes the vendor with this key: one change. */
export async function saveVendor(scope: Scope, key: string, name: string): Promise<void> {
  const { Vendor } = entities;
  await saveRecords(scope, Vendor, [{ _source: 'test', _idValue: key, values: { name }, references: {} }]);
}
