import { isTemporary } from '../src/is-temporary.ts';

/** Source of the codes whose retryability differs from that of their status. The others are left out to keep the client small. */
export function codesSource(table: Readonly<Record<string, { status: number; retryable: boolean }>>): string {
  const exceptions = Object.entries(table).filter(([, { status, retryable }]) => retryable !== isTemporary(status));
  return `// Generated from the contract by the build of this package. Do not edit.

/** Whether an error can be retried, for the codes whose status does not show it. */
export const retryableByCode: ReadonlyMap<string | undefined, boolean> = new Map([
${exceptions.map(([code, { retryable }]) => `  ['${code}', ${retryable}],\n`).join('')}]);
`;
}
