import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { startTracker } from './start.ts';

// usage: node test-systems/request-tracker/up.ts [DIRECTORY] [PORT]; the directory is emptied. Stop it with Ctrl-C.
const [dir = '.data/request-tracker', port = '8080'] = process.argv.slice(2);
await rm(resolve(dir), { recursive: true, force: true });
const tracker = await startTracker({ dir: resolve(dir), port: Number(port) });
console.log(`Request Tracker: ${tracker.url}  token ${tracker.token}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void tracker.stop());
