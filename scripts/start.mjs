// Entry of `npm start`. Node caches compiled code for the next start; this must be enabled before anything is imported.
import { enableCompileCache } from 'node:module';

enableCompileCache();
await import('./start.ts');
