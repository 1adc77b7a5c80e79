import { completeChanges } from './checks/complete-changes.ts';
import { convertibleValues } from './checks/convertible-values.ts';
import { describedColumns } from './checks/described-columns.ts';
import { filledFields } from './checks/filled-fields.ts';
import { missingRows } from './checks/missing-rows.ts';
import { pageSizes } from './checks/page-sizes.ts';
import { quietChanges } from './checks/quiet-changes.ts';
import { readableStreams } from './checks/readable-streams.ts';
import { refusedCredentials } from './checks/refused-credentials.ts';
import { signIn } from './checks/sign-in.ts';
import { singleRows } from './checks/single-rows.ts';
import { uniqueKeys } from './checks/unique-keys.ts';
import type { ConformanceCheck } from './conformance-check.ts';

/**
 * The checks after signing in, in the order in which they run. Reading all rows correctly has the most points, because nothing
 * can replace missing rows.
 */
export const afterSignIn: readonly ConformanceCheck[] = [
  readableStreams,
  uniqueKeys,
  pageSizes,
  singleRows,
  missingRows,
  completeChanges,
  quietChanges,
  describedColumns,
  convertibleValues,
  filledFields,
  // Last, because a system may refuse further calls for a while.
  refusedCredentials,
];

/** All checks in the order in which they run. */
export const everyCheck: readonly ConformanceCheck[] = [signIn, ...afterSignIn];
