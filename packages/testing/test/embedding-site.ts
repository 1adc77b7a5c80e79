import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';

/** A website whose pages embed pages of the service. */
export interface EmbeddingSite {
  readonly origin: string;
  stop(): Promise<void>;
}

const BUTTONS =
  '<button id="before">Before</button> <button id="connect">Connect</button> <button id="after">After</button>';

/**
 * What the page has reported is in `events`, and what the frame has sent is in `messages`. The page opens the `url` in its
 * query.
 */
const SCRIPT = `
import { open } from './link.js';
const query = new URLSearchParams(location.search);
globalThis.events = [];
globalThis.messages = [];
addEventListener('message', ({ data }) => messages.push(data.event));
const show = () => {
  globalThis.link = open({
    url: query.get('url'),
    onSuccess: (connected) => events.push({ success: connected }),
    onExit: (exit) => events.push({ exit }),
  });
};
document.querySelector('#connect').onclick = show;
if (query.has('now')) show();
`;

/** A page that shows the address in \`src\` in a frame with this sandbox, if there is one. */
const OUTER = `
const query = new URLSearchParams(location.search);
const frame = document.createElement('iframe');
if (query.has('sandbox')) frame.setAttribute('sandbox', query.get('sandbox'));
frame.src = query.get('src');
document.body.append(frame);
`;

/**
 * Starts a site on a free port of localhost. Its policy allows only styles that scripts set, and frames with any address, so
 * that only the policy of the service can refuse them.
 */
export async function startSite(): Promise<EmbeddingSite> {
  const source = await readFile(new URL('../../sdk/src/authorization-dialog.ts', import.meta.url), 'utf8');
  const scripts: Readonly<Record<string, string>> = {
    '/link.js': stripTypeScriptTypes(source),
    '/site.js': SCRIPT,
    '/outer.js': OUTER,
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://site');
    const script = scripts[pathname];
    const name = pathname === '/outer' ? 'outer' : 'site';
    const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Portal</title><body><main><h1>Portal</h1>${BUTTONS}</main><script type="module" src="/${name}.js"></script></body></html>`;
    response.writeHead(200, {
      'content-type': script === undefined ? 'text/html' : 'text/javascript',
      // A page in a sandbox has the origin null, so its scripts are loaded as if from another origin.
      'access-control-allow-origin': '*',
      'content-security-policy': "default-src 'none'; script-src 'self'; frame-src *",
    });
    response.end(script ?? page);
  });
  server.listen(0, 'localhost');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
