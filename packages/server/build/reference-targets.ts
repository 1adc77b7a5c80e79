import { entities } from '@unified/contract';
import type { Page, PageSchema } from './reference-page.ts';

/**
 * Names the entities that the references of request bodies can point to. The document states them in the schemas of records
 * only, because both have fields of the same names.
 */
export function addReferenceTargets({ components: { schemas = {} } }: Page): void {
  for (const { name, fields } of Object.values(entities)) {
    const properties = (schemas[`${name}Patch`]?.allOf ?? []).flatMap((part) =>
      part.properties ? [part.properties] : [],
    );
    for (const { name: field, targets } of fields) {
      for (const each of properties) {
        const described = each[field] as { -readonly [K in keyof PageSchema]: PageSchema[K] } | undefined;
        if (targets && described?.$ref) described['x-references'] ??= targets;
      }
    }
  }
}
