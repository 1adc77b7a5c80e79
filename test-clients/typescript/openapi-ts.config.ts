import { defineConfig } from '@hey-api/openapi-ts';

export default defineConfig({
  input: process.env.DOCUMENT ?? '',
  output: { path: 'generated', module: { extension: '.ts' } },
});
