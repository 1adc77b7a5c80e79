// Entry of `npm start`. What Node compiles is kept for the next start; that must be asked for before anything is imported.
import { enableCompileCache } from 'node:module';

enableCompileCache();
await import('./start.ts');
