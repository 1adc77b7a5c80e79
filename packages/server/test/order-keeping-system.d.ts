import type { Systems } from '@unified/engine';
/** The faulty system, in which a new work order is open: every work order of the document has a category. */
export declare const systems: Systems;
