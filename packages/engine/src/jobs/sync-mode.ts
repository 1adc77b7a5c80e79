/** `full` reads every row and notices what is gone, `incremental` reads what changed. */
export type SyncMode = 'full' | 'incremental';
