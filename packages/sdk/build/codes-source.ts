/** Source of the table of error codes: status, and whether the code is retryable. Small, since browsers download it. */
export function codesSource(table: Readonly<Record<string, { status: number; retryable: boolean }>>): string {
  const groups = Map.groupBy(Object.entries(table), ([, { status, retryable }]) => `${status}${retryable ? '!' : ''}`);
  const rows = [...groups].map(
    ([mark, codes]) => `  '${mark} ${codes.map(([code]) => code.replace(/^SERVICE_/, '')).join(' ')}',\n`,
  );
  return `// Generated from the contract by the build of this package. Do not edit.

/** By line: a status, \`!\` when its codes are retryable, and the codes without \`SERVICE_\`. */
export const codeLines: readonly string[] = [
${rows.join('')}];
`;
}
