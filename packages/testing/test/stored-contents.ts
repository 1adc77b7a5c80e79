import { createHash } from 'node:crypto';
import {
  type Content,
  type ContentStorage,
  createApplication,
  createConnection,
  digestOf,
  findContent,
  openContent,
  type Scope,
  storeContent,
  sweepContents,
} from '@unified/store';
import { database, type TestDatabase } from '@unified/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const large = Buffer.from(Array.from({ length: 1_300_007 }, (_, index) => (index * 13 + (index >> 8)) % 256));

async function* inChunks(bytes: Uint8Array, size = 60_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function* brokenOff(): AsyncGenerator<Uint8Array> {
  yield* inChunks(large);
  throw new Error('the client disconnected');
}

/** Tests for all kinds of storage. `open` is called once, before the tests. */
export function describeStoredContents(name: string, open: () => Promise<ContentStorage | undefined>): void {
  describe(name, () => {
    let base: TestDatabase;
    let scope: Scope;

    const freshScope = async () => {
      const { id: applicationId } = await createApplication(base.store, 'Tests');
      const connection = { applicationId, platform: 'sandbox', name: 'Tests', settings: {} };
      return base.store.scope({ applicationId, connectionId: (await createConnection(base.store, connection)).id });
    };
    const read = async (of: Scope, content: Content, start = 0, end = content.sizeBytes) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of openContent(of, content, { start, end })) chunks.push(chunk);
      return Buffer.concat(chunks);
    };
    const found = async (of: Scope, checksum: string) =>
      (await findContent(of, checksum)) ?? expect.fail('the content no longer exists');
    const sweepAll = () => sweepContents(base.store, { grace: 0, pause: 0 });

    beforeAll(async () => {
      base = await database(undefined, await open());
      scope = await freshScope();
    });
    afterAll(() => base?.stop());

    it('returns the stored bytes, and any part of them', async () => {
      const digest = await storeContent(scope, inChunks(large));
      expect(digest).toEqual({ sha256: sha256(large), sizeBytes: large.length });
      const content = await found(scope, digest.sha256);
      expect((await read(scope, content)).equals(large)).toBe(true);
      const chunk = 512 * 1024;
      for (const [start, end] of [
        [0, 1],
        [chunk - 1, chunk + 1],
        [chunk, 2 * chunk],
        [large.length - 1, large.length],
        [7, 7],
      ] as const)
        expect((await read(scope, content, start, end)).equals(large.subarray(start, end))).toBe(true);
    });

    it('stores a file without bytes', async () => {
      const digest = await storeContent(scope, inChunks(Buffer.alloc(0)));
      expect(digest).toEqual(await digestOf(inChunks(Buffer.alloc(0))));
      expect(await read(scope, await found(scope, digest.sha256))).toHaveLength(0);
    });

    it('stores the same bytes once', async () => {
      const [first, second] = [Buffer.from('the same'), Buffer.from('the same')];
      const { sha256: checksum } = await storeContent(scope, inChunks(first));
      const { contentId } = await found(scope, checksum);
      await Promise.all([storeContent(scope, inChunks(second)), storeContent(scope, inChunks(second))]);
      expect((await found(scope, checksum)).contentId).toBe(contentId);
      expect((await read(scope, await found(scope, checksum))).toString()).toBe('the same');
      expect(await sweepAll()).toBeGreaterThan(0);
    });

    it('stores nothing of an interrupted upload', async () => {
      await expect(storeContent(scope, brokenOff())).rejects.toThrow('the client disconnected');
      expect(await findContent(scope, sha256(large))).toBeUndefined();
      expect(await sweepAll()).toBe(0);
    });

    it('separates the files of connections', async () => {
      const { sha256: checksum } = await storeContent(scope, inChunks(Buffer.from('mine')));
      const other = await freshScope();
      expect(await findContent(other, checksum)).toBeUndefined();
      const stolen = await found(scope, checksum);
      await expect(read(other, stolen)).rejects.toThrow();
    });

    it('removes the remains of an incomplete upload', async () => {
      await sweepAll();
      const given = Promise.withResolvers<void>();
      const ending = Promise.withResolvers<void>();
      async function* stuck(): AsyncGenerator<Uint8Array> {
        yield* inChunks(large);
        given.resolve();
        await ending.promise;
        throw new Error('ended');
      }
      const storing = storeContent(scope, stuck()).catch(String);
      await given.promise;
      expect(await sweepContents(base.store)).toBe(0);
      expect(await sweepAll()).toBe(1);
      expect(await sweepAll()).toBe(0);
      ending.resolve();
      expect(await storing).toContain('ended');
    });

    it('removes files without references', async () => {
      const { sha256: checksum } = await storeContent(scope, inChunks(Buffer.from('unused')));
      const content = await found(scope, checksum);
      expect(await sweepContents(base.store)).toBe(0);
      await sweepAll();
      expect(await findContent(scope, checksum)).toBeUndefined();
      await expect(read(scope, content)).rejects.toThrow();
    });
  });
}
