// Builds the console: what the pages need of the contract, then the files that the server sends.
import { mkdir, rename, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { writeContractFiles } from './contract-files.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const output = fileURLToPath(new URL('../../server/generated/console', import.meta.url));
const draft = `${output}.new`;

await writeContractFiles(new URL('../generated/', import.meta.url));
await mkdir(draft, { recursive: true });
await build({
  root,
  configFile: false,
  logLevel: 'error',
  base: '/console/',
  // The public path of the server is known only when a file is sent: files find each other by their own addresses.
  experimental: { renderBuiltUrl: (_name, { hostType }) => (hostType === 'html' ? undefined : { relative: true }) },
  build: {
    outDir: draft,
    emptyOutDir: true,
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox124', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
    reportCompressedSize: false,
    manifest: true,
  },
});
// A running server must not read incomplete files. While there are none, it waits.
await rm(output, { recursive: true, force: true });
await rename(draft, output);
