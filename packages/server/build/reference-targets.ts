import { entities } from '@unified/contract';
import type { DocumentSchema, ReferenceDocument } from '../src/reference/reference-document.ts';

/**
 * Names the entities that references in request bodies can point to. The document states them only in the schemas of records,
 * because both have fields with the same names.
 */
export function addReferenceTargets({ components: { schemas = {} } }: ReferenceDocument): void {
  for (const { name, fields } of Object.values(entities)) {
    const properties = (schemas[`${name}Patch`]?.allOf ?? []).flatMap((part) =>
      part.properties ? [part.properties] : [],
    );
    for (const { name: field, targets } of fields) {
      for (const each of properties) {
        const described = each[field] as { -readonly [K in keyof DocumentSchema]: DocumentSchema[K] } | undefined;
        if (targets && described?.$ref) described['x-references'] ??= targets;
      }
    }
  }
}
