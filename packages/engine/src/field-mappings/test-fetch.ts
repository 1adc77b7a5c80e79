import type { CompiledMapping, RawRow, Row, ValueProblem } from '@unified/connectors';
import { ServiceError } from '@unified/contract';
import { streamOf } from '../model/connection-model.ts';
import { candidateModel, changeOf, type SentMapping } from './candidate.ts';
import { type MappedConnection, type MappingParts, withSystem } from './mapped-connection.ts';
import { shownFields, withoutSecrets } from './mapped-row.ts';

/** A row of the connected system, and the record that a mapping derives from it. */
export interface MappedRow {
  readonly key: string;
  readonly row: Row;
  /** Null if the row is not a record of the entity. */
  readonly record: Readonly<Record<string, unknown>> | null;
  /** Values that are left out, one line each. */
  readonly problems: string[];
}

/** Reads the first rows of the stream from the connected system and maps them. Nothing is stored. */
export async function testFetch(
  parts: MappingParts,
  mapped: MappedConnection,
  entity: string,
  { sent, limit }: { readonly sent: SentMapping; readonly limit: number },
): Promise<MappedRow[]> {
  const model = await candidateModel(parts, mapped, entity, changeOf(mapped, entity, sent));
  const mapping = model.mappings[entity];
  const stream = streamOf(model, entity);
  if (!mapping || !stream) throw notMapped(mapped, entity);
  const { rows } = await withSystem(parts, mapped.scope, ({ driver, quota }) =>
    quota.run('read', () => driver.pull({ stream, from: null, limit })),
  );
  return rows.slice(0, limit).map((row) => mappedRow(mapping, row));
}

/** Throws SERVICE_INVALID_BODY for an entity that the platform does not map if the request does not contain a stream for it. */
export function notMapped({ model }: MappedConnection, entity: string): ServiceError {
  const streams = model.platform.streams.map(({ name }) => name).join(', ');
  const message = `The platform does not map ${entity}. Send one of the streams ${streams}.`;
  return new ServiceError('SERVICE_INVALID_BODY', `body/stream: ${message}`, {
    details: [{ path: 'body/stream', message }],
  });
}

function mappedRow(mapping: CompiledMapping, row: RawRow): MappedRow {
  const problems: ValueProblem[] = [];
  const record = mapping.read(row, problems);
  return {
    key: row.key,
    row: withoutSecrets(row.row),
    record: record && shownFields(record),
    problems: problems.map(lineOf),
  };
}

const LONGEST = 500;

function lineOf({ field, message, example }: ValueProblem): string {
  const line = `${field}: ${message}${example === null ? '' : ` It is "${example}".`}`;
  return line.slice(0, LONGEST).toWellFormed();
}
