import { SystemError } from '../../system-error.ts';
import { annotationsByTarget, annotationsOf } from './annotations.ts';
import { associationEnds } from './association-ends.ts';
import type { EdmNavigation, EdmProperty, EntitySet, EntityType, Metadata, ODataVersion } from './metadata.ts';
import { readOperations } from './read-operations.ts';
import { labelOf, readProperty } from './read-property.ts';
import { schemaNames } from './schema-names.ts';
import { childrenOf, parseXml, type XmlElement } from './xml-element.ts';

/** Maximum length of a chain of types that inherit from each other. */
const LONGEST_LINE = 32;

/**
 * Reads the description of a service (`$metadata`).
 *
 * @throws {SystemError} `invalid` if it is not a complete description
 */
export function readMetadata(body: Uint8Array): Metadata {
  const root = parseXml(body);
  const schemas = childrenOf(root, 'DataServices').flatMap((services) => childrenOf(services, 'Schema'));
  if (root.name !== 'Edmx' || schemas.length === 0) {
    throw new SystemError(
      'invalid',
      'The address in the setting "url" does not lead to an OData service: $metadata describes none',
    );
  }
  const version: ODataVersion = root.attribute('Version')?.startsWith('4') ? 4 : 2;
  const types = readTypes(schemas);
  const containers = schemas.flatMap((schema) => childrenOf(schema, 'EntityContainer'));
  const { full } = schemaNames(schemas);
  const sets = containers
    .flatMap((container) => childrenOf(container, 'EntitySet'))
    .flatMap((element) => {
      const type = types.get(full(element.attribute('EntityType') ?? ''));
      return type ? [setOf(element, type)] : [];
    });
  return {
    version,
    types,
    sets: new Map(sets.map((set) => [set.name, set])),
    operations: readOperations(schemas, containers, version),
  };
}

function setOf(element: XmlElement, type: EntityType): EntitySet {
  const { text } = annotationsOf(element, []);
  return {
    name: element.attribute('Name') ?? '',
    type,
    label: labelOf(element) ?? text('Label') ?? type.label,
    comment: text('Description'),
  };
}

/** Entity types by qualified name, each with what it inherits. */
function readTypes(schemas: readonly XmlElement[]): Map<string, EntityType> {
  const names = schemaNames(schemas);
  const elements = new Map(names.declared('EntityType').map(({ name, element }) => [name, element] as const));
  const apart = annotationsByTarget(schemas, names.full);
  const ends = associationEnds(schemas, names.full);
  const own = (name: string, element: XmlElement): Own => ({
    key: childrenOf(element, 'Key')
      .flatMap((key) => childrenOf(key, 'PropertyRef'))
      .map((ref) => ref.attribute('Name') ?? ''),
    properties: childrenOf(element, 'Property').map((property) => {
      const annotations = annotationsOf(property, apart.get(`${name}/${property.attribute('Name')}`) ?? []);
      return readProperty(property, names, annotations);
    }),
    navigations: childrenOf(element, 'NavigationProperty').flatMap((each) => navigationOf(each, names.full, ends)),
  });
  return new Map(
    [...elements].map(([name, element]) => {
      const line = ancestry({ name, element }, (base) => {
        const found = elements.get(names.full(base));
        return found && { name: names.full(base), element: found };
      });
      const parts = line.map((each) => own(each.name, each.element));
      return [name, typeOf(name, element, parts)];
    }),
  );
}

/** A type by its qualified name. */
interface Declared {
  readonly name: string;
  readonly element: XmlElement;
}

interface Own {
  readonly key: readonly string[];
  readonly properties: readonly EdmProperty[];
  readonly navigations: readonly EdmNavigation[];
}

function typeOf(name: string, element: XmlElement, parts: readonly Own[]): EntityType {
  const byName = <T extends { readonly name: string }>(list: readonly T[]) =>
    new Map(list.map((each) => [each.name, each]));
  return {
    name,
    key: parts.map(({ key }) => key).find((key) => key.length > 0) ?? [],
    properties: byName(parts.flatMap(({ properties }) => properties)),
    navigations: byName(parts.flatMap(({ navigations }) => navigations)),
    label: labelOf(element) ?? annotationsOf(element, []).text('Label'),
  };
}

/** The types that a type inherits from, followed by the type itself. */
function ancestry(type: Declared, find: (name: string) => Declared | undefined): Declared[] {
  const line: Declared[] = [];
  const isKnown = ({ element }: Declared) => line.some((each) => each.element === element);
  for (let at: Declared | undefined = type; at && line.length < LONGEST_LINE && !isKnown(at); ) {
    line.unshift(at);
    at = find(at.element.attribute('BaseType') ?? '');
  }
  return line;
}

function navigationOf(
  element: XmlElement,
  full: (name: string) => string,
  ends: ReturnType<typeof associationEnds>,
): EdmNavigation[] {
  const name = element.attribute('Name') ?? '';
  const type = element.attribute('Type');
  if (type !== undefined) {
    const [, item] = /^Collection\((.*)\)$/.exec(type) ?? [];
    return [{ name, target: full(item ?? type), isCollection: item !== undefined }];
  }
  const end = ends(element.attribute('Relationship') ?? '', element.attribute('ToRole') ?? '');
  return end ? [{ name, ...end }] : [];
}
