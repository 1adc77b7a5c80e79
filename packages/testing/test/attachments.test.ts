import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import type { Written } from '@unified/sdk';
import { sweepContents } from '@unified/store';
import { connect } from '@unified/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { type FileKeeper, startFileKeeper } from './file-keeper.ts';
import { sdkClient } from './sdk-client.ts';
import { START_MS } from './served-company.ts';

// Tests wait for a write as long as the service does: 30 seconds.
vi.setConfig({ testTimeout: 120_000 });

interface Attachment {
  readonly id: string;
  readonly name: string;
  readonly contentType: string;
  readonly url: string | null;
  readonly sha256: string | null;
  readonly sizeBytes: number | null;
  readonly _deletedAt: string | null;
}
interface Answered {
  readonly data: Attachment;
  readonly code: string;
  readonly message: string;
  readonly details: readonly { readonly path: string }[];
}

let keeper: FileKeeper;
let subject: object;

beforeAll(async () => {
  keeper = await startFileKeeper();
  const { body } = await keeper.send<{ data: { id: string }[] }>('/vendors?per_page=1');
  subject = { rel: 'Vendor', id: body.data[0]?.id };
}, START_MS);
afterAll(() => keeper?.stop());

const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');
/** Headers for a separate write with the maximum wait, because the machine may be busy. */
const key = () => ({ 'Idempotency-Key': randomUUID(), Prefer: 'wait=30' });

function form(file: string | Blob, fields: object = {}, filename = 'note.txt'): FormData {
  const data = new FormData();
  data.append('attachment', JSON.stringify({ subject, ...fields }));
  data.append('file', typeof file === 'string' ? new Blob([file], { type: 'text/plain' }) : file, filename);
  return data;
}

const upload = (data: FormData, headers: Record<string, string> = key(), path = '/attachments') =>
  keeper.send<Answered>(path, { method: 'POST', headers, form: data });
const uploaded = async (file: string | Blob, fields?: object, filename?: string): Promise<Attachment> => {
  const { status, body } = await upload(form(file, fields, filename));
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
};
const bytesOf = (id: string, headers: Record<string, string> = {}) =>
  keeper.send<Buffer>(`/attachments/${id}`, { headers: { Accept: 'application/octet-stream', ...headers } });
const refusal = (id: string, headers: Record<string, string>) =>
  keeper.send<Answered>(`/attachments/${id}`, { headers });

/** What is stored for the connection: contents, and bytes without a content. */
async function stored() {
  const count = async (table: string) => {
    const sql = `select count(*)::int as n from unified.${table} where connection_id = $1`;
    return (await keeper.admin.query<{ n: number }>(sql, [keeper.scope.connectionId])).rows[0]?.n;
  };
  return {
    contents: await count('contents'),
    loose: await count('loose_contents'),
    chunks: await count('content_chunks'),
  };
}

/** A handwritten multipart body. */
const multipart = (parts: string, boundary = 'b0') => ({
  headers: { ...key(), 'Content-Type': `multipart/form-data; boundary=${boundary}` },
  text: parts.replaceAll('\n', '\r\n'),
});
const attachmentPart = () =>
  `--b0\nContent-Disposition: form-data; name="attachment"\n\n${JSON.stringify({ subject })}\n`;
const filePart = (name = 'file') =>
  `--b0\nContent-Disposition: form-data; name="${name}"; filename="a.txt"\nContent-Type: text/plain\n\nhello\n`;

/** The bytes of a multipart body with a file of this length, generated while they are sent. */
async function* largeBody(length: number, onSent: (bytes: number) => Promise<void> = async () => {}) {
  const type = 'application/x-large';
  const disposition = 'Content-Disposition: form-data; name="file"; filename="large.bin"';
  yield Buffer.from(`${attachmentPart()}--b0\n${disposition}\nContent-Type: ${type}\n\n`.replaceAll('\n', '\r\n'));
  let sent = 0;
  for (const chunk of largeFile(length)) {
    yield chunk;
    sent += chunk.length;
    if (sent % 10_000_000 === 0) await onSent(sent);
  }
  yield Buffer.from('\r\n--b0--\r\n');
}
function* largeFile(length: number): Generator<Uint8Array> {
  const chunk = Buffer.alloc(100_000, 'The quick brown fox. ');
  for (let left = length; left > 0; left -= chunk.length) yield chunk.subarray(0, Math.min(left, chunk.length));
}
const uploadLarge = (length: number, onSent?: (bytes: number) => Promise<void>) =>
  keeper.send<Answered>('/attachments', {
    ...{ method: 'POST', stream: largeBody(length, onSent) },
    headers: { ...key(), 'Content-Type': 'multipart/form-data; boundary=b0' },
  });

describe('a file', () => {
  it('is returned byte by byte, with its name and media type', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256));
    const made = await uploaded(new Blob([bytes], { type: 'image/png' }), {}, 'Größe 5".png');
    expect(made).toMatchObject({
      ...{ name: 'Größe 5".png', contentType: 'image/png', sizeBytes: 300_000, sha256: sha256(bytes) },
      url: `${keeper.store.publicUrl}/v4/attachments/${made.id}`,
    });
    const { status, headers, body } = await bytesOf(made.id);
    expect([status, body.equals(bytes)]).toEqual([200, true]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': '300000',
      'content-disposition': `attachment; filename="Gr??e 5\\".png"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%205%22.png`,
      etag: `"${sha256(bytes)}"`,
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      vary: 'Accept',
    });
  });

  it('has the name and media type in its fields, if present', async () => {
    const made = await uploaded('a,b', { name: 'data.csv', contentType: 'text/csv' });
    expect(made).toMatchObject({ name: 'data.csv', contentType: 'text/csv' });
  });

  it('is accepted at the older address too', async () => {
    const response = await fetch(`${keeper.baseUrl}/v4/v4/attachments`, {
      ...{ method: 'POST', body: form('older') },
      headers: { ...key(), Authorization: `Bearer ${keeper.token}` },
    });
    expect(response.status).toBe(201);
  });

  it('without bytes is a file', async () => {
    const { id, sizeBytes } = await uploaded('');
    const { status, body } = await bytesOf(id);
    expect([sizeBytes, status, body.length]).toEqual([0, 200, 0]);
  });

  it('that is small can be sent in JSON', async () => {
    const json = { name: 'hello.txt', contentType: 'text/plain', subject, contentBase64: 'aGVsbG8=' };
    const { status, body } = await keeper.send<Answered>('/attachments', { method: 'POST', headers: key(), json });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ sizeBytes: 5, sha256: sha256('hello') });
    expect((await bytesOf(body.data.id)).body.toString()).toBe('hello');
  });

  it('of 50 MB is stored while it arrives, and returned in full', async () => {
    const under = (
      await keeper.admin.query('select coalesce(sum(length(bytes)), 0)::int as n from unified.content_chunks')
    ).rows[0].n;
    const behind: number[] = [];
    const { status, body } = await uploadLarge(50_000_000, async (sent) => {
      const { rows } = await keeper.admin.query('select sum(length(bytes))::int as n from unified.content_chunks');
      behind.push(sent - (rows[0].n - under));
    });
    expect(status, JSON.stringify(body)).toBe(201);
    // Data in transit only fills the socket buffers.
    expect(behind.length).toBe(5);
    expect(Math.max(...behind)).toBeLessThan(25_000_000);
    const checksum = createHash('sha256');
    for (const chunk of largeFile(50_000_000)) checksum.update(chunk);
    expect(body.data).toMatchObject({ sizeBytes: 50_000_000, sha256: checksum.digest('hex') });
    const given = await keeper.send<Buffer>(`/attachments/${body.data.id}`, {
      headers: { Accept: 'application/x-large' },
    });
    expect(sha256(given.body)).toBe(body.data.sha256);
  });

  it('that is one byte larger is refused, and nothing of it is stored', async () => {
    const before = await stored();
    const { status, body } = await uploadLarge(50_000_001);
    expect([status, body.code]).toEqual([413, 'SERVICE_BODY_TOO_LARGE']);
    expect(body.message).toContain('50 MB');
    expect(await stored()).toEqual(before);
  });
});

test('the client uploads files, receives the id of the write, and downloads them', async () => {
  const { attachments, writes } = await sdkClient(keeper.baseUrl, keeper.token);
  const file = new File(['hello from the client'], 'client.txt', { type: 'text/plain' });
  const heard: Written[] = [];
  const made = await attachments.upload({ file, subject }, { onWrite: (written) => void heard.push(written) });
  expect(made).toMatchObject({ name: 'client.txt', contentType: 'text/plain', sizeBytes: 21 });
  expect(await (await attachments.download(made.id)).text()).toBe('hello from the client');
  expect(heard).toEqual([{ writeId: expect.any(String), warnings: 0 }]);
  expect(await writes.get(heard[0]?.writeId ?? '')).toMatchObject({ operation: 'createAttachment', targetId: made.id });
  // The service waits, so that it can return a record.
  const write = await attachments.upload({ file, subject }, { respondAsync: true, wait: 30 });
  expect(write).toMatchObject({ operation: 'createAttachment', status: 'succeeded' });
});

describe('a client that requests an attachment', () => {
  it.each([
    ['nothing', undefined, 'application/json; charset=utf-8'],
    ['anything', '*/*', 'application/json; charset=utf-8'],
    ['JSON', 'application/json', 'application/json; charset=utf-8'],
    ['a web page, otherwise anything', 'text/html,application/xml;q=0.9,*/*;q=0.8', 'application/json; charset=utf-8'],
    ['text', 'text/*', 'text/plain'],
    ['bytes', 'application/octet-stream', 'text/plain'],
    ['text, otherwise anything', 'text/plain, */*;q=0.1', 'text/plain'],
  ])('and accepts %s gets the matching type', async (_, accept, type) => {
    const { id } = await uploaded('hello');
    const headers: Record<string, string> = { Authorization: `Bearer ${keeper.token}` };
    if (accept !== undefined) headers.Accept = accept;
    const sent = request(`${keeper.baseUrl}/v4/attachments/${id}`, { headers }).end();
    const [response] = await once(sent, 'response');
    response.resume();
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, type]);
  });

  it.each(['text/plain\n;a=b', 'text/plain\u2003;a=b', 'text/plain;a="日本"'])(
    'whose media type cannot be a header, such as %j, gets bytes',
    async (contentType) => {
      const { id } = await uploaded('hello', { contentType });
      const { status, headers } = await bytesOf(id);
      expect([status, headers.get('content-type')]).toEqual([200, 'application/octet-stream']);
    },
  );

  it('and accepts neither JSON nor its type gets the list of types', async () => {
    const { id } = await uploaded('hello');
    expect(await refusal(id, { Accept: 'image/*' })).toMatchObject({
      status: 406,
      body: {
        code: 'SERVICE_NOT_ACCEPTABLE',
        details: [{ accepted: ['application/json', 'text/plain', 'application/octet-stream'] }],
      },
    });
  });

  it('gets only the headers with a HEAD request', async () => {
    const { id } = await uploaded('hello');
    const headers = { Accept: 'text/plain', Authorization: `Bearer ${keeper.token}` };
    const response = await fetch(`${keeper.baseUrl}/v4/attachments/${id}`, { method: 'HEAD', headers });
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '5', '']);
  });

  it('and already has the bytes does not get them again', async () => {
    const { id, sha256: checksum } = await uploaded('hello');
    for (const tag of [`"${checksum}"`, `W/"${checksum}"`, `"other", "${checksum}"`, '*']) {
      const { status, headers, body } = await bytesOf(id, { 'If-None-Match': tag });
      expect([status, headers.get('etag'), body]).toEqual([304, `"${checksum}"`, undefined]);
    }
    expect((await bytesOf(id, { 'If-None-Match': '"other"' })).status).toBe(200);
  });

  it.each([
    ['bytes=0-3', 206, 'bytes 0-3/10', '0123'],
    ['bytes=4-', 206, 'bytes 4-9/10', '456789'],
    ['bytes=-3', 206, 'bytes 7-9/10', '789'],
    ['bytes=8-99', 206, 'bytes 8-9/10', '89'],
    ['bytes=0-1,4-5', 200, null, '0123456789'],
    ['bytes=5-2', 200, null, '0123456789'],
    ['lines=1-2', 200, null, '0123456789'],
  ])('and requests %s gets it', async (range, status, contentRange, text) => {
    const { id } = await uploaded('0123456789');
    const answer = await bytesOf(id, { Range: range });
    expect([answer.status, answer.headers.get('content-range'), answer.body.toString()]).toEqual([
      status,
      contentRange,
      text,
    ]);
  });

  it('and requests bytes after the end gets the length', async () => {
    const { id } = await uploaded('0123456789');
    const { status, headers, body } = await refusal(id, { Accept: 'text/plain', Range: 'bytes=10-' });
    expect([status, headers.get('content-range'), body.code]).toEqual([
      416,
      'bytes */10',
      'SERVICE_RANGE_NOT_SATISFIABLE',
    ]);
  });

  it('and requests the rest of another file gets all of this one', async () => {
    const { id, sha256: checksum } = await uploaded('0123456789');
    const rest = (tag: string) => bytesOf(id, { Range: 'bytes=5-', 'If-Range': tag });
    expect((await rest(`"${checksum}"`)).status).toBe(206);
    expect((await rest('"other"')).status).toBe(200);
  });

  it('on another connection finds nothing', async () => {
    const { id } = await uploaded('hello');
    const { token } = await keeper.connect();
    const headers = { Accept: 'text/plain' };
    expect(await keeper.send(`/attachments/${id}`, { token, headers })).toMatchObject({
      status: 404,
      body: { code: 'SERVICE_NOT_FOUND' },
    });
  });

  it('that is a link gets its address', async () => {
    const json = {
      name: 'Prices',
      contentType: 'text/html',
      subject,
      kind: 'link',
      url: 'https://acme.example/prices',
    };
    const { body } = await keeper.send<Answered>('/attachments', { method: 'POST', headers: key(), json });
    expect(await refusal(body.data.id, { Accept: 'text/html' })).toMatchObject({
      status: 404,
      body: { code: 'SERVICE_CONTENT_NOT_FOUND', message: expect.stringContaining('url') },
    });
  });
});

describe('a file that the connected system has', () => {
  it('is fetched from there for every attachment that is not a link', async () => {
    const path = '/attachments?filter[kind:neq]=link&per_page=500';
    const { body } = await keeper.send<{ data: Attachment[] }>(path);
    const seeded = body.data.filter(({ name }) =>
      /^(nameplate|damage|certificate|confirmation|report|assembly|bearing)/.test(name),
    );
    expect(seeded.length).toBeGreaterThan(280);
    const begin: Record<string, Set<string>> = {};
    for (const { id, url, contentType, sha256: checksum, sizeBytes } of seeded) {
      expect(url).toBe(`${keeper.store.publicUrl}/v4/attachments/${id}`);
      const given = await bytesOf(id);
      expect([given.status, given.body.length, sha256(given.body)]).toEqual([200, sizeBytes, checksum]);
      begin[contentType] = (begin[contentType] ?? new Set()).add(given.body.subarray(0, 4).toString('latin1'));
    }
    expect(begin).toEqual({
      'application/pdf': new Set(['%PDF']),
      'audio/wav': new Set(['RIFF']),
      'image/png': new Set(['\x89PNG']),
      'image/svg+xml': new Set(['<svg']),
      'text/plain': new Set(['Repo']),
    });
  });

  it('can be returned in part', async () => {
    const { body } = await keeper.send<{ data: Attachment[] }>(
      '/attachments?filter[contentType]=application/pdf&per_page=1',
    );
    const answer = await bytesOf(body.data[0]?.id ?? '', { Range: 'bytes=1-3' });
    expect([answer.status, answer.body.toString()]).toEqual([206, 'PDF']);
  });
});

test('a system that cannot store checksums gets no files', async () => {
  const { token } = await connect(keeper.store, { platform: 'tryton' });
  const sent = { method: 'POST', token, headers: key(), form: form('unused') };
  expect(await keeper.send('/attachments', sent)).toMatchObject({
    ...{ status: 405, body: { code: 'SERVICE_NOT_SUPPORTED' } },
  });
  const { writeFields } = (await keeper.send<{ data: { writeFields: string[] } }>('/capabilities/Attachment')).body
    .data;
  expect(writeFields).toContain('contentBase64');
  expect(writeFields).not.toContain('sha256');
});

describe('an upload is refused, and nothing of it is stored,', () => {
  const refusedAs = async (sent: object, status: number, code: string, path?: string) => {
    const before = await stored();
    const answer = await keeper.send<Answered>('/attachments', { method: 'POST', headers: key(), ...sent });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    if (path !== undefined) expect(answer.body.details).toMatchObject([{ path }]);
    expect(await stored()).toEqual(before);
  };
  const invalid = (sent: object, path?: string) => refusedAs(sent, 400, 'SERVICE_INVALID_BODY', path);

  it('with two files', () => invalid(multipart(`${attachmentPart()}${filePart()}${filePart()}--b0--\n`), 'body/file'));
  it('without a file', () => invalid(multipart(`${attachmentPart()}--b0--\n`), 'body/file'));
  it('without fields', () => invalid(multipart(`${filePart()}--b0--\n`), 'body/attachment'));
  it('with the fields behind the file', () =>
    invalid(multipart(`${filePart()}${attachmentPart()}--b0--\n`), 'body/attachment'));
  it('with an unknown part', () =>
    invalid(multipart(`${attachmentPart()}${filePart('picture')}--b0--\n`), 'body/picture'));
  it('with an unknown part behind the file', () =>
    invalid(multipart(`${attachmentPart()}${filePart()}${filePart('picture')}--b0--\n`), 'body/picture'));
  it('without any part', () => invalid(multipart('--b0--\n')));
  it('with a part without a name', () =>
    invalid(multipart('--b0\nContent-Disposition: form-data\n\nx\n--b0--\n'), 'body/'));
  it('that is cut off', () => invalid(multipart(`${attachmentPart()}${filePart()}`)));
  it('that is cut off, as a dry run', async () => {
    const sent = { method: 'POST', ...multipart(`${attachmentPart()}${filePart()}`) };
    const { status, body } = await keeper.send<Answered>('/attachments?dryRun=true', sent);
    expect([status, body.code]).toEqual([400, 'SERVICE_INVALID_BODY']);
  });
  it('without a boundary', () =>
    invalid({ headers: { ...key(), 'Content-Type': 'multipart/form-data' }, text: attachmentPart() }));
  it('as another media type', () =>
    refusedAs(
      { headers: { ...key(), 'Content-Type': 'text/plain' }, text: 'hello' },
      415,
      'SERVICE_UNSUPPORTED_MEDIA_TYPE',
    ));
  it('with fields that are not JSON', () =>
    refusedAs(
      multipart(`--b0\nContent-Disposition: form-data; name="attachment"\n\n{\n${filePart()}--b0--\n`),
      ...([400, 'SERVICE_INVALID_JSON'] as const),
    ));
  it('with fields as large as a file', () => {
    const json = JSON.stringify({ subject, description: 'x'.repeat(1_000_001) });
    const parts = `--b0\nContent-Disposition: form-data; name="attachment"\n\n${json}\n${filePart()}--b0--\n`;
    return refusedAs(multipart(parts), 413, 'SERVICE_BODY_TOO_LARGE');
  });
  it('with a NUL byte in the name of the file', () => {
    const parts = `${attachmentPart()}${filePart().replace('a.txt', 'a\0.txt')}--b0--\n`;
    return refusedAs(multipart(parts), 400, 'SERVICE_INVALID_ENCODING', 'body/name');
  });
  it('with a NUL byte in the media type of the file', () => {
    const parts = `${attachmentPart()}${filePart().replace('text/plain', 'text/\0plain')}--b0--\n`;
    return refusedAs(multipart(parts), 400, 'SERVICE_INVALID_ENCODING', 'body/contentType');
  });
  it('with text behind the last part that does not end', async () => {
    async function* endless() {
      yield Buffer.from(`${attachmentPart()}${filePart()}--b0--\n`.replaceAll('\n', '\r\n'));
      yield Buffer.alloc(2_000_000, 'x');
      await answered;
    }
    let stop = () => {};
    const answered = new Promise<void>((resolve) => {
      stop = resolve;
    });
    onTestFinished(stop);
    const headers = { ...key(), 'Content-Type': 'multipart/form-data; boundary=b0' };
    await refusedAs({ stream: endless(), headers }, 413, 'SERVICE_BODY_TOO_LARGE');
  });
  it('with the same errors as JSON', () => invalid({ form: form('x', { colour: 'red' }) }, 'body/colour'));
  it('with a checksum in its fields', () =>
    refusedAs({ form: form('x', { sha256: sha256('y') }) }, 400, 'SERVICE_READ_ONLY_FIELD', 'body/sha256'));
  it('with an address as well', () => invalid({ form: form('x', { url: 'https://acme.example/x' }) }, 'body/url'));
  it.each(['https://', 'https://user:secret@acme.example/x', 'javascript:alert(1)'])('with %s as its address', (url) =>
    invalid({ json: { name: 'a', contentType: 'text/plain', subject, kind: 'link', url } }, 'body/url'),
  );
  it('as a link', () => invalid({ form: form('x', { kind: 'link' }) }, 'body/kind'));
  it('with its bytes in a field as well', () =>
    invalid({ form: form('x', { contentBase64: 'eA==' }) }, 'body/contentBase64'));
  it.each([
    ['an address', 'body/url', { url: 'https://acme.example/x' }],
    ['the kind of a link', 'body/kind', { kind: 'link' }],
  ])('in a field alongside %s', (_, place, other) => {
    const json = { name: 'a', contentType: 'text/plain', subject, contentBase64: 'eA==', ...other };
    return invalid({ json }, place);
  });
  it('with invalid Base64', () =>
    invalid({ json: { name: 'a', contentType: 'text/plain', subject, contentBase64: 'a' } }, 'body/contentBase64'));

  it('without a token', async () => {
    const before = await stored();
    const response = await fetch(`${keeper.baseUrl}/v4/attachments`, { method: 'POST', body: form('x') });
    expect(response.status).toBe(401);
    expect(await stored()).toEqual(before);
  });

  it('that is interrupted', async () => {
    const before = await stored();
    const sending = request(`${keeper.baseUrl}/v4/attachments`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${keeper.token}`, 'Content-Type': 'multipart/form-data; boundary=b0' },
    });
    sending.on('error', () => {});
    let sent = 0;
    for await (const chunk of largeBody(5_000_000)) {
      if (sent > 3_000_000) break;
      sent += chunk.length;
      if (!sending.write(chunk)) await once(sending, 'drain');
    }
    await expect.poll(async () => (await stored()).chunks).toBeGreaterThan(before.chunks ?? 0);
    sending.destroy();
    await expect.poll(stored).toEqual(before);
  });
});

describe('a repetition', () => {
  it('with the same key and file stores nothing and returns the first result', async () => {
    const headers = key();
    const first = await upload(form('repeated'), headers);
    const before = await stored();
    const again = await upload(form('repeated'), headers);
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 200, 'true']);
    expect(again.body.data.id).toBe(first.body.data.id);
    expect(await stored()).toEqual(before);
  });

  it('with the same key and another file is refused', async () => {
    const headers = key();
    await upload(form('one'), headers);
    expect(await upload(form('two'), headers)).toMatchObject({
      status: 422,
      body: { code: 'SERVICE_IDEMPOTENCY_MISMATCH' },
    });
  });

  it('as a dry run stores nothing', async () => {
    const before = await stored();
    const answer = await upload(form('only tried'), key(), '/attachments?dryRun=true');
    expect(answer).toMatchObject({ status: 202, body: { status: 'planned' } });
    expect(await stored()).toEqual(before);
  });
});

describe('bytes that are no longer needed', () => {
  const sweep = () => sweepContents(keeper.store, { grace: 0, pause: 0 });
  const isKept = async (checksum: string | null) => {
    const sql = 'select from unified.contents where connection_id = $1 and sha256 = $2';
    return (await keeper.admin.query(sql, [keeper.scope.connectionId, checksum])).rowCount === 1;
  };

  it('are removed with the last attachment that has them', async () => {
    const [one, two] = [await uploaded('shared by two'), await uploaded('shared by two')];
    const remove = ({ id }: Attachment) => keeper.send(`/attachments/${id}`, { method: 'DELETE', headers: key() });
    expect((await remove(one)).status).toBe(204);
    expect(await refusal(one.id, { Accept: 'text/plain' })).toMatchObject({
      status: 404,
      body: { code: 'SERVICE_CONTENT_NOT_FOUND', message: expect.stringContaining('deleted') },
    });
    await sweep();
    expect((await bytesOf(two.id)).body.toString()).toBe('shared by two');
    expect((await remove(two)).status).toBe(204);
    await sweep();
    expect(await isKept(two.sha256)).toBe(false);
    expect(await stored()).toMatchObject({ loose: 0 });
  });

  it('are removed after their write failed, which then cannot be retried', async () => {
    // Codes are unique in the system of the company.
    const { body } = await upload(form('of a failed write', { code: 'taken' }));
    expect(body.data).toBeDefined();
    const failed = await upload(form('of another failed write', { code: 'taken' }));
    expect(failed).toMatchObject({ status: 409, body: { code: 'SERVICE_DUPLICATE' } });
    const { writeId } = failed.body.details[0] as unknown as { writeId: string };
    expect(await isKept(sha256('of another failed write'))).toBe(true);
    await sweep();
    expect(await isKept(sha256('of another failed write'))).toBe(false);
    expect(await keeper.send(`/writes/${writeId}/actions/retry`, { method: 'POST', headers: key() })).toMatchObject({
      status: 409,
      body: { code: 'SERVICE_WRITE_STATE', message: expect.stringContaining('file') },
    });
  });

  it('are kept for the hour in which their write may be queued', async () => {
    await upload(form('just stored', { code: 'taken' }));
    await sweepContents(keeper.store, { pause: 0 });
    expect(await isKept(sha256('just stored'))).toBe(true);
  });
});
