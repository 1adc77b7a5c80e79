import { addressOf, dataPrefix } from '@unified/contract';

export interface Ready {
  readonly publicUrl: string;
  /** Whether other machines can reach the server. */
  readonly isOpen: boolean;
  /** Token of the sandbox company; absent: there is none. */
  readonly token: string | undefined;
}

/** What is printed when the server is ready: the addresses, and a line to try. */
export function banner({ publicUrl, isOpen, token }: Ready): string {
  const addresses = `
  API         ${publicUrl}${dataPrefix}
  Reference   ${publicUrl}/docs
  Document    ${publicUrl}/openapi.json
`;
  const reach = isOpen ? '\nOther machines can reach this server: HOST is not a loopback address.\n' : '';
  return `${addresses}${reach}${token === undefined ? CONNECT : tryIt(publicUrl, isOpen ? undefined : token)}`;
}

const CONNECT = '\nConnect a system next: npm run connect -- --help\n';

/** Where other machines reach the server, the token is left out: a terminal and its logs are seen by others. */
function tryIt(publicUrl: string, token: string | undefined): string {
  const header = token === undefined ? '"Authorization: Bearer $TOKEN"' : `'Authorization: Bearer ${token}'`;
  const where = token === undefined ? 'TOKEN is' : 'The token is also';
  return `
Try it:

  curl -sS -H ${header} '${publicUrl}${addressOf('listVendors')}?per_page=3'

${where} \`connections[0].token\` in sandbox.json of the data directory. Ctrl+C stops the server.
`;
}
