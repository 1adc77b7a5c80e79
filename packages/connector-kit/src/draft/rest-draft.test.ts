import { fileURLToPath } from 'node:url';
import { draftMapping, loadPlatform, openDriver, sampledTable } from '@unified/connectors';
import { entities } from '@unified/contract';
import { expect, test } from 'vitest';
import { httpServer } from '../../../connectors/test/http-server.ts';
import { reply } from '../../../connectors/test/rest-system.ts';
import { mappingText, streamText } from './draft-text.ts';

const jobs = [
  { id: 1, title: 'Pump', date_created: '2026-11-20T09:30:15Z', date_updated: null },
  { id: 2, title: 'Belt', date_created: '2026-11-20T09:30:15Z', date_updated: '2026-11-21T09:30:15Z' },
];

test('the dates of creation and of change are drafted, and the second one is proposed as a cursor', async () => {
  const url = await httpServer((_, response) => reply(response, { data: jobs }));
  const settings = { url: url.href.replace(/\/$/, ''), token: 'secret', allowPrivateHosts: true };
  const platform = loadPlatform(fileURLToPath(new URL('../../templates/rest', import.meta.url)));
  const driver = openDriver(platform, settings);
  const table = await sampledTable(platform, driver, '/jobs').finally(() => driver.close());
  const draft = await draftMapping({ platform, settings }, entities.WorkOrder ?? expect.fail('no entity'), table);
  expect(mappingText(draft)).toContain(
    'stream: jobs\ncreated: { datetime: date_created }\nupdated: { datetime: date_updated }\n',
  );
  expect(streamText(draft, 'a remark')).toMatch(
    /^jobs:\n {2}key: id # a guess.*\n {2}# If date_updated changes with .*\n {2}# "changes" to the options.*\n {2}# cursor: date_updated\n {2}options: /,
  );
});
