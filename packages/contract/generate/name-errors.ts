import { nameOf } from '../src/component-references.ts';
import { errorsNameOf } from './error-names.ts';
import type { ErrorRow } from './errors.ts';
import type { Document, OperationNode, PathItem, Schema } from './openapi.ts';
import { FACTS, factsOf } from './operation-facts.ts';
import { findOperations } from './operations.ts';

/** A row of the table; `on` contains the facts of the operations that can return the code. */
interface Row extends ErrorRow {
  readonly on: readonly string[];
}

type Table = Readonly<Record<string, Row>>;

/** Error codes by status. */
type Codes = Readonly<Record<string, readonly string[]>>;

/** A response that operations share. */
interface Shared {
  readonly name: string;
  readonly response: Schema;
}

const REQUEST = 'request';

/**
 * The document in which `default` of every operation names the error codes that the operation can return, by status, and in
 * `x-codes`. Similar operations share a response, because generated clients repeat what an operation lists. Its name depends
 * only on the facts of the operation, so it stays the same when operations are added.
 */
export function nameErrors(document: Document): Document {
  const { schemas, responses = {} } = document.components;
  const table = schemas?.ErrorCode?.['x-errors'] as Table | undefined;
  if (!table) return document;
  refuseUnknownFacts(table);
  const shared = new Map<string, Shared>();
  const paths = new Map(Object.entries(document.paths));
  for (const found of findOperations(document)) {
    const base = baseOf(found.node);
    const response = responses[base];
    if (!response) continue;
    const facts = factsOf(document, found);
    const made = { name: `${errorsNameOf(facts)}${base}s`, response: withCodes(response, codesOf(table, facts)) };
    refuseOtherCodes(made, shared.get(made.name));
    shared.set(made.name, made);
    const { path, method } = found.operation;
    paths.set(path, { ...paths.get(path), [method]: withDefault(found.node, made) } as PathItem);
  }
  return withResponses({ ...document, paths: Object.fromEntries(paths) }, [...shared.values()]);
}

function refuseUnknownFacts(table: Table): void {
  for (const [code, { on }] of Object.entries(table)) {
    const unknown = on.find((fact) => !FACTS.includes(fact));
    if (unknown !== undefined) throw new Error(`ErrorCode: ${code} names the fact ${unknown}, which no operation has.`);
  }
}

/** Name of the shared response that the files use as `default`. */
function baseOf({ responses = {} }: OperationNode): string {
  const { default: base = {} } = responses;
  return '$ref' in base ? nameOf(base.$ref) : '';
}

/** The codes that an operation with these facts can return. Numeric keys are in ascending order. */
function codesOf(table: Table, facts: ReadonlySet<string>): Codes {
  const isPossible = (fact: string) => fact === REQUEST || facts.has(fact);
  const possible = Object.entries(table).filter(([, { on }]) => on.some(isPossible));
  const byStatus = Map.groupBy(possible, ([, { status }]) => status);
  return Object.fromEntries([...byStatus].map(([status, rows]) => [status, rows.map(([code]) => code)]));
}

/** Throws if the same name is used for different codes. */
function refuseOtherCodes({ name, response }: Shared, known: Shared | undefined): void {
  if (known && JSON.stringify(known.response) !== JSON.stringify(response))
    throw new Error(
      `${name} has different codes for different operations. Add a row to error-names.ts that separates them.`,
    );
}

function withCodes(response: Schema, codes: Codes): Schema {
  const lines = Object.entries(codes).map(([status, names]) => `- ${status}: ${listed(names)}`);
  return { ...response, description: `${response.description}\n\n${lines.join('\n')}`, 'x-codes': codes };
}

function listed(codes: readonly string[]): string {
  return codes.map((code) => `\`${code}\``).join(', ');
}

function withDefault(node: OperationNode, { name }: Shared): OperationNode {
  return { ...node, responses: { ...node.responses, default: { $ref: `#/components/responses/${name}` } } };
}

/** The document with these responses, without those that they replace. */
function withResponses(document: Document, made: readonly Shared[]): Document {
  const { responses = {}, ...components } = document.components;
  const used = JSON.stringify([document.paths, document.webhooks]);
  const kept = Object.entries(responses).filter(([name]) => used.includes(`"#/components/responses/${name}"`));
  const added = made.map(({ name, response }) => [name, response]);
  return {
    ...document,
    components: { ...components, responses: { ...Object.fromEntries(kept), ...Object.fromEntries(added) } },
  };
}
