import { ROW_KEY, type Row } from '@unified/connectors';
import type { Entity } from '@unified/contract';
import type { PlannedLine } from '@unified/store';
import type { PreparedWrite } from './prepare-write.ts';

type Prepared = Pick<PreparedWrite, 'mapping' | 'input' | 'known'>;

/** The lines that a write would add, change or remove, in the order in which they were sent; removed ones are last. */
export function plannedLines(entity: Entity, { mapping, input, known }: Prepared): PlannedLine[] {
  return entity.fields.flatMap(({ name, holdsLines }) => {
    const { [name]: sent } = input;
    if (!holdsLines || !Array.isArray(sent)) return [];
    const lines = (sent as readonly Row[]).map((line) => plannedLine(name, line));
    const kept = new Set(lines.map(({ _idValue }) => _idValue));
    const path = mapping.written.find(({ field }) => field === name)?.path ?? '';
    const gone = (known[path] ?? []).filter((_idValue) => !kept.has(_idValue));
    return [...lines, ...gone.map((_idValue) => ({ field: name, op: 'delete' as const, _idValue, values: {} }))];
  });
}

function plannedLine(field: string, { [ROW_KEY]: key, ...sent }: Row): PlannedLine {
  const values = Object.fromEntries(Object.entries(sent).filter(([, value]) => !isReference(value)));
  return key === undefined
    ? { field, op: 'create', _idValue: null, values }
    : { field, op: 'update', _idValue: String(key), values };
}

/** References are in `resolvedRefs`. */
function isReference(value: unknown): boolean {
  const values = Array.isArray(value) ? value : [value];
  return values.some((each) => typeof each === 'object' && each !== null && '_idValue' in each && 'entity' in each);
}
