export { changeSandbox, type SandboxChange } from './changes.ts';
export { derivedTables } from './derived/derived-table.ts';
export { addSandboxPlatform } from './platform.ts';
export { type SeedOptions, seedSandbox } from './seed.ts';
