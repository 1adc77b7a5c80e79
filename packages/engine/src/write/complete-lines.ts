import { ServiceError } from '@unified/contract';
import type { Scope } from '@unified/store';
import { type NewLine, newLines } from './given-lines.ts';
import type { WriteBody } from './given-references.ts';

/**
 * Refuses new lines without the fields that they need. The schema of a body allows any line with a number to omit them, since
 * only the record shows whether the line exists. `list` is the list of the request that contains the bodies. Throws
 * SERVICE_INVALID_BODY with every missing field.
 */
export async function checkNewLines(scope: Scope, bodies: readonly WriteBody[], list?: string): Promise<void> {
  const all = await Promise.all(
    bodies.map(async (write, index) => {
      const added = await newLines(scope, write);
      return added.flatMap((line) => missingIn(line, list === undefined ? 'body' : `body/${list}/${index}`));
    }),
  );
  const details = all.flat();
  const [first] = details;
  if (!first) return;
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : '';
  throw new ServiceError('SERVICE_INVALID_BODY', `${first.path}: ${first.message}${more}`, { details });
}

function missingIn({ field, index, entity, line }: NewLine, place: string) {
  const missing = entity.requiredOnCreate.filter((name) => line[name] === undefined);
  return missing.map((name) => {
    const message = `"${name}" is missing. The record has no line ${line.line}, and a new line needs it. Add it.`;
    return { path: `${place}/${field}/${index}/${name}`, message };
  });
}
