import type { ErrorRow } from './errors.ts';
import type { Document, OperationNode, PathItem, Schema } from './openapi.ts';
import { FACTS, factsOf } from './operation-facts.ts';
import { type Found, findOperations } from './operations.ts';

/** A row of the table: `on` has the facts of the operations that can return the code. */
interface Row extends ErrorRow {
  readonly on: readonly string[];
}

type Table = Readonly<Record<string, Row>>;

/** Shared responses, by the codes that they name. */
type Shared = Map<string, { readonly name: string; readonly response: Schema }>;

const SHARED = 'Error';
const REQUEST = 'request';

/**
 * The document in which every operation has a response for each status of an error that it can return. The response names
 * the codes, also as `x-codes`; it is shared by all operations with the same codes. `default` names those of requests that
 * are refused whatever the operation is. Responses that the files describe are kept.
 */
export function nameErrors(document: Document): Document {
  const { schemas, responses = {}, ...components } = document.components;
  const table = schemas?.ErrorCode?.['x-errors'] as Table | undefined;
  const error = responses[SHARED];
  if (!table || !error) return document;
  refuseUnknownFacts(table);
  const shared: Shared = new Map();
  const paths = new Map(Object.entries(document.paths));
  for (const found of findOperations(document)) {
    const { path, method } = found.operation;
    const named = withErrors(found, codesByStatus(table, factsOf(document, found)), { table, error, shared });
    paths.set(path, { ...paths.get(path), [method]: named } as PathItem);
  }
  const made = [...shared.values()].map(({ name, response }) => [name, response]);
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: {
      ...components,
      ...(schemas && { schemas }),
      responses: { ...responses, [SHARED]: withGeneralCodes(error, table), ...Object.fromEntries(made) },
    },
  };
}

function refuseUnknownFacts(table: Table): void {
  for (const [code, { on }] of Object.entries(table)) {
    const unknown = on.find((fact) => !FACTS.includes(fact));
    if (unknown !== undefined) throw new Error(`ErrorCode: ${code} names the fact ${unknown}, which no operation has.`);
  }
}

/** The codes that an operation with these facts can return, by status. */
function codesByStatus(table: Table, facts: ReadonlySet<string>): ReadonlyMap<number, readonly string[]> {
  const possible = Object.entries(table).filter(([, { on }]) => on.some((fact) => facts.has(fact)));
  const byStatus = Map.groupBy(possible, ([, { status }]) => status);
  return new Map([...byStatus].map(([status, rows]) => [status, rows.map(([code]) => code)]));
}

function withErrors(
  { node }: Found,
  codes: ReadonlyMap<number, readonly string[]>,
  { table, error, shared }: { readonly table: Table; readonly error: Schema; readonly shared: Shared },
): OperationNode {
  const described = [...codes].map(([status, names]) => {
    const key = names.join();
    const again = [...shared.values()].filter(({ name }) => name.startsWith(`${SHARED}${status}`)).length;
    const made = shared.get(key) ?? {
      name: `${SHARED}${status}${suffix(again)}`,
      response: refusal(error, names, table),
    };
    shared.set(key, made);
    return [String(status), { $ref: `#/components/responses/${made.name}` }];
  });
  // Keys that are numbers come first in any case, in their order.
  return { ...node, responses: { ...Object.fromEntries(described), ...node.responses } };
}

/** Nothing for the first response with a status, then `B`, `C` and so on. */
function suffix(index: number): string {
  return index === 0 ? '' : String.fromCharCode('A'.charCodeAt(0) + index);
}

function refusal(error: Schema, codes: readonly string[], table: Table): Schema {
  const [first = ''] = codes;
  const { when = '', do: remedy = '' } = table[first] ?? {};
  const content = error.content as Readonly<Record<string, object>>;
  const example = { code: first, message: `${when} ${remedy}`.replaceAll('`', '') };
  return {
    ...error,
    description: `${listed(codes)}.`,
    'x-codes': codes,
    content: { 'application/json': { ...content['application/json'], example } },
  };
}

function withGeneralCodes(error: Schema, table: Table): Schema {
  const codes = Object.entries(table).flatMap(([code, { on }]) => (on.includes(REQUEST) ? [code] : []));
  return { ...error, description: `${error.description} Any request can get ${listed(codes)}.`, 'x-codes': codes };
}

function listed(codes: readonly string[]): string {
  const quoted = codes.map((code) => `\`${code}\``);
  return quoted.length < 2 ? quoted.join() : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}
