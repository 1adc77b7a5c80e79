import { annotationsOf } from './annotations.ts';
import type { EdmProperty, ODataVersion, Operation } from './metadata.ts';
import { readProperty, type TypeNames } from './read-property.ts';
import { schemaNames } from './schema-names.ts';
import { childrenOf, type XmlElement } from './xml-element.ts';

/** Namespace of the attributes that V2 adds to the document. */
const METADATA = 'http://schemas.microsoft.com/ado/2007/08/dataservices/metadata';

/**
 * The operations that can be called: actions of V4 that are bound or that a container imports, and function imports of V2.
 * Functions of V4 only return data.
 */
export function readOperations(
  schemas: readonly XmlElement[],
  containers: readonly XmlElement[],
  version: ODataVersion,
): Operation[] {
  const names = schemaNames(schemas);
  const { full, declared } = names;
  if (version === 2) return containers.flatMap((container) => imported(container, names));
  const imports = new Map(
    containers
      .flatMap(({ children }) => children)
      .map((element) => [full(element.attribute('Action') ?? ''), element.attribute('Name') ?? '']),
  );
  return declared('Action').flatMap(({ name, element }): Operation[] => {
    const parameters = parametersOf(element, names);
    const method = 'POST';
    const [first, ...rest] = parameters;
    if (element.attribute('IsBound') === 'true' && first) {
      return [{ name, method, boundTo: first.type, parameters: byName(rest) }];
    }
    const called = imports.get(name);
    return called === undefined ? [] : [{ name: called, method, boundTo: undefined, parameters: byName(parameters) }];
  });
}

/** The function imports of V2. */
function imported(container: XmlElement, names: TypeNames): Operation[] {
  return childrenOf(container, 'FunctionImport').map((element) => ({
    name: element.attribute('Name') ?? '',
    method: methodOf(element.attribute('HttpMethod', METADATA)),
    boundTo: undefined,
    parameters: byName(parametersOf(element, names)),
  }));
}

function methodOf(text = 'GET'): Operation['method'] {
  const methods: readonly Operation['method'][] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'MERGE'];
  return methods.find((method) => method === text) ?? 'POST';
}

function parametersOf(element: XmlElement, names: TypeNames): EdmProperty[] {
  return childrenOf(element, 'Parameter').map((each) => readProperty(each, names, annotationsOf(each, [])));
}

function byName(list: readonly EdmProperty[]): ReadonlyMap<string, EdmProperty> {
  return new Map(list.map((each) => [each.name, each]));
}
