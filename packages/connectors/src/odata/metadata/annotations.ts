import { childrenOf, type XmlElement } from './xml-element.ts';

/** Annotations of one V4 element, by the last part of their term: `Computed` for `Org.OData.Core.V1.Computed`. */
export interface Annotations {
  isTrue(term: string): boolean;
  text(term: string): string | null;
}

/** Annotations within an element, and those of `Annotations` elements with its target. */
export function annotationsOf(element: XmlElement, elsewhere: readonly XmlElement[]): Annotations {
  const all = [...childrenOf(element, 'Annotation'), ...elsewhere];
  const byTerm = new Map(all.map((each) => [(each.attribute('Term') ?? '').split('.').at(-1), each]));
  return {
    isTrue: (term) => {
      const found = byTerm.get(term);
      // A tag without a value is true.
      return found !== undefined && found.attribute('Bool') !== 'false';
    },
    text: (term) => byTerm.get(term)?.attribute('String')?.trim() || null,
  };
}

/** Annotations that are outside of the elements that they apply to, by target. */
export function annotationsByTarget(schemas: readonly XmlElement[], full: (name: string) => string) {
  const found = new Map<string, XmlElement[]>();
  for (const group of schemas.flatMap((schema) => childrenOf(schema, 'Annotations'))) {
    const [type = '', property = ''] = (group.attribute('Target') ?? '').split('/');
    const target = `${full(type)}/${property}`;
    const list = found.get(target) ?? [];
    for (const each of childrenOf(group, 'Annotation')) list.push(each);
    found.set(target, list);
  }
  return found;
}
