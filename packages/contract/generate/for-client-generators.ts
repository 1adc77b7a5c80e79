import { describeForms } from './describe-forms.ts';
import { describePositions } from './describe-positions.ts';
import { describePreconditions } from './describe-preconditions.ts';
import { inlineWebhooks } from './inline-webhooks.ts';
import { nameDoubles } from './name-doubles.ts';
import { nameEnums } from './name-enums.ts';
import { nameRequestIds } from './name-request-ids.ts';
import type { Document } from './openapi.ts';
import { repeatRequired } from './repeat-required.ts';
import { shareReferences } from './share-references.ts';

/**
 * Returns the bundled document in a form from which third-party generators create small clients with exact types. It describes
 * the same requests and responses. It is the form that is served; the code of this service is generated from the bundled form.
 */
export function forClientGenerators(document: Document): Document {
  const shared = nameEnums(shareReferences(describeForms(describePositions(describePreconditions(document)))));
  return nameRequestIds(inlineWebhooks(nameDoubles(repeatRequired(shared))));
}
