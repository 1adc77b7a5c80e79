import type { Row } from '../driver.ts';
import type { Schemas } from './schemas.ts';
import { decodeScalar, isWireObject, type Wire, type WireObject } from './wire.ts';

/**
 * A record on the wire as a row of plain JSON. Fields read by dotted paths are below the name of the relation: `"party.": { id,
 * name }` becomes `party: { id, name }`, `"lines.": [...]` becomes `lines: [...]`; a relation that was requested without a path
 * becomes its id. Fields have the names that the platform uses.
 */
export async function decodeRow(schemas: Schemas, model: string, record: WireObject): Promise<Row> {
  const [schema, renamed] = [await schemas.of(model), await schemas.renamed(model)];
  const row: Row = {};
  for (const [key, value] of Object.entries(record)) {
    const there = key.endsWith('.') ? key.slice(0, -1) : key;
    const field = schema.get(there);
    // A relation that was also requested without a path.
    if (key === there && Object.hasOwn(record, `${there}.`)) continue;
    const decoded =
      key === there ? decodeValue(field?.type, value) : await decodeRelated(schemas, field?.relation ?? '', value);
    for (const name of renamed.get(there) ?? [there]) row[name] = decoded;
  }
  return row;
}

async function decodeRelated(schemas: Schemas, model: string, value: Wire): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((each) => decodeRelated(schemas, model, each)));
  return isWireObject(value) ? decodeRow(schemas, model, value) : null;
}

/** Databases without booleans, and sums over them, return 0 and 1. */
function decodeValue(type: string | undefined, value: Wire): unknown {
  if (type === 'boolean' && value !== null) return value === true || value === 1;
  return decodeScalar(value);
}
