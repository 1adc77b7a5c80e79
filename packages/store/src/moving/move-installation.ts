import type { Entity } from '@unified/contract';
import pg from 'pg';
import { type MovedNote, noteMoved } from '../embedded/moved-note.ts';
import { recall, superuserUrl } from '../embedded/remembered.ts';
import { startEmbedded } from '../embedded/start-embedded.ts';
import { openStore } from '../open-store.ts';
import { migrate } from '../schema/migrate.ts';
import type { SecretKey } from '../secrets/secret-key.ts';
import { withConnection } from '../sql/own-connection.ts';
import { MOVE_SESSION } from './fingerprint.ts';
import { installationTables } from './installation-tables.ts';
import { MoveError } from './move-error.ts';
import { claimTarget, refuseSame, usedTable } from './target.ts';
import { type Transfer, type TransferProgress, transfer } from './transfer.ts';

export interface MoveOptions extends TransferProgress {
  /** Folder of the embedded server. */
  readonly dataDir: string;
  /** URL of the database that receives the installation. */
  readonly to: string;
  /** As for `openStore`, with which both databases are updated to this release. */
  readonly entities: Readonly<Record<string, Entity>>;
  readonly publicUrl: string;
  /** Loads the master key, which updates from earlier releases need. */
  readonly loadKey: () => Promise<SecretKey>;
  readonly log?: (line: string) => void;
}

/** A move that has ended. */
export interface Move extends MovedNote, Transfer {}

/**
 * Copies the embedded installation to another database, compares the number and a hash of the rows of each table, and notes in the
 * data directory that it was moved, so that its embedded database is not started again. The other database receives everything in
 * one transaction, and the embedded one is only read: a move that ends in the middle has changed neither, and can be repeated.
 * The other database must be empty, or contain the same already. Throws `DataDirectoryError` if another process uses the embedded
 * database, and `MoveError`.
 */
export async function moveInstallation(options: MoveOptions): Promise<Move> {
  const { dataDir, to, log = () => {} } = options;
  if ((await recall(dataDir)) === null)
    throw new MoveError(`There is no embedded database in ${dataDir}.`, 'Set DATA_DIR to the directory to move.');
  const server = await startEmbedded({ dataDir, alone: true, log });
  try {
    const remembered = await recall(dataDir);
    if (remembered === null) throw new Error(`The password of the database in ${dataDir} is missing.`);
    // Row-level security hides no row from the superuser.
    const from = superuserUrl(remembered, 'unified');
    await refuseSame(from, to);
    const key = await options.loadKey();
    await update(server.url, options, key);
    const moved = await session(from, (source) =>
      session(to, async (target) => {
        await claimTarget(target);
        // Another installation must not be updated. Row-level security may hide the rows of other tables.
        const readable = (await installationTables(target)).filter(({ isForced }) => !isForced);
        if ((await usedTable(target, readable)) === undefined) await update(to, options, key);
        return transfer({ source, target }, options);
      }),
    );
    const note = { to: placeOf(to), movedAt: new Date().toISOString() };
    await noteMoved(dataDir, note);
    return { ...note, ...moved };
  } finally {
    await server.stop();
  }
}

/** Creates the tables of this release, or adds what is missing. Both databases need the same ones. */
async function update(databaseUrl: string, { entities, publicUrl }: MoveOptions, key: SecretKey): Promise<void> {
  const store = await openStore({ databaseUrl, entities, publicUrl, key });
  try {
    await migrate(store);
  } finally {
    await store.close();
  }
}

function session<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const prepared = async (client: pg.Client) => {
    await client.query(MOVE_SESSION);
    return work(client);
  };
  return withConnection(url, prepared, { name: 'unified move' });
}

/** Names a database without the user and password. */
function placeOf(url: string): string {
  const { host, port, database } = new pg.Client(url);
  return `${host}:${port}/${database ?? ''}`;
}
