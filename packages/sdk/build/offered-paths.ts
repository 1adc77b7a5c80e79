import type ts from 'typescript';
import { applied, type Edit, interfaceOf, members, parsed } from './source-edits.ts';

type Offer = 'current' | 'legacy';

/** Moves deprecated operations, by id, from `paths` in the generated types to an interface `legacyPaths` of the same form. */
export function offeredPaths(source: string, deprecated: ReadonlySet<string>): string {
  const paths = interfaceOf(parsed(source), 'paths');
  const properties = [...members(paths).values()];
  const legacy = properties.flatMap((property) => kept(source, property, 'legacy', deprecated) ?? []);
  const end = paths?.getEnd() ?? 0;
  return applied(source, [
    ...properties.map((property) => replaced(property, kept(source, property, 'current', deprecated) ?? '')),
    { from: end, to: end, text: `\nexport interface legacyPaths {${legacy.join('')}\n}` },
  ]);
}

function replaced(property: ts.PropertySignature, text: string): Edit {
  return { from: property.getFullStart(), to: property.getEnd(), text };
}

/** The text of a path with only the methods of one offer; undefined if it has no such method. */
function kept(source: string, path: ts.PropertySignature, offer: Offer, deprecated: ReadonlySet<string>) {
  const operations = [...members(path.type)].flatMap(([method, property]) => {
    const id = operationOf(property);
    return id === undefined ? [] : [{ method, property, offer: deprecated.has(id) ? 'legacy' : 'current' }];
  });
  if (!operations.some((each) => each.offer === offer)) return undefined;
  const start = path.getFullStart();
  const others = operations.filter((each) => each.offer !== offer);
  const edits = others.map(({ method, property }) => ({
    from: property.getFullStart() - start,
    to: property.getEnd() - start,
    text: `\n        ${method}?: never;`,
  }));
  return applied(source.slice(start, path.getEnd()), edits);
}

/** The id in `operations["listVendors"]`. */
function operationOf({ type }: ts.PropertySignature): string | undefined {
  return /^operations\["(\w+)"\]$/.exec(type?.getText() ?? '')?.[1];
}
