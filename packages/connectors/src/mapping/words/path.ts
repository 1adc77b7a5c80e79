import { reader, segments, writer } from '../path.ts';
import type { SchemaPath } from '../schema-path.ts';
import type { Word } from '../word.ts';

/** `path`: the unchanged value. */
export function path(definition: string, place: SchemaPath): Word {
  const names = segments(definition, place);
  const read = reader(names);
  return {
    yields: 'any',
    read,
    write: writer(names),
    send: read,
    paths: [definition],
    written: [{ below: '', path: definition }],
  };
}
