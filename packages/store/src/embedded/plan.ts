import type { Placement } from './placement.ts';
import type { ServerUser } from './server-user.ts';

/** Where and how a server runs. */
export interface Plan {
  readonly dataDir: string;
  readonly placement: Placement;
  readonly user: ServerUser | null;
  readonly settings: Readonly<Record<string, string>>;
}
