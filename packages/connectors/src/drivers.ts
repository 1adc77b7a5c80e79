import type { OpenDriver } from './platform.ts';
import { openSql } from './sql/open-sql.ts';
import { openTryton } from './tryton/tryton-driver.ts';

/** Drivers by protocol: what `driver` of a platform.yaml may name. */
export const drivers: Readonly<Record<string, OpenDriver>> = { sql: openSql, tryton: openTryton };
