import { pageOf, pageSize, type SystemCatalog, type SystemColumn } from '../system-catalog.ts';
import type { FieldSchema, Schemas } from './schemas.ts';
import type { TrytonSession } from './tryton-session.ts';
import { isWireObject, type Wire } from './wire.ts';

/** Every model has this key. */
const KEY = 'id';

/** Models that the user may read, and their fields. Tryton counts rows only by reading them, so none are estimated. */
export function systemCatalog(session: TrytonSession, schemas: Schemas): SystemCatalog {
  const readable = async (models: readonly string[]): Promise<ReadonlySet<string>> => {
    const access = await session.call('ir.model.access', 'get_access', [[...models]]);
    return new Set(models.filter((model) => isWireObject(access) && mayRead(access[model])));
  };
  return {
    async tables(request) {
      const size = pageSize(request);
      const found = await storedModels(session, schemas, request.from, size + 1);
      const { items, next } = pageOf(found, size, ({ name }) => name);
      const allowed = await readable(items.map(({ name }) => name));
      const tables = items.filter(({ name }) => allowed.has(name));
      return {
        next,
        items: tables.map((table) => ({ ...table, kind: 'model', estimatedRows: null, primaryKey: [KEY] })),
      };
    },
    async columns(model, request) {
      const schema = await schemas.of(model);
      if (schema.size === 0 || !(await readable([model])).has(model)) return null;
      const size = pageSize(request);
      const after = String(request.from ?? '');
      const fields = [...schema].filter(([name]) => name > after).sort(([one], [other]) => (one < other ? -1 : 1));
      return pageOf(fields.slice(0, size + 1).map(columnOf), size, ({ name }) => name);
    },
  };
}

function mayRead(access: Wire | undefined): boolean {
  return isWireObject(access) && Boolean(access.read);
}

/** Models with stored rows, after one of them. The other models are forms of wizards, without a creation date. */
async function storedModels(session: TrytonSession, schemas: Schemas, after: Wire, limit: number) {
  // Later versions call the technical name `name` and the label `string`.
  const [name, label] = (await schemas.of('ir.model')).has('model') ? ['model', 'name'] : ['name', 'string'];
  const domain: Wire[] = [['fields.name', '=', 'create_date']];
  if (after !== null) domain.push([name, '>', after]);
  const found = await session.call('ir.model', 'search_read', [
    domain,
    0,
    limit,
    [[name, 'ASC']],
    [name, label, 'info'],
  ]);
  return (Array.isArray(found) ? found : []).filter(isWireObject).map((row) => ({
    name: String(row[name]),
    label: textOrNull(row[label]),
    comment: textOrNull(row.info),
  }));
}

function columnOf([name, field]: readonly [string, FieldSchema]): SystemColumn {
  return {
    name,
    type: field.relation === null ? field.type : `${field.type} ${field.relation}`,
    label: textOrNull(field.label),
    nullable: !field.required,
    comment: textOrNull(field.help),
    keyPosition: name === KEY ? 1 : null,
  };
}

function textOrNull(value: Wire | undefined): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}
