import type { SelectStmt } from 'libpg-query';
import { checkNodes } from './allowed-nodes.ts';
import { queryFault } from './query-fault.ts';

/** Maximum size of a statement in bytes. PostgreSQL's parser needs up to a thousand times as much memory for its tree. */
const LARGEST = 32_000;

/**
 * Parses one statement with PostgreSQL's parser, and checks that it contains only nodes of MQL. Throws SERVICE_INVALID_QUERY.
 */
export async function parseStatement(text: string): Promise<SelectStmt> {
  if (text.includes('\0')) throw queryFault('The statement contains a NUL byte. Remove it.', text.indexOf('\0'));
  if (text.trim() === '') throw empty();
  const bytes = Buffer.byteLength(text);
  if (bytes > LARGEST) throw queryFault(`The statement has ${bytes} bytes; at most ${LARGEST} are allowed.`);
  const [first, ...others] = (await treeOf(text)).stmts ?? [];
  if (!first?.stmt) throw empty();
  if (others.length > 0) throw queryFault('Send one statement, without others after a semicolon.');
  if (!('SelectStmt' in first.stmt)) throw queryFault('Only SELECT statements are allowed.');
  const { SelectStmt: statement } = first.stmt;
  checkNodes('SelectStmt', statement);
  return statement;
}

function empty(): Error {
  return queryFault('The statement is empty. Send a SELECT statement.');
}

async function treeOf(text: string) {
  // 1.7 MB of WebAssembly that only queries need.
  const { parse, hasSqlDetails } = await import('libpg-query');
  try {
    return await parse(text);
  } catch (error) {
    if (error instanceof RangeError) throw queryFault('The statement is nested too deeply. Simplify it.');
    if (hasSqlDetails(error)) throw queryFault(`${error.message}.`, error.sqlDetails?.cursorPosition);
    throw error;
  }
}
