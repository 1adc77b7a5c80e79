import { isSecretPath } from '@unified/connectors';

type Row = Readonly<Record<string, unknown>>;

const HIDDEN = '[hidden]';

/**
 * A row without the values whose names suggest a secret, including those in its objects and lists. A missing value stays null.
 */
export function concealRow(row: Row): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, isSecretPath(name) ? concealed(value) : concealedIn(value)]),
  );
}

function concealed(value: unknown): unknown {
  return value === null ? null : HIDDEN;
}

function concealedIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(concealedIn);
  return typeof value === 'object' && value !== null ? concealRow(value as Row) : value;
}
