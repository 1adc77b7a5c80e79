import type { Operation } from '@unified/contract';
import type { DocumentOperation } from '../src/reference/reference-document.ts';

const TOKENS: Readonly<Record<Operation['security'][number], string>> = {
  connectionToken: 'a connection token',
  adminToken: 'an access token of an application',
  personalAccessToken: 'a personal access token',
  consoleSession: 'a session of the console',
};

/** The token that an operation needs, as a sentence. */
export function tokensOf({ security }: Operation): string {
  if (security.length === 0) return 'Needs no token.';
  return `Needs ${security.map((kind) => TOKENS[kind]).join(' or ')}.`;
}

/** The states from which and to which an action leads, as a sentence in Markdown; empty for other operations. */
export function allowedStates({ 'x-transition': change }: DocumentOperation): string {
  const from = change?.from?.map((state) => `\`${state}\``).join(', ');
  if (!from) return '';
  return `Allowed if \`statusCategory\` is ${from}${change?.to ? `; it becomes \`${change.to}\`` : ''}.`;
}
