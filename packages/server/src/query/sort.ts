import { type Entity, type Field, type FieldKind, ServiceError } from '@unified/contract';
import type { PageQuery } from '@unified/store';
import { quoted, suggestion } from '../request-error.ts';

const SORTABLE = new Set<FieldKind>(['text', 'number', 'integer', 'boolean', 'date', 'datetime', 'enum']);
const MOST_FIELDS = 5;

/** Order of a list, read from `sort=-_updatedAt,code`. Throws `SERVICE_INVALID_SORT` with the fields that can be used. */
export function parseSort(entity: Entity, text: string | undefined): PageQuery['sort'] {
  if (text === undefined) return [];
  const terms = text.split(',').map((term) => {
    const descending = term.startsWith('-');
    return { field: fieldOf(entity, descending ? term.slice(1) : term), descending };
  });
  if (terms.length > MOST_FIELDS) throw refused(entity, `Sort by at most ${MOST_FIELDS} fields.`);
  if (new Set(terms.map(({ field }) => field.name)).size < terms.length) {
    throw refused(entity, 'Name each field once.');
  }
  return terms;
}

function fieldOf(entity: Entity, name: string): Field {
  const field = Object.hasOwn(entity.field, name) ? entity.field[name] : undefined;
  if (field && SORTABLE.has(field.kind)) return field;
  throw refused(entity, `${entity.name} cannot be sorted by ${quoted(name)}.`, name);
}

function refused(entity: Entity, reason: string, name = ''): ServiceError {
  const allowed = entity.fields.filter((field) => SORTABLE.has(field.kind)).map((field) => field.name);
  const { advice, detail } = suggestion(name, allowed);
  const message = `${reason}${advice}`;
  const details = [{ path: 'query/sort', message, ...detail, allowed }];
  return new ServiceError('SERVICE_INVALID_SORT', message, { details });
}
