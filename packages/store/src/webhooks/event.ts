import type { webhooks } from '@unified/contract';

/** A kind of event that webhook endpoints receive. */
export type EventKind = keyof webhooks;

/** The body of an event of a kind, as the document describes it. */
export type EventBody<Kind extends EventKind = EventKind> =
  webhooks[Kind]['post']['requestBody']['content']['application/json'];

/** What happened, in the form that the document describes, and the subject that determines its order. */
export interface NewEvent<Kind extends EventKind = EventKind> {
  readonly type: Kind;
  readonly data: EventBody<Kind>['data'];
  /** Events with the same subject, such as `write 0199…`, are sent in order. */
  readonly subject: string;
  /** Connection that the event concerns, or null. */
  readonly connectionId: string | null;
  /** Kind of record that the event concerns, if any. */
  readonly entity?: string | undefined;
}
