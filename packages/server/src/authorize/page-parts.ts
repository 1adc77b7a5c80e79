import type { Engine } from '@unified/engine';
import type { HttpResponse } from '../http-response.ts';
import type { Browsers } from './browser.ts';
import type { BrowserSession } from './browser-session.ts';
import type { ActionParts } from './session-actions.ts';
import type { Frame } from './views/layout.ts';

/** Services that the pages for end users need. */
export interface PageParts extends ActionParts {
  readonly engine: Engine;
  readonly browsers: Browsers;
  /** Path of the pages as browsers see it. */
  readonly root: string;
}

/** Returns the response to a request for a session. */
export type SessionWork = (session: BrowserSession, frame: Frame) => HttpResponse | Promise<HttpResponse>;
