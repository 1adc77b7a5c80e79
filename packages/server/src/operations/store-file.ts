import { type ContentDigest, digestOf, storeContent } from '@unified/store';
import type { DataContext } from './context.ts';
import { entityOfOperation } from './records.ts';

/** Stores the file of a create; of a dry run, only its checksum is computed. Throws SERVICE_NOT_SUPPORTED. */
export async function storeFile(
  { query }: { readonly query: Readonly<Record<string, unknown>> },
  bytes: AsyncIterable<Uint8Array>,
  context: Pick<DataContext, 'engine' | 'scope' | 'operation'>,
): Promise<ContentDigest> {
  const { engine, scope } = context;
  await engine.checkTakesFiles(scope, entityOfOperation(context).name);
  return query.dryRun === true ? digestOf(bytes) : storeContent(scope, bytes);
}
