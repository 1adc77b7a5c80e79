import { fileURLToPath } from 'node:url';

/** The folder of this package. */
export const packageFolder = fileURLToPath(new URL('..', import.meta.url));
/** The folder that holds the folder of the platform. */
export const platformsFolder = `${packageFolder}platforms`;
/** The handwritten platform, without derived tables. */
export const sandboxFolder = `${platformsFolder}/sandbox`;
