/** The environment for Redocly's command: no telemetry and no check for updates. */
export function redoclyEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
}
