import { ServiceError } from '@unified/contract';
import type { ByteRange, ContentPlace, ContentStorage } from '../access/content-storage.ts';
import { type Scope, sessionOf } from '../access/scope.ts';
import { fixedStatement } from '../sql/statement.ts';
import { turns } from '../sql/turns.ts';

/** Bytes per row. A statement contains two characters per byte, so this bounds the memory of an upload. */
const CHUNK = 512 * 1024;
/** Bytes that a download reads at a time, and keeps until its client has consumed them. */
const PIECE = 128 * 1024;

const lock = fixedStatement(
  'select 1 from unified.loose_contents where connection_id = $1 and "contentId" = $2 for key share',
);
const insert = fixedStatement(
  'insert into unified.content_chunks (connection_id, "contentId", n, bytes) values ($1, $2, $3, $4)',
);
const select = fixedStatement(
  `select substring(bytes from $4::int for ${PIECE}) from unified.content_chunks
    where connection_id = $1 and "contentId" = $2 and n = $3`,
);
const remove = fixedStatement('delete from unified.content_chunks where connection_id = $1 and "contentId" = $2');

/** All uploads share one database connection and all downloads another one, so that lists do not wait for them. */
const putInTurn = turns();
const readInTurn = turns();

/** Stores bytes in the database, in numbered chunks. No database connection is occupied while waiting for the network. */
export const postgresStorage: ContentStorage = {
  async put({ scope, contentId }, bytes) {
    let n = 0;
    for await (const piece of inPieces(bytes, CHUNK)) {
      await putInTurn(() => putChunk(scope, [contentId, n++, `\\x${piece.toString('hex')}`]));
    }
  },
  open: chunks,
  async remove({ scope, contentId }) {
    await sessionOf(scope).texts(remove, [scope.connectionId, contentId]);
  },
};

/**
 * Locks the entry of the upload, which cannot outlive its connection: in a distributed database, no foreign key protects chunks.
 */
async function putChunk(scope: Scope, [contentId, n, bytes]: readonly [string, number, string]): Promise<void> {
  await scope.transaction(async (inner) => {
    const session = sessionOf(inner);
    const [arriving] = await session.texts(lock, [scope.connectionId, contentId]);
    if (!arriving) throw new ServiceError('SERVICE_CONNECTION_INACTIVE', 'The connection was removed.');
    await session.texts(insert, [scope.connectionId, contentId, n, bytes]);
  });
}

async function* chunks({ scope, contentId }: ContentPlace, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end; ) {
    const n = Math.floor(at / CHUNK);
    const values = [scope.connectionId, contentId, n, at - n * CHUNK + 1];
    const [row] = await readInTurn(() => sessionOf(scope).texts(select, values));
    // PostgreSQL writes bytes as `\x` and hexadecimal digits.
    const bytes = Buffer.from(row?.[0]?.slice(2) ?? '', 'hex');
    if (bytes.length === 0) throw new Error(`Chunk ${n} of content ${contentId} does not exist.`);
    yield bytes.subarray(0, end - at);
    at += bytes.length;
  }
}

/** The same bytes in pieces of `size`, the last one shorter, with one piece in memory at a time. */
async function* inPieces(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + size - length);
      held.push(part);
      length += part.length;
      at += part.length;
      if (length < size) continue;
      yield Buffer.concat(held, length);
      held = [];
      length = 0;
    }
  }
  if (length > 0) yield Buffer.concat(held, length);
}
