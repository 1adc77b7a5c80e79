import { entities } from '@unified/contract';
import { saveRecords, storeContent } from '@unified/store';
import { api as startApi, type TestApi, type TestApplication, type TestConnection } from '@unified/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const BYTES = 'application/octet-stream';

let api: TestApi;
let app: TestApplication;
let connection: TestConnection;
let id: string;

beforeAll(async () => {
  api = await startApi();
  app = await api.signIn();
  connection = await api.connect({ applicationId: app.applicationId });
  const { sha256, sizeBytes } = await storeContent(
    connection.scope,
    (async function* () {
      yield Buffer.from('hello');
    })(),
  );
  const values = { name: 'payroll 2026.png', contentType: 'image/png', sha256, sizeBytes };
  const saved = await saveRecords(connection.scope, entities.Attachment, [
    { _source: 'files', _idValue: '1', values, references: {} },
  ]);
  id = saved.ids[0] ?? '';
});
afterAll(() => api.stop());

/** Gets the attachment with a token for these fields; undefined means all fields. */
async function getWith(fields: readonly string[] | undefined, accept: string) {
  const path = `/v4/connections/${connection.connectionId}/token`;
  const sent = { method: 'POST', token: app.token, json: { access: [{ entity: 'Attachment', fields }] } };
  const { body } = await api.fetch<{ data: { token: string } }>(path, sent);
  return api.fetch(`/v4/attachments/${id}`, { token: body.data.token, headers: { Accept: accept } });
}

describe('a token without the field url', () => {
  const REFUSED = {
    status: 403,
    body: { code: 'SERVICE_FORBIDDEN', message: expect.stringContaining('the file, which the field url leads to') },
  };

  it.each([BYTES, 'image/none', 'image/png'])('gets the same refusal for every type of file: %s', async (accept) => {
    expect(await getWith(['sizeBytes'], accept)).toMatchObject(REFUSED);
    expect(await getWith(['contentType'], accept)).toMatchObject(REFUSED);
  });

  it('gets the record if it accepts that and a type that the file may have', async () => {
    for (const type of ['image/png', 'image/none'])
      expect(await getWith(['sizeBytes'], `application/json;q=0.5, ${type}`)).toMatchObject({
        ...{ status: 200, body: { data: { id } } },
      });
  });
});

describe('a token with the field url', () => {
  it('and without contentType gets bytes of an unknown type, whichever type it guesses', async () => {
    const { status, headers } = await getWith(['url'], BYTES);
    expect([status, headers.get('content-type')]).toEqual([200, BYTES]);
    for (const type of ['image/png', 'image/none'])
      expect(await getWith(['url'], type)).toMatchObject({
        ...{ status: 406, body: { details: [{ accepted: ['application/json', BYTES] }] } },
      });
  });

  it('and without name gets a file that is named after the id', async () => {
    const { headers } = await getWith(['url', 'contentType'], 'image/png');
    expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      ...['image/png', `attachment; filename=${id}`],
    ]);
  });

  it('and name gets the name of the file', async () => {
    for (const fields of [['url', 'name'], undefined]) {
      const { headers } = await getWith(fields, BYTES);
      expect(headers.get('content-disposition')).toContain('payroll 2026.png');
    }
  });
});
