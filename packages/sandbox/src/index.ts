export { addSandboxPlatform } from './add-platform.ts';
export { changeSandbox, type SandboxChange } from './changes.ts';
export { derivedTables } from './derived/derived-table.ts';
export { type SeedOptions, seedSandbox } from './seed.ts';
