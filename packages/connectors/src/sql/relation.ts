import { quote } from './quote.ts';

/** A table, view or function of the system. */
export interface Relation {
  readonly schema: string;
  readonly name: string;
  /** Both, quoted for a statement. */
  readonly sql: string;
}

const QUALIFIED = /^(?:(?<schema>"(?:[^"]|"")+"|[^".]+)\.)?(?<name>"(?:[^"]|"")+"|[^".]+)$/;

/**
 * What platform data means by `UnitMeasure` or `Production.UnitMeasure`. Upper and lower case count, and a part that
 * contains a dot is written in double quotes: `Production."v1.units"`. Without a schema it is in `schema`.
 */
export function relationOf(text: string, schema: string): Relation {
  const parts = QUALIFIED.exec(text)?.groups;
  const name = bare(parts?.name ?? text);
  const own = parts?.schema === undefined ? schema : bare(parts.schema);
  return { schema: own, name, sql: `${quote(own)}.${quote(name)}` };
}

function bare(part: string): string {
  return part.startsWith('"') && part.endsWith('"') ? part.slice(1, -1).replaceAll('""', '"') : part;
}
