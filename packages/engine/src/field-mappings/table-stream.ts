import { type Stream, type SystemColumn, tableStream } from '@unified/connectors';
import { type ConnectionModel, platformOfModel } from '../model/connection-model.ts';

/** The stream that copies a table: a stream with the same name, or one whose options contain the name. */
export function streamReading({ platform }: ConnectionModel, table: string): Stream | undefined {
  const { streams } = platform;
  const isOf = ({ options: { table: named, model, set, view, query } }: Stream) =>
    view === undefined && query === undefined && [named, model, set].includes(table);
  return (
    streams.find(({ name, options: { table: named, model, set } }) => name === table && !(named ?? model ?? set)) ??
    streams.find(isOf)
  );
}

/** A stream that reads a table, for a separate driver; undefined if the protocol needs options for it. */
export function wholeTable(
  model: ConnectionModel,
  name: string,
  columns: readonly Pick<SystemColumn, 'name' | 'keyPosition'>[],
): Stream | undefined {
  const key = columns
    .filter(({ keyPosition }) => keyPosition !== null)
    .toSorted((one, other) => (one.keyPosition ?? 0) - (other.keyPosition ?? 0))
    .map((column) => column.name);
  const [first] = columns;
  return tableStream(platformOfModel(model), { name, key: key.length > 0 ? key : [first?.name ?? 'id'] });
}
