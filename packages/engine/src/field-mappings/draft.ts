import { draftMapping, type Json, type Proposal } from '@unified/connectors';
import { ServiceError } from '@unified/contract';
import { entityIn } from '@unified/store';
import { platformOfModel } from '../model/connection-model.ts';
import { type MappedConnection, type MappingParts, withSystem } from './mapped-connection.ts';
import { columnsOf, noTable } from './source-tables.ts';
import { streamReading } from './table-stream.ts';

/** A proposed mapping, which a person completes. */
export interface DraftedMapping {
  readonly stream: string;
  /** Stream to add before the mapping is saved; null if a stream already reads the table. */
  readonly customStream: { readonly name: string; readonly key: string[] } | null;
  readonly fields: Readonly<Record<string, Json>>;
  readonly parts: { readonly created?: { datetime: string }; readonly updated?: { datetime: string } };
  readonly proposals: (Proposal & { readonly field: string; readonly word: Json })[];
  /** Values that no word is assigned to yet. */
  readonly unassigned: { readonly field: string; readonly values: string[] }[];
  readonly unusedColumns: string[];
  readonly missingFields: string[];
}

/** Drafts the mapping of a table from its columns and values. Throws SERVICE_NOT_FOUND, and the errors of `withSystem`. */
export async function draftOf(
  parts: MappingParts,
  mapped: MappedConnection,
  entity: string,
  table: string,
): Promise<DraftedMapping> {
  return withSystem(parts, mapped.scope, async (session) => {
    const catalog = session.driver.discover?.catalog;
    if (!catalog) {
      const message = `${mapped.platform.name} cannot list its tables, so no mapping can be drafted. Write its fields.`;
      throw new ServiceError('SERVICE_NOT_FOUND', message);
    }
    const columns = await columnsOf(session, catalog, table);
    if (!columns) throw noTable(table);
    const system = { platform: platformOfModel(session.model), settings: session.settings };
    const draft = await session.quota.run('read', () =>
      draftMapping(system, entityIn(mapped.scope, entity), { name: table, columns }),
    );
    const { key, created, updated, fields, proposals, unassigned, unusedColumns, fieldsWithoutColumn } = draft;
    const stream = streamReading(mapped.model, table);
    return {
      stream: stream?.name ?? table,
      customStream: stream ? null : { name: table, key: [...key] },
      fields: Object.fromEntries(fields),
      parts: {
        ...(created !== null && { created: { datetime: created } }),
        ...(updated !== null && { updated: { datetime: updated } }),
      },
      proposals: [...proposals].map(([field, proposal]) => ({ field, word: fields.get(field) ?? null, ...proposal })),
      unassigned: [...unassigned].map(([field, values]) => ({ field, values: [...values] })),
      unusedColumns: unusedColumns.map(({ name }) => name),
      missingFields: [...fieldsWithoutColumn],
    };
  });
}
