import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { startRedmine } from './start.ts';

// usage: node test-systems/redmine/up.ts [DIRECTORY] [PORT]; the directory is emptied. Stop it with Ctrl-C.
const [dir = '.data/redmine', port = '3000'] = process.argv.slice(2);
await rm(resolve(dir), { recursive: true, force: true });
const redmine = await startRedmine({ dir: resolve(dir), port: Number(port) });
console.log(`Redmine: ${redmine.url}  API key ${redmine.key}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void redmine.stop());
