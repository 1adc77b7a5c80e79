import { entityOf } from './entities.ts';
import type { Field } from './entity.ts';

/**
 * Names of the entities that values of the fields may refer to, including within their objects. With `withLines`, also those
 * that the lines in a request may refer to.
 */
export function referredEntities(fields: readonly Field[], { withLines = false } = {}): string[] {
  const names = fields.flatMap(({ targets = [], fields: inner = [], holdsLines }) => {
    const lines = withLines && holdsLines ? targets.flatMap((name) => entityOf(name)?.fields ?? []) : [];
    return [...targets, ...referredEntities([...inner, ...lines], { withLines })];
  });
  return [...new Set(names)];
}
