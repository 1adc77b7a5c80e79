import { Client, ClientCredentialsProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

type Doc = Readonly<Record<string, unknown>>;

/** A client of the Model Context Protocol, which is not our own. */
export interface McpClient {
  readonly client: Client;
  /** Calls a tool. Returns its text without the markers of data, parsed. */
  call(name: string, given: Doc): Promise<{ readonly isError: boolean; readonly value: Doc; readonly text: string }>;
}

interface Options {
  /** Where the server listens, and where it believes to be reached. */
  readonly baseUrl: string;
  readonly publicUrl: string;
  /** A personal access token with its id, for which the client gets tokens; or the token, which it sends itself. */
  readonly credentials: { readonly tokenId: string; readonly token: string } | string;
  /** `modern`: 2026-07-28; `legacy`: the version before it. */
  readonly era?: 'modern' | 'legacy';
  readonly query?: string;
}

/** Connects a client, which finds out where to get a token, and gets one. */
export async function connectMcpClient(options: Options): Promise<McpClient> {
  const { baseUrl, publicUrl, credentials, era = 'modern', query = '' } = options;
  const transport = new StreamableHTTPClientTransport(new URL(`${publicUrl}/mcp${query}`), {
    // Stands for a proxy in front of the server.
    fetch: (url, init) => fetch(String(url).replace(publicUrl, baseUrl), init),
    ...(typeof credentials === 'string'
      ? { requestInit: { headers: { Authorization: `Bearer ${credentials}` } } }
      : { authProvider: providerOf(credentials, publicUrl) }),
  });
  const client = new Client(
    { name: 'tests', version: '1.0' },
    { versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } } },
  );
  await client.connect(transport);
  return {
    client,
    async call(name, given) {
      const result = await client.callTool({ name, arguments: { ...given } });
      const [first] = result.content as { readonly text: string }[];
      const text = first?.text ?? '';
      return { isError: result.isError === true, value: JSON.parse(dataOf(text)), text };
    },
  };
}

function providerOf({ tokenId, token }: { readonly tokenId: string; readonly token: string }, issuer: string) {
  return new ClientCredentialsProvider({ clientId: tokenId, clientSecret: token, expectedIssuer: issuer });
}

/** The data between the markers of a text. */
export function dataOf(text: string): string {
  return /<(data-[\w-]+)>\n([\s\S]*)\n<\/\1>$/.exec(text)?.[2] ?? text;
}
