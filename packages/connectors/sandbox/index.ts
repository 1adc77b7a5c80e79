export { changeSandbox, type SandboxChange } from './changes.ts';
export { type SeedOptions, seedSandbox } from './seed.ts';
