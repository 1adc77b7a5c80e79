import type { Row } from '../driver.ts';
import type { Schemas } from './schemas.ts';
import type { TrytonSession } from './session.ts';
import type { Role } from './stream-options.ts';
import { decodeScalar, isWireObject, type Wire } from './wire.ts';

const BATCH = 1000;

/**
 * Who is a supplier, who is a customer. Tryton has no such flag: a party plays a role when a category says so, when it
 * has terms of its own for it, or when there are documents with it.
 */
export class Roles {
  readonly names: readonly string[];
  readonly #session: TrytonSession;
  readonly #schemas: Schemas;
  readonly #roles: Readonly<Record<string, Role>>;
  #defaults: Promise<Row> | undefined;

  constructor(session: TrytonSession, schemas: Schemas, roles: Readonly<Record<string, Role>> = {}) {
    this.#session = session;
    this.#schemas = schemas;
    this.#roles = roles;
    this.names = Object.keys(roles);
  }

  /** Fields of a party that must be read to tell its roles. */
  get fields(): readonly string[] {
    return ['categories.name', ...new Set(Object.values(this.#roles).flatMap(({ fields }) => fields))];
  }

  role(name: string): Role | undefined {
    return Object.hasOwn(this.#roles, name) ? this.#roles[name] : undefined;
  }

  /** Gives each party, a row with the `fields` of this class, one boolean per role. */
  async mark(parties: readonly Row[]): Promise<void> {
    const defaults = await this.#defaultsOfNewParties();
    for (const [name, role] of Object.entries(this.#roles)) {
      const open: Row[] = [];
      for (const party of parties) {
        party[name] = saysSo(party, role, defaults);
        if (party[name] === false) open.push(party);
      }
      const found = await this.#mentioned(
        role,
        open.map(({ id }) => Number(id)),
      );
      for (const party of open) party[name] = found.has(Number(party.id));
    }
  }

  /** Parties that rows written since then mention: they may have got a role without being changed themselves. */
  async mentionedSince(since: Wire): Promise<number[]> {
    const found = new Set<number>();
    for (const [model, field] of Object.values(this.#roles).flatMap(({ rows }) => Object.entries(rows))) {
      const recent: Wire = ['create_date', '>=', since];
      for (let last = 0, more = true; more; ) {
        const rows = await this.#search(model, field, [recent, ['id', '>', last]]);
        for (const row of rows) found.add(row.party);
        last = rows.at(-1)?.id ?? last;
        more = rows.length === BATCH;
      }
    }
    return [...found];
  }

  /** Those of the parties that a document or agreement mentions. */
  async #mentioned(role: Role, parties: readonly number[]): Promise<Set<number>> {
    const found = new Set<number>();
    for (const [model, field] of Object.entries(role.rows)) {
      for (let more = true; more; ) {
        const open = parties.filter((party) => !found.has(party));
        if (open.length === 0) return found;
        const rows = await this.#search(model, field, [[field, 'in', open]]);
        for (const { party } of rows) found.add(party);
        more = rows.length === BATCH;
      }
    }
    return found;
  }

  async #search(model: string, field: string, domain: readonly Wire[]): Promise<{ id: number; party: number }[]> {
    if (!(await this.#schemas.of(model)).has(field)) return [];
    const params = [domain, 0, BATCH, [['id', 'ASC']], [field]];
    const rows = await this.#session.call(model, 'search_read', params, { context: { active_test: false } });
    return (Array.isArray(rows) ? rows : []).map((row) => ({ id: Number(row.id), party: Number(row[field]) }));
  }

  #defaultsOfNewParties(): Promise<Row> {
    this.#defaults ??= this.#askDefaults().catch((error: unknown) => {
      this.#defaults = undefined;
      throw error;
    });
    return this.#defaults;
  }

  async #askDefaults(): Promise<Row> {
    const fields = await this.#schemas.existing(
      'party.party',
      Object.values(this.#roles).flatMap(({ fields }) => fields),
    );
    const defaults = await this.#session.call('party.party', 'default_get', [fields, false]);
    const entries = isWireObject(defaults) ? Object.entries(defaults) : [];
    return Object.fromEntries(entries.map(([name, value]) => [name, decodeScalar(value)]));
  }
}

/** What the party itself tells. */
function saysSo(party: Row, { categories, fields }: Role, defaults: Row): boolean {
  const filed = Array.isArray(party.categories) ? party.categories : [];
  if (filed.some(({ name }) => categories.includes(String(name)))) return true;
  return fields.some((field) => {
    const value = idOrValue(party[field]);
    return value !== null && value !== '""' && value !== JSON.stringify(defaults[field] ?? null);
  });
}

/** A relation that was read with some of its fields, by its id alone. */
function idOrValue(value: unknown): string | null {
  const plain = isWireObject(value) && value.id !== undefined ? value.id : value;
  return plain === null || plain === undefined ? null : JSON.stringify(plain);
}
