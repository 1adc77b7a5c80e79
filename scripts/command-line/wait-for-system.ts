import { setTimeout as pause } from 'node:timers/promises';
import { passed, passing } from '../progress.mjs';

/** Waits for as many seconds as the system requests, and shows it on the terminal. */
export async function waitForSystem(seconds: number): Promise<void> {
  passing(`The system accepts no calls now. Continuing in ${seconds} s`);
  await pause(seconds * 1000);
  passed();
}
