import { catalog } from './entity-catalog.ts';

/** The kinds of events of the document. */
export const eventKinds: readonly string[] = catalog.events;
