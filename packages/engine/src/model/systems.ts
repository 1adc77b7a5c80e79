import { type Driver, type Json, openDriver, type Platform, platformOf } from '@unified/connectors';

/** The kinds of connected systems that there are, and how they are opened. */
export interface Systems {
  platformOf(id: string): Platform;
  openDriver(platform: Platform, settings: Readonly<Record<string, Json>>): Driver;
}

/** Every platform of the connectors package. */
export const allSystems: Systems = { platformOf, openDriver };
