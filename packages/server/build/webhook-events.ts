import type { DocumentOperation, ReferenceDocument } from '../src/reference/reference-document.ts';

/** A request that the service sends to webhook endpoints. */
export interface WebhookEvent {
  /** Its kind, such as `record.updated`, which is also its anchor. */
  readonly kind: string;
  readonly described: DocumentOperation;
}

/** The events of a tag, in the order of the document. */
export function eventsOf({ webhooks = {} }: ReferenceDocument, tag: string): WebhookEvent[] {
  return Object.entries(webhooks).flatMap(([kind, { post }]) =>
    post?.tags?.includes(tag) ? [{ kind, described: post }] : [],
  );
}

/** What happened, in words. */
export function titleOf({ kind, described }: WebhookEvent): string {
  return described.summary ?? kind;
}
