import { catalog } from '../contract/entity-catalog.ts';
import type { Samples } from './list-samples.ts';

interface SampledQuery {
  readonly serverUrl: string;
  readonly token: string;
  readonly statement: string;
}

/** A statement in MQL as a command and as programs. */
export function querySamples({ serverUrl, token, statement }: SampledQuery): Samples {
  const body = JSON.stringify({ statement });
  const quoted = `'${body.replaceAll("'", `'\\''`)}'`;
  return {
    curl: `curl -sS '${serverUrl}${catalog.prefix}/query' \\
  -H 'Authorization: Bearer ${token}' \\
  -H 'Content-Type: application/json' \\
  -d ${quoted}`,
    typescript: `import { createClient } from '@unified/sdk';

const client = createClient({ baseUrl: '${serverUrl}', token: ${JSON.stringify(token)} });
const { data } = await client.POST('/query', {
  body: { statement: ${JSON.stringify(statement)} },
});
console.log(data);`,
    python: `import json
from urllib.request import Request, urlopen

body = json.dumps({"statement": ${JSON.stringify(statement)}}).encode()
request = Request('${serverUrl}${catalog.prefix}/query', body)
request.add_header('Authorization', 'Bearer ' + ${JSON.stringify(token)})
request.add_header('Content-Type', 'application/json')
print(json.load(urlopen(request))['data'])`,
  };
}
