import type ts from 'typescript';
import { applied, type Edit, interfaceOf, members, parsed } from './source-edits.ts';

/** Operations by id that `paths` does not offer. */
export interface Withheld {
  /** Described, but not part of this release. */
  readonly planned: ReadonlySet<string>;
  readonly deprecated: ReadonlySet<string>;
}

type Offer = 'current' | 'legacy' | 'planned';

/**
 * Removes planned operations from the generated types, and moves the deprecated ones from `paths` to an interface
 * `legacyPaths` of the same form.
 */
export function offeredPaths(source: string, withheld: Withheld): string {
  const file = parsed(source);
  const paths = interfaceOf(file, 'paths');
  const properties = [...members(paths).values()];
  const planned = [...members(interfaceOf(file, 'operations'))].filter(([id]) => withheld.planned.has(id));
  const legacy = properties.flatMap((property) => kept(source, property, 'legacy', withheld) ?? []);
  const end = paths?.getEnd() ?? 0;
  return applied(source, [
    ...properties.map((property) => replaced(property, kept(source, property, 'current', withheld) ?? '')),
    { from: end, to: end, text: `\nexport interface legacyPaths {${legacy.join('')}\n}` },
    ...planned.map(([, property]) => replaced(property, '')),
  ]);
}

function replaced(property: ts.PropertySignature, text: string): Edit {
  return { from: property.getFullStart(), to: property.getEnd(), text };
}

/** The text of a path with only the methods of one offer; undefined if it has no such method. */
function kept(source: string, path: ts.PropertySignature, offer: Offer, withheld: Withheld): string | undefined {
  const operations = [...members(path.type)].flatMap(([method, property]) => {
    const id = operationOf(property);
    return id === undefined ? [] : [{ method, property, offer: offerOf(id, withheld) }];
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

function offerOf(id: string, { planned, deprecated }: Withheld): Offer {
  if (planned.has(id)) return 'planned';
  return deprecated.has(id) ? 'legacy' : 'current';
}
