import { nearest, ServiceError } from '@unified/contract';
import type { WriteResolvedRef } from '@unified/store';
import type { GivenReference } from './given-references.ts';

export type MatchedOn = WriteResolvedRef['matchedOn'];

/** What is wrong with a reference in a body, and how to correct it. */
export interface ReferenceFault {
  readonly reference: GivenReference;
  readonly message: string;
  /** The valid name that a misspelt one most likely means. */
  readonly didYouMean?: string | undefined;
}

/** Which properties are tried, by what the body says. A label is tried as a code too: people write `EUR` for either. */
const ways: readonly { readonly property: MatchedOn; readonly tried: readonly MatchedOn[] }[] = [
  { property: 'id', tried: ['id'] },
  { property: '_idValue', tried: ['_idValue'] },
  { property: 'code', tried: ['code'] },
  { property: '_displayValue', tried: ['_displayValue', 'code'] },
];

const MOST_DETAILS = 20;
const MOST_IN_MESSAGE = 3;
const LONGEST_SHOWN = 80;

/** The property that decides which record a reference means, and its value; undefined where the reference has none. */
export function keyOf({ given }: GivenReference) {
  const way = ways.find(({ property }) => given[property] !== undefined);
  const value = way ? (given[way.property] ?? '') : '';
  return way && value.trim() !== '' ? { ...way, value } : undefined;
}

/** Kinds of record that a reference can mean: those of its place or, of these, the one that its `rel` names. */
export function meantBy({ targets, given }: GivenReference): readonly string[] {
  return targets.filter((entity) => given.rel === undefined || entity === given.rel);
}

/** What the document alone says against a reference: its `rel` is none of the kinds due there, or it names no record. */
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

/** No record has what a reference names it by. */
export function noMatch(reference: GivenReference): ReferenceFault {
  const message = `No ${kinds(meantBy(reference))} has ${keyShown(reference)}. Send the \`id\`, \`_idValue\` or \`_displayValue\` of one that exists.`;
  return { reference, message };
}

/** The key of a reference as messages show it: `the _displayValue "Euro"`. */
export function keyShown(reference: GivenReference): string {
  const { property = 'id', value } = keyOf(reference) ?? {};
  return `the \`${property}\` "${shortened(value)}"`;
}

/** The refusal of a body for its references. */
export function unresolved(faults: readonly ReferenceFault[]): ServiceError {
  const told = faults.slice(0, MOST_DETAILS).map(({ reference: { field, given, targets }, message, didYouMean }) => ({
    ...{ path: pathOf(field), message, field, given, allowed: targets },
    ...(didYouMean !== undefined && { didYouMean }),
  }));
  const message = told.slice(0, MOST_IN_MESSAGE).map((each) => `\`${each.field}\`: ${each.message}`);
  return new ServiceError('SERVICE_UNRESOLVED_REFERENCE', message.join(' '), { details: told });
}

/** `lines[2].item` as details name places: `body/lines/2/item`. */
function pathOf(field: string): string {
  return `body/${field.replaceAll(/\[(\d+)\]/g, '/$1').replaceAll('.', '/')}`;
}

function kinds(targets: readonly string[]): string {
  return targets.join(' or ');
}

function shortened(text = ''): string {
  return text.slice(0, LONGEST_SHOWN).toWellFormed();
}
