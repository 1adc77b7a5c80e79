// Entry of `npm run connect`. What Node compiles is kept for the next run; that must be asked for before anything is imported.
import { enableCompileCache } from 'node:module';

enableCompileCache();
await import('./connect.ts');
