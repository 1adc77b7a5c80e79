import type { Annotations } from './annotations.ts';
import type { EdmProperty } from './metadata.ts';
import type { XmlElement } from './xml-element.ts';

/** Namespace of the attributes that SAP adds to V2. */
export const SAP = 'http://www.sap.com/Protocols/SAPData';

/** What the names of types in a document refer to. */
export interface TypeNames {
  /** The underlying type of a type definition; otherwise the type itself, with its namespace. */
  underlying(type: string): string;
  isEnumeration(type: string): boolean;
}

/** A property or parameter of the document. `annotations` are those of the property. */
export function readProperty(element: XmlElement, names: TypeNames, annotations: Annotations): EdmProperty {
  const isFixed = annotations.isTrue('Computed');
  const type = element.attribute('Type') ?? 'Edm.String';
  return {
    name: element.attribute('Name') ?? '',
    type: names.underlying(type),
    isEnumeration: names.isEnumeration(type),
    isNullable: element.attribute('Nullable') !== 'false',
    maxLength: wholeOf(element.attribute('MaxLength')),
    scale: wholeOf(element.attribute('Scale')),
    isDay: element.attribute('display-format', SAP) === 'Date',
    isCreatable: element.attribute('creatable', SAP) !== 'false' && !isFixed,
    isUpdatable: element.attribute('updatable', SAP) !== 'false' && !isFixed && !annotations.isTrue('Immutable'),
    label: labelOf(element) ?? annotations.text('Label'),
    comment: textOrNull(element.attribute('quickinfo', SAP)) ?? annotations.text('Description'),
  };
}

/** The label that SAP gives an element, for users. */
export function labelOf(element: XmlElement): string | null {
  return textOrNull(element.attribute('label', SAP));
}

/** The length `Max` and the scale `variable` are not limits. */
function wholeOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function textOrNull(text: string | undefined): string | null {
  return text === undefined || text.trim() === '' ? null : text.trim();
}
