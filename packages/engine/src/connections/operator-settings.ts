import type { SettingProblem } from '@unified/connectors';

/** Settings with which an operator allows a connection what applications and end users may not allow themselves. */
export const OPERATOR_SETTINGS: readonly string[] = ['allowPrivateHosts'];

/** Parameters of connection strings that name files of this machine. */
const FILES: readonly string[] = ['sslcert', 'sslkey', 'sslrootcert'];

/** The errors in settings that did not come from the operator. */
export function operatorSettingProblems(settings: Readonly<Record<string, unknown>>): SettingProblem[] {
  const allowed = OPERATOR_SETTINGS.filter((name) => Object.hasOwn(settings, name)).map((setting) =>
    problemIn(setting, 'Only the operator of the service can allow private hosts. Leave it out.'),
  );
  const files = Object.entries(settings).flatMap(([setting, value]) => {
    const names = typeof value === 'string' ? [...(URL.parse(value)?.searchParams.keys() ?? [])] : [];
    const file = names.find((name) => FILES.includes(name.toLowerCase()));
    return file === undefined ? [] : problemIn(setting, `Only the operator can use ${file}. Leave it out.`);
  });
  return [...allowed, ...files];
}

function problemIn(setting: string, remedy: string): SettingProblem {
  return { setting, title: '', problem: 'is for operators', remedy };
}
