import { openDriver } from '@unified/connectors';
import { createApplication, createConnection } from '@unified/store';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { httpServer } from '../../../connectors/test/http-server.ts';
import { type LimitedParents, limitedParents } from '../../../connectors/test/limited-parents.ts';
import { platformOfTexts } from '../../../connectors/test/platform-of-texts.ts';
import { asked, reply } from '../../../connectors/test/rest-system.ts';
import { log, startHarness } from '../../test/harness.ts';
import { syncEnd } from '../../test/sync-end.ts';
import { createEngine, type Systems } from '../index.ts';

const PLATFORM = `
id: limited
name: Limited System
driver: rest
settings:
  type: object
  required: [url]
  properties: { url: { type: string, format: uri }, allowPrivateHosts: { type: boolean } }
identifiedBy: [url]
options: { authentication: { bearer: true }, check: /me }
defaults: { key: id, deletes: diff }
streams:
  things: { cursor: updated, options: { list: { address: /things, rows: items }, changes: { parameter: since } } }
  parts: { cursor: updated, options: { list: { address: '/things/{thing}/parts', rows: items }, parents: { stream: things, as: thing } } }
`;
const MAPPING = 'entity: Unit\nstream: parts\nfields: { name: name, code: sign }\n';

const harness = await startHarness();
const { store, databaseUrl } = harness;
const platform = platformOfTexts(PLATFORM, { unit: MAPPING });
const systems: Systems = { platformOf: () => platform, openDriver };
const engine = createEngine({ store, databaseUrl, log, systems });
afterAll(() => engine.close());
await harness.worker({ systems, syncs: 1 });
let system: LimitedParents;
let applications = 0;

beforeEach(async () => {
  system = await limitedParents();
});

/** A connection to a system. */
async function connected({ url }: { readonly url: URL } = system) {
  applications += 1;
  const { id: applicationId } = await createApplication(store, `Limited ${applications}`);
  const settings = { url: url.href, allowPrivateHosts: true };
  const { id } = await createConnection(store, { applicationId, platform: platform.id, name: 'Limited', settings });
  const scope = store.scope({ applicationId, connectionId: id });
  return {
    async sync(mode: 'full' | 'incremental') {
      await engine.requestSync(id, mode);
      await syncEnd(databaseUrl, id, 60_000);
      return (await engine.syncStatus(scope)).find(({ stream }) => stream === 'parts');
    },
  };
}

test('a full pass with one call per parent is completed in spite of a limit of calls, and reads each list once', async () => {
  const { sync } = await connected();
  const status = await sync('full');
  expect(status).toMatchObject({ error: null, rowsSeen: 40, lastFullAt: expect.any(String) });
  const lists = system.calls.filter((path) => path.endsWith('/parts'));
  expect(lists).toHaveLength(60);
  expect(status?.problems).toEqual([expect.objectContaining({ reason: 'missing_column', path: 'sign' })]);
});

/** A system with two lists of parts; while it is closed, it refuses the second one. */
async function twoLists() {
  const twoThings = { isClosed: false, columns: {} };
  const url = await httpServer((request, response) => {
    const { pathname, searchParams } = asked(request);
    const id = Number(/^\/things\/(\d+)\/parts$/.exec(pathname)?.[1]);
    if (id === 2 && twoThings.isClosed) response.writeHead(429, { 'retry-after': '0' }).end();
    else if (id) reply(response, { items: [{ id, name: `Part ${id}`, ...twoThings.columns }] });
    else reply(response, { items: searchParams.has('since') ? [] : [{ id: 1 }, { id: 2 }] });
  });
  return Object.assign(twoThings, { url });
}

test('the columns of a full pass that was interrupted after few rows are compared when it is continued', async () => {
  const twoThings = await twoLists();
  const { sync } = await connected(twoThings);
  expect((await sync('full'))?.problems).toEqual([expect.objectContaining({ reason: 'missing_column', path: 'sign' })]);
  twoThings.columns = { sign: 'S' };
  twoThings.isClosed = true;
  expect(await sync('full')).toMatchObject({ error: expect.stringContaining('429'), rowsSeen: 1 });
  twoThings.isClosed = false;
  expect(await sync('incremental')).toMatchObject({ error: null, rowsSeen: 2, problems: [] });
});

test('after a full pass that could not begin, the next pass is full as well and finds what was deleted', async () => {
  const { sync } = await connected();
  const { lastFullAt } = (await sync('full')) ?? {};
  system.behavior.things = system.behavior.things.slice(0, 50);
  system.behavior.isClosed = true;
  expect(await sync('full')).toMatchObject({ error: expect.stringContaining('429'), lastFullAt });
  system.behavior.isClosed = false;
  const after = await sync('incremental');
  expect(after).toMatchObject({ error: null, rowsSeen: 33 });
  expect(after?.lastFullAt).not.toBe(lastFullAt);
});
