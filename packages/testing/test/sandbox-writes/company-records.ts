import { type Entity, entityOf } from '@unified/contract';
import { expect } from 'vitest';
import type { Company } from '../served-company.ts';
import type { Row } from '../write-recipe.ts';
import type { Target } from './stored-row.ts';

interface Page {
  readonly data: readonly (Row & { readonly id: string; readonly code: string; readonly _idValue: string })[];
  readonly meta: { readonly next_cursor: string | null };
}

/** A reason of an action, with its code and its label. */
export interface Reason {
  readonly reason: Target;
  readonly code: string;
  readonly label: string;
}

/** The records of the company, as the service lists them. */
export class CompanyRecords {
  /** Codes of the records that requests refer to, by id. */
  readonly codes = new Map<string, string>();
  readonly #company: Company;

  constructor(company: Company) {
    this.#company = company;
  }

  /** A value that occurs in the company for each writable field of an entity; fields that no record has are absent. */
  async samples({ collection, fields }: Entity): Promise<Row> {
    const open = new Set(fields.filter(({ writable }) => writable).map(({ name }) => name));
    const samples: Record<string, unknown> = {};
    for (let cursor: string | null = ''; cursor !== null && open.size > 0; ) {
      const { data, meta }: Page = await this.#page(`/${collection}?per_page=200${cursor}`);
      for (const record of data) {
        for (const name of [...open].filter((each) => isFilled(record[each]))) {
          samples[name] = record[name];
          open.delete(name);
        }
      }
      cursor = meta.next_cursor === null ? null : `&cursor=${meta.next_cursor}`;
    }
    return samples;
  }

  /** A reference to the only record that matches filters, such as `filter[code]=DE`. */
  async target(entity: string, filters: string): Promise<Target> {
    return this.#targetOf(entity, await this.one(entity, filters));
  }

  coded(entity: string, code: string): Promise<Target> {
    return this.target(entity, `filter[code]=${encodeURIComponent(code)}`);
  }

  named(entity: string, label: string): Promise<Target> {
    return this.target(entity, `filter[_displayValue]=${encodeURIComponent(label)}`);
  }

  keyed(entity: string, key: string): Promise<Target> {
    return this.target(entity, `filter[_idValue]=${encodeURIComponent(key)}`);
  }

  /** The first entry of a list of the company, such as the reasons for an interruption (`HALT`). */
  async reason(list: string): Promise<Reason> {
    const [found] = await this.#company.sql('SELECT wert FROM schluessel WHERE art = $1 ORDER BY wert LIMIT 1', [list]);
    const reason = await this.coded('Taxonomy', String(found?.wert));
    return { reason, code: this.codes.get(reason.id) ?? '', label: reason._displayValue };
  }

  /** The first record that matches filters. */
  async one(entity: string, filters: string): Promise<Page['data'][number]> {
    const { data } = await this.#page(`/${collectionOf(entity)}?per_page=1&${filters}`);
    return data[0] ?? expect.fail(`The company has no ${entity} with ${filters}.`);
  }

  /** Reads the codes of all records to which a request refers. */
  async learn(value: unknown): Promise<void> {
    if (Array.isArray(value)) for (const each of value) await this.learn(each);
    else if (isTarget(value)) await this.#learnTarget(value);
    else if (typeof value === 'object' && value !== null) await this.learn(Object.values(value));
  }

  async #learnTarget({ id, rel }: Target): Promise<void> {
    if (this.codes.has(id)) return;
    const { body } = await this.#company.send<{ data: { code: string } }>(`/${collectionOf(rel)}/${id}`);
    this.codes.set(id, body.data.code);
  }

  #targetOf(rel: string, { id, _idValue, _displayValue, code }: Page['data'][number]): Target {
    this.codes.set(id, code);
    return { id, _idValue, _displayValue: String(_displayValue), rel };
  }

  async #page(path: string): Promise<Page> {
    const { body, status } = await this.#company.send<Page>(path);
    if (status !== 200) expect.fail(`${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  }
}

function collectionOf(entity: string): string {
  return entityOf(entity)?.collection ?? expect.fail(`There is no entity ${entity}.`);
}

function isFilled(value: unknown): boolean {
  return value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
}

function isTarget(value: unknown): value is Target {
  return typeof value === 'object' && value !== null && '_idValue' in value && 'rel' in value;
}
