import { readFileSync } from 'node:fs';
import { readConfiguration } from './start/configuration.ts';

/** Names that the help of `npm start` explains, indented by two spaces. */
const EXPLAINED = /^ {2}([A-Z][A-Z0-9_]+) {2,}/gm;

/** Names of the environment variables that the service was observed to read, and of those that its help explains. */
export function settingNames(): string[] {
  const read = new Set<string>();
  const bucket = { BLOB_STORE: 's3://bucket', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
  const observed = new Proxy<NodeJS.ProcessEnv>(bucket, {
    get(target, name) {
      read.add(String(name));
      return Reflect.get(target, name);
    },
  });
  readConfiguration([], observed);
  const help = readFileSync(new URL('start/configuration.ts', import.meta.url), 'utf8');
  return [...new Set([...read, ...[...help.matchAll(EXPLAINED)].map(([, name = '']) => name)])].sort();
}
