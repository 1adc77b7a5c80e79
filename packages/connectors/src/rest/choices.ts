import type { Row } from '../driver.ts';
import { SystemError } from '../system-error.ts';
import { urlOf } from './call-url.ts';
import { rowsAt } from './json-body.ts';
import type { Parameters } from './options.ts';
import type { RestClient } from './rest-client.ts';
import { isSame } from './stored-values.ts';
import type { ChoiceOptions, WriteOptions } from './write-options.ts';

/** Parameters that make a row contain the lists that its choices are taken from. */
export function choiceParameters(values: Row, { choices = {} }: WriteOptions): Parameters {
  const ofRow = Object.entries(choices).filter(([name, { address }]) => address === undefined && isGiven(values, name));
  return Object.assign({}, ...ofRow.map(([, { parameters }]) => parameters));
}

/**
 * The values, with the names of choices replaced by keys. `row` is the row before the change; null for a create, which has only
 * choices that are listed at an address.
 *
 * @throws {SystemError} `rejected`, listing what can be chosen
 */
export async function withChoices(
  client: RestClient,
  values: Row,
  { choices = {} }: WriteOptions,
  row: Row | null,
): Promise<Row> {
  const sent: Record<string, unknown> = { ...values };
  for (const [name, choice] of Object.entries(choices)) {
    if (!isGiven(values, name) || (row === null && choice.address === undefined)) continue;
    sent[name] = chosen(await offered(client, choice, row), choice, { name, wanted: values[name] });
  }
  return sent;
}

async function offered(client: RestClient, { address, parameters, from }: ChoiceOptions, row: Row | null) {
  if (address === undefined) return rowsAt(row, from);
  return rowsAt(client.json(await client.call({ url: urlOf(client.base, address, {}, parameters) })), from);
}

function chosen(
  options: readonly Row[],
  { key = 'id', label = 'name' }: ChoiceOptions,
  { name, wanted }: { readonly name: string; readonly wanted: unknown },
): unknown {
  const found =
    options.find((option) => isSame(option[label], wanted)) ?? options.find((option) => isSame(option[key], wanted));
  if (found) return found[key];
  const labels = options.map((option) => option[label]).join(', ');
  const remedy = labels === '' ? 'Nothing can be chosen now' : `These can be chosen now: ${labels}`;
  throw new SystemError('rejected', `"${wanted}" cannot be chosen for ${name}. ${remedy}`, { columns: [name] });
}

function isGiven(values: Row, name: string): boolean {
  return Object.hasOwn(values, name) && values[name] !== null && values[name] !== undefined;
}
