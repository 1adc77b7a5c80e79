/** The environment of Redocly's command: it reports nothing home and looks for no newer release. */
export function redoclyEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
}
