import { nearest, ServiceError } from '@unified/contract';
import type { WriteResolvedRef } from '@unified/store';
import type { GivenReference } from './given-references.ts';

export type MatchedOn = WriteResolvedRef['matchedOn'];

/** A reference that cannot be used, and how to correct it. */
export interface ReferenceFault {
  readonly reference: GivenReference;
  readonly message: string;
  /** The nearest valid name. */
  readonly didYouMean?: string | undefined;
}

/** Properties to match, by the property that is sent. A label is matched as a code, too: `EUR` is used as either. */
const ways: readonly { readonly property: MatchedOn; readonly tried: readonly MatchedOn[] }[] = [
  { property: 'id', tried: ['id'] },
  { property: '_idValue', tried: ['_idValue'] },
  { property: 'code', tried: ['code'] },
  { property: '_displayValue', tried: ['_displayValue', 'code'] },
];

const MOST_DETAILS = 20;
const MOST_IN_MESSAGE = 3;
const LONGEST_SHOWN = 80;

/** The property that identifies the record of a reference, and its value; undefined if the reference has none. */
export function keyOf({ given }: GivenReference) {
  const way = ways.find(({ property }) => given[property] !== undefined);
  const value = way ? (given[way.property] ?? '') : '';
  return way && value.trim() !== '' ? { ...way, value } : undefined;
}

/** Entities that a reference may point to: those of the field, or the one of them that `rel` selects. */
export function meantBy({ targets, given }: GivenReference): readonly string[] {
  return targets.filter((entity) => given.rel === undefined || entity === given.rel);
}

/** The reason a reference does not fit the document: its `rel` is not an allowed entity, or it has no key. */
export function faultOf(reference: GivenReference): ReferenceFault | undefined {
  const { targets, given } = reference;
  if (meantBy(reference).length === 0) {
    const didYouMean = nearest(given.rel ?? '', targets);
    const advice = didYouMean === undefined ? '' : ` Did you mean "${didYouMean}"?`;
    const message = `It cannot point to "${shortened(given.rel)}", only to ${kinds(targets)}.${advice}`;
    return { reference, message, didYouMean };
  }
  if (keyOf(reference)) return undefined;
  const message = `It names no record. Send the \`id\`, \`_idValue\` or \`_displayValue\` of the ${kinds(meantBy(reference))}.`;
  return { reference, message };
}

/** No record matches a reference. */
export function noMatch(reference: GivenReference): ReferenceFault {
  const message = `No ${kinds(meantBy(reference))} has ${keyShown(reference)}. Send the \`id\`, \`_idValue\` or \`_displayValue\` of one that exists.`;
  return { reference, message };
}

/** The key of a reference as messages show it: `the _displayValue "Euro"`. */
export function keyShown(reference: GivenReference): string {
  const { property = 'id', value } = keyOf(reference) ?? {};
  return `the \`${property}\` "${shortened(value)}"`;
}

/** The error for a body with invalid references. */
export function unresolved(faults: readonly ReferenceFault[]): ServiceError {
  const told = faults.slice(0, MOST_DETAILS).map(({ reference: { field, given, targets }, message, didYouMean }) => ({
    ...{ path: pathOf(field), message, field, given, allowed: targets },
    ...(didYouMean !== undefined && { didYouMean }),
  }));
  const message = told.slice(0, MOST_IN_MESSAGE).map((each) => `\`${each.field}\`: ${each.message}`);
  return new ServiceError('SERVICE_UNRESOLVED_REFERENCE', message.join(' '), { details: told });
}

/** `lines[2].item` as a path in error details: `body/lines/2/item`. */
function pathOf(field: string): string {
  return `body/${field.replaceAll(/\[(\d+)\]/g, '/$1').replaceAll('.', '/')}`;
}

function kinds(targets: readonly string[]): string {
  return targets.join(' or ');
}

function shortened(text = ''): string {
  return text.slice(0, LONGEST_SHOWN).toWellFormed();
}
