export { passing, step, timed } from '../progress.mjs';
