import { type ByteBudget, budgetOf, documents, entityIn } from '@unified/store';
import { shownText } from '../query/field-selection.ts';
import type { Expansion } from '../query/record-shape.ts';
import type { DataContext } from './context.ts';
import { takingTurns } from './taking-turns.ts';

/** A record as an object. */
export type Doc = Readonly<Record<string, unknown>>;

/**
 * JSON texts of records in which references are replaced by full records, as far as the token gives access to them; undefined
 * if they exceed the size limit of a response. A record that several references point to is read and rendered only once.
 */
export async function expandRecords(
  context: Readable,
  docs: readonly Doc[],
  expansion: Expansion,
): Promise<readonly string[] | undefined> {
  const { largestResponse: mostBytes } = context;
  const targets = await loadTargets(context, docs, expansion, budgetOf(mostBytes));
  if (!targets) return undefined;
  const rendering = new Rendering(targets, mostBytes);
  const turn = takingTurns();
  const texts: string[] = [];
  let left = mostBytes;
  for (const doc of docs) {
    const rendered = rendering.record(doc, expansion);
    left -= rendered?.bytes ?? Number.POSITIVE_INFINITY;
    if (!rendered || left < 0) return undefined;
    texts.push(rendered.text);
    await turn();
  }
  return texts;
}

type Readable = Pick<DataContext, 'scope' | 'narrow' | 'largestResponse'>;

interface Reference {
  readonly id: string;
  readonly rel: string;
}

/** Records that references point to, as JSON, by `keyOf`. */
type Targets = ReadonlyMap<string, string>;

function keyOf({ rel, id }: Reference): string {
  return `${rel} ${id}`;
}

/** References to replace, each only once, by the fields to expand in their targets. */
type Wanted = Map<Expansion, Map<string, Reference>>;

/** Reads the targets, with one query per kind and level; undefined if they exceed the budget. */
async function loadTargets(
  context: Readable,
  docs: readonly Doc[],
  expansion: Expansion,
  budget: ByteBudget,
): Promise<Targets | undefined> {
  const targets = new Map<string, string>();
  const turn = takingTurns();
  let wanted: Wanted = new Map();
  for (const doc of docs) {
    noteReferences(wanted, doc, expansion);
    await turn();
  }
  while (wanted.size > 0) {
    const references = [...wanted.values()].flatMap((group) => [...group.values()]);
    await load(context, references, targets, budget);
    if (budget.isExceeded) return undefined;
    const next: Wanted = new Map();
    for (const [inner, group] of wanted) {
      for (const key of inner.size === 0 ? [] : group.keys()) {
        const text = targets.get(key);
        if (text !== undefined) noteReferences(next, JSON.parse(text), inner);
        await turn();
      }
    }
    wanted = next;
  }
  return targets;
}

function noteReferences(wanted: Wanted, doc: Doc, expansion: Expansion): void {
  for (const [name, inner] of expansion) {
    for (const value of [doc[name]].flat()) {
      if (!isReference(value)) continue;
      const group = wanted.get(inner) ?? new Map<string, Reference>();
      wanted.set(inner, group.set(keyOf(value), value));
    }
  }
}

function isReference(value: unknown): value is Reference {
  return typeof value === 'object' && value !== null && 'rel' in value && 'id' in value;
}

async function load(
  { scope, narrow }: Readable,
  references: readonly Reference[],
  targets: Map<string, string>,
  budget: ByteBudget,
): Promise<void> {
  const missing = references.filter((reference) => !targets.has(keyOf(reference)));
  const loaded = [...Map.groupBy(missing, ({ rel }) => rel)].map(async ([rel, group]) => {
    const ids = [...new Set(group.map(({ id }) => id))];
    const entity = narrow(entityIn(scope, rel));
    if (!entity) return;
    for (const [id, text] of await documents(scope, entity, ids, budget))
      targets.set(keyOf({ rel, id }), entity.isPartial || entity.showsLabelOf ? shownText(entity, text) : text);
  });
  await Promise.all(loaded);
}

/** JSON text, and its length in UTF-8. */
interface Rendered {
  readonly text: string;
  readonly bytes: number;
}

/** Renders records with their expanded references. Each target is rendered once for each way in which it is expanded. */
class Rendering {
  readonly #targets: Targets;
  readonly #mostBytes: number;
  readonly #known = new Map<Expansion, Map<string, Rendered>>();

  constructor(targets: Targets, mostBytes: number) {
    this.#targets = targets;
    this.#mostBytes = mostBytes;
  }

  /** Renders a record; undefined if it has more than `mostBytes`. */
  record(doc: Doc, expansion: Expansion): Rendered | undefined {
    if (expansion.size === 0) return measured(JSON.stringify(doc));
    const properties: Rendered[] = [];
    for (const [name, value] of Object.entries(doc)) {
      const inner = expansion.get(name);
      const rendered = inner ? this.#value(value, inner) : measured(JSON.stringify(value));
      if (!rendered) return undefined;
      const label = measured(`${JSON.stringify(name)}:`);
      properties.push({ text: label.text + rendered.text, bytes: label.bytes + rendered.bytes });
    }
    return this.#joined('{', properties, '}');
  }

  #value(value: unknown, inner: Expansion): Rendered | undefined {
    if (!Array.isArray(value)) return this.#single(value, inner);
    const items: Rendered[] = [];
    for (const each of value) {
      const item = this.#single(each, inner);
      if (!item) return undefined;
      items.push(item);
    }
    return this.#joined('[', items, ']');
  }

  #single(value: unknown, inner: Expansion): Rendered | undefined {
    const text = isReference(value) ? this.#targets.get(keyOf(value)) : undefined;
    return isReference(value) && text !== undefined
      ? this.#target(keyOf(value), text, inner)
      : measured(JSON.stringify(value));
  }

  #target(key: string, text: string, inner: Expansion): Rendered | undefined {
    const group = this.#known.get(inner) ?? new Map<string, Rendered>();
    const rendered = group.get(key) ?? (inner.size === 0 ? measured(text) : this.record(JSON.parse(text), inner));
    if (rendered) this.#known.set(inner, group.set(key, rendered));
    return rendered;
  }

  #joined(open: string, parts: readonly Rendered[], close: string): Rendered | undefined {
    const bytes = parts.reduce((sum, part) => sum + part.bytes + 1, 1);
    if (bytes > this.#mostBytes) return undefined;
    return { text: `${open}${parts.map(({ text }) => text).join(',')}${close}`, bytes };
  }
}

function measured(text: string): Rendered {
  return { text, bytes: Buffer.byteLength(text) };
}
