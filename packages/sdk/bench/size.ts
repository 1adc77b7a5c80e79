import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** Bytes of the client with its dependencies, bundled and minified for browsers. */
export interface Size {
  readonly minified: number;
  readonly gzip: number;
  readonly brotli: number;
}

interface Bundler {
  build(options: object): Promise<{ output: { code: string }[] }>;
}

/** Measures an entry; by default the client in dist/, which must have been built. */
export async function measureSize(entry = '../dist/index.js'): Promise<Size> {
  const { build } = await bundler();
  const input = fileURLToPath(new URL(entry, import.meta.url));
  const { output } = await build({ input, platform: 'browser', write: false, output: { format: 'es', minify: true } });
  const code = output.map((chunk) => chunk.code).join('');
  return {
    minified: Buffer.byteLength(code),
    gzip: gzipSync(code, { level: 9 }).length,
    brotli: brotliCompressSync(code).length,
  };
}

/** The bundler of the test runner. */
async function bundler(): Promise<Bundler> {
  const runner = createRequire(import.meta.resolve('vitest/package.json'));
  const vite = createRequire(runner.resolve('vite'));
  return (await import(pathToFileURL(vite.resolve('rolldown')).href)) as Bundler;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(JSON.stringify(await measureSize()));
