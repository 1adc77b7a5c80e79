import type { EdmNavigation } from './metadata.ts';
import { childrenOf, type XmlElement } from './xml-element.ts';

/** Finds the targets of V2 navigations, which name an association and one of its roles. */
export function associationEnds(schemas: readonly XmlElement[], full: (name: string) => string) {
  const found = new Map<string, Omit<EdmNavigation, 'name'>>();
  for (const schema of schemas) {
    for (const association of childrenOf(schema, 'Association')) {
      const name = `${schema.attribute('Namespace')}.${association.attribute('Name')}`;
      for (const end of childrenOf(association, 'End')) {
        const target = full(end.attribute('Type') ?? '');
        found.set(`${name} ${end.attribute('Role')}`, { target, isCollection: end.attribute('Multiplicity') === '*' });
      }
    }
  }
  return (association: string, role: string) => found.get(`${full(association)} ${role}`);
}
