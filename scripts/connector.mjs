// Entry of `npm run connector`. Node caches compiled code for the next run; this must be enabled before anything is imported.
import { enableCompileCache } from 'node:module';

enableCompileCache();
await import('./connector.ts');
