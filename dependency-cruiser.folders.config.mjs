import { options } from './dependency-cruiser.config.mjs';

// Folders inside packages import one another in one direction, types included. A separate run, without tests: they import from
// anywhere.
export default {
  forbidden: [
    {
      name: 'no-circles-of-folders',
      severity: 'error',
      scope: 'folder',
      from: { path: '^packages/[^/]+/src' },
      to: { circular: true },
    },
  ],
  options: {
    ...options,
    exclude: { path: [...options.exclude.path, '\\.test\\.ts$', '/(test|generated)/'] },
  },
};
