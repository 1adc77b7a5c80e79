import type { Expansion } from '../query/expand.ts';
import type { FieldSelection } from '../query/fields.ts';
import type { DataContext } from './context.ts';
import { expandRecords } from './expand-records.ts';

/** What a read asks of its records besides that they are there. */
export interface RecordShape {
  readonly expansion: Expansion;
  readonly fields: FieldSelection;
}

type Doc = Record<string, unknown>;

/** JSON text of a record or a list of records in the shape asked for. What is wanted as it is stored is not read. */
export async function shaped(text: string, shape: RecordShape, context: DataContext): Promise<string> {
  const { expansion, fields } = shape;
  if (expansion.size === 0 && fields === undefined) return text;
  const given: Doc | Doc[] = JSON.parse(text);
  const records = [given].flat().map((record) => (fields === undefined ? record : only(record, fields)));
  await expandRecords(context, records, expansion);
  return JSON.stringify(Array.isArray(given) ? records : records[0]);
}

function only(record: Doc, fields: ReadonlySet<string>): Doc {
  return Object.fromEntries(Object.entries(record).filter(([name]) => fields.has(name)));
}
