// Changes records of one connection until it is stopped, a page after another, as a sync does that never waits for its system.
import { entities } from '@unified/contract';
import { connectionById, openStore, saveRecords } from '@unified/store';
import { vendor } from '../list-fixture.ts';
import { reportUse } from './report-use.ts';

const { DATABASE_URL: databaseUrl = '', CONNECTION_ID: connectionId = '', COPIES = '1' } = process.env;
const PAGE = 500;

const store = await openStore({ databaseUrl, publicUrl: 'http://localhost:4000', entities });
const { applicationId = '' } = (await connectionById(store, connectionId)) ?? {};
const scope = store.scope({ applicationId, connectionId });
reportUse();
process.send?.({ port: 0 });

/** A record of any copy, with values that differ from those that are stored. */
function changedVendor(number: number, generation: number) {
  const copy = Math.floor(Math.random() * Number(COPIES));
  const { _idValue, ...record } = vendor(number);
  const values = { ...record.values, description: `Changed for the ${generation}th time` };
  return { ...record, values, _idValue: copy === 0 ? _idValue : `${_idValue}-${copy}` };
}

for (let generation = 1; ; generation += 1) {
  const first = (generation % 2) * PAGE;
  const page = Array.from({ length: PAGE }, (_, index) => changedVendor(first + index, generation));
  await saveRecords(scope, entities.Vendor, page);
}
