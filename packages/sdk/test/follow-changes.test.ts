import { describe, expect, it } from 'vitest';
import { answering, type Reply } from './answering-server.ts';
import { failure } from './records.ts';
import { testClient } from './test-client.ts';

const change = (seq: number) => ({ seq, kind: 'updated', entity: 'Vendor', id: `v${seq}`, fields: ['name'] });
const event = (seq: number) => `id: ${seq}\ndata: ${JSON.stringify(change(seq))}\n\n`;
const stream = (text: string, more: Reply = {}): Reply => ({
  headers: { 'Content-Type': 'text/event-stream' },
  text,
  ...more,
});

/** Numbers of the first changes that a client follows. */
async function firstOf(count: number, changes: AsyncIterable<{ readonly seq: number }>): Promise<number[]> {
  const seen: number[] = [];
  for await (const { seq } of changes) {
    seen.push(seq);
    if (seen.length === count) break;
  }
  return seen;
}

describe('following changes', () => {
  it('requests a stream after a position, with the same conditions as a list', async () => {
    const server = await answering(stream(`retry: 1000\nid: 4\n\n${event(5)}${event(6)}`));
    const { client } = testClient(server.url);
    const following = client.changes.follow({ after: 4, entity: ['Vendor', 'Currency'], include: ['record'] });
    expect(await firstOf(2, following)).toEqual([5, 6]);
    const [{ path, query, headers } = {}] = server.arrived;
    expect(path).toBe('/v4/changes');
    expect(query?.toString()).toBe('entity=Vendor%2CCurrency&include=record&cursor=4');
    expect(headers?.accept).toBe('text/event-stream');
  });

  it('connects again after the last change when the service ends the stream', async () => {
    const server = await answering(stream(event(1) + event(2)), stream(event(3)));
    const { client, waits } = testClient(server.url);
    expect(await firstOf(3, client.changes.follow())).toEqual([1, 2, 3]);
    expect(server.arrived.map(({ query }) => query.get('cursor'))).toEqual([null, '2']);
    expect(waits).toEqual([expect.toSatisfy((seconds: number) => seconds >= 1 && seconds <= 1.25)]);
  });

  it('continues after changes that were not selected', async () => {
    const server = await answering(stream(`${event(1)}id: 900\n\n: no change\n\n`), stream(event(901)));
    expect(await firstOf(2, testClient(server.url).client.changes.follow())).toEqual([1, 901]);
    expect(server.arrived[1]?.query.get('cursor')).toBe('900');
  });

  it('begins at the end of the log even if the connection is lost before the first change', async () => {
    const server = await answering(stream('retry: 1000\nid: 7\n\n'), stream(event(8)));
    expect(await firstOf(1, testClient(server.url).client.changes.follow({ after: 'latest' }))).toEqual([8]);
    expect(server.arrived.map(({ query }) => query.get('cursor'))).toEqual(['latest', '7']);
  });

  it('repeats no change of which only a part arrived', async () => {
    const server = await answering(stream(event(1) + event(2).repeat(1), { cut: true }), stream(event(2)));
    expect(await firstOf(2, testClient(server.url).client.changes.follow())).toEqual([1, 2]);
  });

  it('waits longer after each failure, and as long as the service requests', async () => {
    const busy = failure(503, 'SERVICE_UNAVAILABLE', { 'Retry-After': '9' });
    const down = failure(503, 'SERVICE_UNAVAILABLE');
    const server = await answering(down, down, busy, stream(event(1)));
    const { client, waits } = testClient(server.url);
    expect(await firstOf(1, client.changes.follow())).toEqual([1]);
    expect(waits.map(Math.floor)).toEqual([1, 2, expect.toSatisfy((seconds: number) => seconds >= 9)]);
  });

  it('stops with an error that is not temporary', async () => {
    const server = await answering(failure(410, 'SERVICE_CURSOR_EXPIRED'));
    const following = testClient(server.url).client.changes.follow({ after: 1 });
    await expect(following.next()).rejects.toMatchObject({ code: 'SERVICE_CURSOR_EXPIRED', status: 410 });
    expect(server.arrived).toHaveLength(1);
  });

  it('stops when the service cannot be reached for too long', async () => {
    const server = await answering(failure(503, 'SERVICE_UNAVAILABLE'));
    const following = testClient(server.url).client.changes.follow({ timeoutMs: 0 });
    await expect(following.next()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('stops with the reason of its signal', async () => {
    const server = await answering({ silent: true });
    const stopping = new AbortController();
    const next = testClient(server.url).client.changes.follow({ signal: stopping.signal }).next();
    await server.arrival(1);
    stopping.abort(new Error('Enough.'));
    await expect(next).rejects.toThrow('Enough.');
  });

  it('renews the token of the client', async () => {
    const refused = failure(401, 'SERVICE_UNAUTHORIZED');
    const server = await answering(refused, stream(event(1)));
    const tokens = ['old', 'new'];
    const { client } = testClient(server.url, { token: () => tokens.shift() ?? 'none' });
    expect(await firstOf(1, client.changes.follow())).toEqual([1]);
    expect(server.arrived.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new']);
  });
});
