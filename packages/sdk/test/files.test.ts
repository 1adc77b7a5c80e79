import { describe, expect, it } from 'vitest';
import { answering } from './answering-server.ts';
import { failure, write } from './records.ts';
import { testClient } from './test-client.ts';

const made = { status: 201, json: { data: { id: '7', name: 'note.txt' } } };
const subject = { rel: 'Vendor', id: '1' };
const bytes = new TextEncoder().encode('hello');

describe('an upload', () => {
  it.each([
    ['a file', new File(['hello'], 'note.txt', { type: 'text/plain' })],
    ['a buffer', bytes],
    ['a stream', new Blob(['hello']).stream()],
  ])('of %s sends its fields, then its bytes, and returns the attachment', async (_, file) => {
    const server = await answering(made);
    const { client } = testClient(server.url);
    await expect(client.attachments.upload({ file, subject })).resolves.toMatchObject({ id: '7' });
    const [arrived] = server.arrived;
    expect([arrived?.method, arrived?.path]).toEqual(['POST', '/v4/attachments']);
    expect(arrived?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(arrived?.headers['idempotency-key']).toBeDefined();
    expect(arrived?.body).toMatch(
      /name="attachment"\r\n\r\n\{"subject":\{"rel":"Vendor","id":"1"\}\}\r\n[\s\S]*name="file"[\s\S]*\r\n\r\nhello\r\n/,
    );
  });

  it('keeps the name and type of a file', async () => {
    const server = await answering(made);
    const file = new File(['hello'], 'note.txt', { type: 'text/plain' });
    await testClient(server.url).client.attachments.upload({ file, subject });
    expect(server.arrived[0]?.body).toMatch(/filename="note.txt"\r\nContent-Type: text\/plain\r\n/);
  });

  it('is repeated completely, with the same key', async () => {
    const server = await answering(failure(503, 'SERVICE_UNAVAILABLE'), made);
    await testClient(server.url).client.attachments.upload({ file: new Blob(['hello']).stream(), subject });
    const [first, second] = server.arrived;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
  });

  it('returns the write record on request', async () => {
    const server = await answering({ status: 202, json: write('planned') });
    const { client } = testClient(server.url);
    const planned = await client.attachments.upload({ file: bytes, subject }, { dryRun: true });
    expect(planned.status).toBe('planned');
    expect(server.arrived[0]?.query.get('dryRun')).toBe('true');
  });
});

describe('a download', () => {
  it('returns the bytes with their headers', async () => {
    const server = await answering({ text: 'hello', headers: { 'Content-Type': 'text/plain' } });
    const response = await testClient(server.url).client.attachments.download('a/7');
    expect([response.headers.get('content-type'), await response.text()]).toEqual(['text/plain', 'hello']);
    expect(server.arrived[0]).toMatchObject({
      ...{ method: 'GET', path: '/v4/attachments/a%2F7', headers: { accept: 'application/octet-stream' } },
    });
  });

  it('requests a part, or a type', async () => {
    const server = await answering({ status: 206, text: 'ell', headers: { 'Content-Type': 'text/plain' } });
    await testClient(server.url).client.attachments.download('7', { range: 'bytes=1-3', accept: 'text/*' });
    expect(server.arrived[0]?.headers).toMatchObject({ range: 'bytes=1-3', accept: 'text/*' });
  });

  it('rejects with the error from the service', async () => {
    const server = await answering(failure(404, 'SERVICE_CONTENT_NOT_FOUND'));
    await expect(testClient(server.url).client.attachments.download('7')).rejects.toMatchObject({
      ...{ code: 'SERVICE_CONTENT_NOT_FOUND', status: 404 },
    });
  });
});
