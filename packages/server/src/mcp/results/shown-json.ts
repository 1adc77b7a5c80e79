import type { Mask } from '../policy/mask.ts';
import { masked, maskedWords } from '../policy/masked-fields.ts';
import { mayBeUnseen, visibleValue } from './foreign-text.ts';

/** The records that a result contains. */
interface Contained {
  /** Name of their entity; empty if they are of several. */
  readonly entity: string;
  /** Whether the result may contain records of other entities in them. */
  readonly isExpanded: boolean;
}

/**
 * The JSON of a result as a user may see it: without masked fields, and without what people cannot see. Few results contain any of
 * these, so only those that may are parsed.
 */
export function shownJson(json: string, mask: Mask, { entity, isExpanded }: Contained): string {
  if (!mayBeUnseen(json) && !mayBeMasked(json, mask, { entity, isExpanded })) return json;
  return JSON.stringify(visibleValue(masked(JSON.parse(json), mask, entity)));
}

function mayBeMasked(json: string, mask: Mask, { entity, isExpanded }: Contained): boolean {
  if (mask.all.length === 0) return false;
  return isExpanded || maskedWords(mask, entity).some((word) => json.includes(`"${word}"`));
}
