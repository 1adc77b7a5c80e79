import { type CatalogEntity, catalog } from '../../contract/entity-catalog.ts';
import type { EntityFacts } from '../../contract/entity-facts.ts';

const MOST = 8;

/** What can be entered at a place of a statement. */
export interface Completion {
  /** Position of the part that is replaced. */
  readonly from: number;
  readonly options: readonly CompletionOption[];
}

export interface CompletionOption {
  readonly text: string;
  /** Kind of the field, or the name of the records. */
  readonly detail: string;
}

/** A table of MQL: `work_orders` for `work-orders`. */
function tableOf({ collection }: CatalogEntity): string {
  return collection.replaceAll('-', '_');
}

/** The entities whose tables a statement reads. */
export function sourcesOf(statement: string): string[] {
  const named = [...statement.matchAll(/\b(?:from|join)\s+(\w+)/gi)].map(([, table = '']) => table.toLowerCase());
  return catalog.entities.filter((entity) => named.includes(tableOf(entity))).map(({ name }) => name);
}

/** The path that ends at the caret, such as `currency.co`, and whether a table belongs there. */
function pathAt(statement: string, caret: number): { readonly path: readonly string[]; readonly isTable: boolean } {
  const before = statement.slice(0, caret);
  const [path = ''] = /[\w.]*$/.exec(before) ?? [];
  const isTable = /\b(?:from|join)\s+$/i.test(before.slice(0, before.length - path.length));
  return { path: path.split('.'), isTable };
}

/** The entities to whose fields the path at the caret leads, as far as the facts are known. */
function ownersOf(path: readonly string[], sources: readonly string[], facts: ReadonlyMap<string, EntityFacts>) {
  let owners = sources;
  for (const step of path.slice(0, -1)) {
    const fields = owners.flatMap((owner) => facts.get(owner)?.fields ?? []);
    const targets = fields.filter(({ name }) => name === step).flatMap((field) => field.targets ?? []);
    // A name of a table before its field changes nothing.
    if (targets.length > 0) owners = targets;
  }
  return owners;
}

/** The entities whose facts the completion at the caret needs; it needs more when those are known, along a path. */
export function neededFacts(statement: string, caret: number, facts: ReadonlyMap<string, EntityFacts>): string[] {
  const sources = sourcesOf(statement);
  return [...new Set([...sources, ...ownersOf(pathAt(statement, caret).path, sources, facts)])];
}

/** Tables after `from` and `join`, otherwise fields, whose names begin with what stands before the caret. */
export function completionAt(statement: string, caret: number, facts: ReadonlyMap<string, EntityFacts>): Completion {
  const { path, isTable } = pathAt(statement, caret);
  const typed = path.at(-1) ?? '';
  const options = isTable
    ? catalog.entities.map((entity) => ({ text: tableOf(entity), detail: entity.title }))
    : ownersOf(path, sourcesOf(statement), facts).flatMap((owner) =>
        (facts.get(owner)?.fields ?? []).map(({ name, kind }) => ({ text: name, detail: kind })),
      );
  const begins = options.filter(({ text }) => text.toLowerCase().startsWith(typed.toLowerCase()) && text !== typed);
  const unique = new Map(begins.map((option) => [option.text, option]));
  const isAsked = typed !== '' || path.length > 1 || isTable;
  return { from: caret - typed.length, options: isAsked ? [...unique.values()].slice(0, MOST) : [] };
}
