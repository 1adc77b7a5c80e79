import { DefinitionError, SystemError } from '@unified/connectors';
import { explainFailure } from '@unified/engine';
import { DataDirectoryError } from '@unified/store';
import { Refusal, UsageError } from './usage.ts';

/**
 * Runs a command, and prints the reason for a failure to standard error. Returns the exit code: 2 for wrong usage, 1 for any
 * other failure.
 */
export async function exitCodeOf(run: () => Promise<void>): Promise<number> {
  try {
    await run();
    return 0;
  } catch (error) {
    process.stderr.write(`${describe(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

function describe(error: unknown): string {
  if (error instanceof UsageError || error instanceof Refusal) return error.message;
  if (error instanceof DataDirectoryError) return `✗ ${error.message}\n  ${error.remedy}`;
  if (error instanceof SystemError) {
    const { problem, remedy } = explainFailure(error);
    return `✗ ${problem}\n  ${remedy}`;
  }
  if (error instanceof DefinitionError) return `✗ The platform cannot be used:\n  ${error.message}`;
  return `✗ ${error instanceof Error ? error.message : error}`;
}
