import { addressOf, dataPrefix } from '@unified/contract';

export interface Ready {
  readonly publicUrl: string;
  /** Where this process listens. */
  readonly host: string;
  readonly port: number;
  /** Whether other machines can reach the server. */
  readonly isOpen: boolean;
  /** Token of the sandbox company, and the file that contains it; absent if there is none. */
  readonly sandbox: { readonly token: string; readonly file: string } | undefined;
  /** Whether any system is connected. */
  readonly isConnected: boolean;
  /** The one-time link that creates the first operator of the console; absent if there is one. */
  readonly firstOperator?: string | undefined;
}

/** The text that is printed when the server is ready: the addresses, and a command to try. */
export function banner({ publicUrl, host, port, isOpen, sandbox, isConnected, firstOperator }: Ready): string {
  const here = localUrl(publicUrl, host, port);
  const addresses = `
  API         ${publicUrl}${dataPrefix}
  Reference   ${publicUrl}/docs
  Console     ${publicUrl}/console
  Document    ${publicUrl}/openapi.json
${here === publicUrl ? '' : `  Listening   ${host}, port ${port}\n`}`;
  const reach = isOpen ? '\nOther machines can reach this server: HOST is not a loopback address.\n' : '';
  const first = firstOperator === undefined ? '' : signIn(firstOperator);
  const unlessSandbox = isConnected ? CONNECTED : CONNECT;
  return `${addresses}${reach}${first}${sandbox ? tryIt(here, sandbox, isOpen) : unlessSandbox}`;
}

function signIn(link: string): string {
  return `
Sign in to the console for the first time, with this link. It works once, within 7 days:

  ${link}
`;
}

/** The address of this process for programs on this machine, because its proxy may not be running yet. */
function localUrl(publicUrl: string, host: string, port: number): string {
  const name = /^(127\.|0\.0\.0\.0$|::1?$)/.test(host) ? 'localhost' : host;
  const { pathname } = new URL(publicUrl);
  return `http://${name}:${port}${pathname.replace(/\/+$/, '')}`;
}

const CONNECT = '\nConnect a system next: npm run connect -- --help\n';
const CONNECTED = '\nThe connected systems and their state: npm run connect -- list\n';

/** If other machines can reach the server, the token is omitted, because other people may see the terminal and its logs. */
function tryIt(url: string, { token, file }: NonNullable<Ready['sandbox']>, isOpen: boolean): string {
  const header = isOpen ? '"Authorization: Bearer $TOKEN"' : `'Authorization: Bearer ${token}'`;
  const where = isOpen ? 'TOKEN is' : 'The token is also';
  return `
Try it:

  curl -sS -H ${header} '${url}${addressOf('listVendors')}?per_page=3'

${where} \`connections[0].token\` in ${file}. Ctrl+C stops the server.
`;
}
