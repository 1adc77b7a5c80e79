/** Names in the order in which they identify a browser: Edge and Chrome also contain `Safari`. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg\/(\d+)/, 'Edge'],
  [/Firefox\/(\d+)/, 'Firefox'],
  [/Chrome\/(\d+)/, 'Chrome'],
  [/Version\/(\d+).*Safari/, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Windows/, 'Windows'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS X/, 'macOS'],
  [/Android/, 'Android'],
  [/Linux/, 'Linux'],
];

/** `Firefox 144, Linux` for a `User-Agent`; its beginning for an unknown one, undefined without one. */
export function browserName(agent: string | null): string | undefined {
  if (!agent) return undefined;
  const browser = BROWSERS.map(([pattern, name]) => [pattern.exec(agent)?.[1], name]).find(([version]) => version);
  const system = SYSTEMS.find(([pattern]) => pattern.test(agent))?.[1];
  const name = browser && `${browser[1]} ${browser[0]}`;
  return [name, system].filter(Boolean).join(', ') || agent.slice(0, 60);
}
