import type { Discovery, Driver, RowChanges } from '../driver.ts';
import type { Query, SqlDialect } from './dialect/sql-dialect.ts';
import { readableColumns, writtenTables } from './probe.ts';
import { actionProblems } from './probe-action.ts';
import { notesOnWrites } from './probe-write.ts';
import type { Sources } from './sources.ts';
import { systemCatalog } from './system-catalog.ts';
import { notesOnKey } from './unique-key.ts';

/** Discovery that can always list the tables of the database. */
export type ListingDiscovery = Discovery & Required<Pick<Discovery, 'catalog'>>;

/** Lists the catalog of the database, which is read again each time, and compares streams with it. */
export function discovery(
  dialect: SqlDialect,
  query: Query,
  schema: string,
  sources: Sources,
  { pull, changes }: { readonly pull: Driver['pull']; readonly changes: RowChanges },
): ListingDiscovery {
  const columns: Discovery['columns'] = async (stream) => {
    sources.forget(stream);
    return readableColumns(await sources.of(stream));
  };
  return {
    catalog: systemCatalog(dialect, query, schema),
    columns,
    written: async (stream) => writtenTables(await sources.of(stream)),
    async probe(stream, { actions, writes }) {
      await columns(stream);
      const source = await sources.of(stream);
      const { rows } = await pull({ stream, from: null, limit: 1 });
      if (stream.cursor !== undefined) {
        await changes.pull({ stream, since: await changes.mark(stream), from: null, limit: 1 });
      }
      const keyNotes = await notesOnKey(query, source);
      const problems = await actionProblems(query, source, actions);
      const writeNotes = await notesOnWrites(query, source, writes);
      const inFlightNotes = stream.cursor === undefined ? [] : await source.dialect.inFlight.notes(query);
      return {
        sample: rows[0] ?? null,
        problems,
        notes: [...keyNotes, ...writeNotes, ...inFlightNotes],
      };
    },
  };
}
