import { pageOf, pageSize, type SystemCatalog, type SystemColumn } from '../system-catalog.ts';
import type { FieldSchema, Schemas } from './schemas.ts';
import type { TrytonSession } from './tryton-session.ts';
import { unwatched } from './unwatched.ts';
import { isWireObject, type Wire, type WireObject } from './wire.ts';

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
    async optionsFor(model, fields) {
      const touchedBy = await unwatched(schemas, { model, fields });
      return { fields: [...fields], ...(touchedBy.length > 0 && { touchedBy }) };
    },
  };
}

function mayRead(access: Wire | undefined): boolean {
  return isWireObject(access) && Boolean(access.read);
}

/** Models with stored rows, after one of them. The other models are forms of wizards, without a creation date. */
async function storedModels(session: TrytonSession, schemas: Schemas, after: Wire, limit: number) {
  const models = (await schemas.of('ir.model')).has('model') ? earlierModels : laterModels;
  return models(session, after, limit);
}

async function earlierModels(session: TrytonSession, after: Wire, limit: number) {
  const domain: Wire[] = [['fields.name', '=', 'create_date']];
  if (after !== null) domain.push(['model', '>', after]);
  const order = [['model', 'ASC']];
  const found = await session.call('ir.model', 'search_read', [domain, 0, limit, order, ['model', 'name', 'info']]);
  return rowsOf(found).map(({ model, name, info }) => ({
    name: String(model),
    label: textOrNull(name),
    comment: textOrNull(info),
  }));
}

/** Later series call the technical name `name` and the label `string`, and cannot search models by their fields. */
async function laterModels(session: TrytonSession, after: Wire, limit: number) {
  const domain: Wire[] = [['name', '=', 'create_date']];
  if (after !== null) domain.push(['model', '>', after]);
  const stored = await session.call('ir.model.field', 'search_read', [domain, 0, limit, [['model', 'ASC']], ['model']]);
  const named: Wire[] = [['name', 'in', rowsOf(stored).map(({ model }) => model ?? null)]];
  const found = await session.call('ir.model', 'search_read', [named, 0, null, [['name', 'ASC']], ['name', 'string']]);
  return rowsOf(found).map(({ name, string }) => ({
    name: String(name),
    label: textOrNull(string),
    comment: null,
  }));
}

function rowsOf(found: Wire): WireObject[] {
  return (Array.isArray(found) ? found : []).filter(isWireObject);
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
