import { sessionOf } from '../scope.ts';
import { fixedStatement } from '../sql/statement.ts';
import { turns } from '../sql/turns.ts';
import type { ByteRange, ContentPlace, ContentStorage } from './content-storage.ts';
import { inPieces } from './in-pieces.ts';

/** Bytes per row. A statement carries twice as many characters, which bounds the memory of an upload or download. */
const CHUNK = 512 * 1024;

const insert = fixedStatement(
  'insert into unified.content_chunks (connection_id, "contentId", n, bytes) values ($1, $2, $3, $4)',
);
const select = fixedStatement(
  'select bytes from unified.content_chunks where connection_id = $1 and "contentId" = $2 and n = $3',
);
const remove = fixedStatement('delete from unified.content_chunks where connection_id = $1 and "contentId" = $2');

/** Uploads share one database connection, however many there are, so that nobody else waits for one behind them. */
const inTurn = turns();

/** Keeps bytes in the database, in numbered chunks. No database connection is held while the network is waited for. */
export const postgresStorage: ContentStorage = {
  async put({ scope, contentId }, bytes) {
    let n = 0;
    for await (const piece of inPieces(bytes, CHUNK)) {
      await inTurn(() =>
        sessionOf(scope).texts(insert, [scope.connectionId, contentId, n++, `\\x${piece.toString('hex')}`]),
      );
    }
  },
  open: chunks,
  async remove({ scope, contentId }) {
    await sessionOf(scope).texts(remove, [scope.connectionId, contentId]);
  },
};

async function* chunks({ scope, contentId }: ContentPlace, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
  for (let n = Math.floor(start / CHUNK); n * CHUNK < end; n++) {
    const [row] = await sessionOf(scope).texts(select, [scope.connectionId, contentId, n]);
    if (!row?.[0]) throw new Error(`Chunk ${n} of content ${contentId} is gone.`);
    // PostgreSQL writes bytes as `\x` and hexadecimal digits.
    const bytes = Buffer.from(row[0].slice(2), 'hex');
    yield bytes.subarray(Math.max(0, start - n * CHUNK), end - n * CHUNK);
  }
}
