import type { OpenDriver, Platform } from './platform.ts';
import { openSql } from './sql/open-sql.ts';
import { checkOptions } from './sql/options.ts';
import { openTryton } from './tryton/tryton-driver.ts';

/** Drivers by protocol: what `driver` of a platform.yaml may name. */
export const drivers: Readonly<Record<string, OpenDriver>> = { sql: openSql, tryton: openTryton };

/** What a driver can say of the files of a platform before any system is called. Throws `DefinitionError`. */
export const driverChecks: Readonly<Record<string, (platform: Platform) => void>> = { sql: checkOptions };
