/**
 * Headers of an answer to a request that made a write, or repeats it: which write record tells of it, and how many
 * warnings that has. The answer itself may hold nothing of the write record.
 */
export function writeHeaders(writeId: string, warnings: number): Record<string, string> {
  return { 'Write-Id': writeId, ...(warnings > 0 && { 'Write-Warnings': String(warnings) }) };
}
