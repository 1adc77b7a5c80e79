import type { SettingProblem } from '@unified/connectors';

/**
 * Settings that applications and end users may not set: they allow private hosts, keep this process busy for longer, or name a
 * folder of this machine.
 */
export const OPERATOR_SETTINGS: readonly string[] = ['allowPrivateHosts', 'folder', 'timeoutSeconds'];

/**
 * The parameter that applications and end users may add to the address of a database, which only encrypts the connection. Other
 * parameters connect to another host, read files of this machine, or override timeouts. The MySQL client does not accept these
 * other parameters at all.
 */
const PARAMETERS = [
  {
    protocol: /^postgres(ql)?:$/,
    parameter: 'sslmode',
    remedy: 'Only the operator can use parameters other than sslmode. Leave them out.',
  },
  { protocol: /^(mysql|mariadb):$/, parameter: 'ssl-mode', remedy: 'Remove the parameters other than ssl-mode.' },
];

/** All applications would share the folders of this machine. */
const NO_FOLDER = 'Only the operator can connect a folder, with `npm run connect`.';

/** The errors in settings that did not come from the operator. */
export function operatorSettingProblems(settings: Readonly<Record<string, unknown>>): SettingProblem[] {
  const allowed = OPERATOR_SETTINGS.filter((name) => Object.hasOwn(settings, name)).map((setting) =>
    problemIn(setting, setting === 'folder' ? NO_FOLDER : 'Only the operator of the service can set it. Leave it out.'),
  );
  const addresses = Object.entries(settings).flatMap(([setting, value]) => {
    const url = typeof value === 'string' ? URL.parse(value) : null;
    const remedy = url && addressRemedy(url);
    return remedy ? problemIn(setting, remedy) : [];
  });
  return [...allowed, ...addresses];
}

/** How to correct the address of a database; empty if it can be used. Never quotes it, because it may be secret. */
function addressRemedy({ protocol, username, password, searchParams }: URL): string {
  // All applications would share the files of this machine.
  if (protocol === 'sqlite:' || protocol === 'file:') return 'Only the operator can connect a file.';
  const database = PARAMETERS.find((each) => each.protocol.test(protocol));
  if (!database) return '';
  if (!username || !password) return 'Add the user name and the password.';
  return [...searchParams.keys()].every((name) => name === database.parameter) ? '' : database.remedy;
}

function problemIn(setting: string, remedy: string): SettingProblem {
  return { setting, title: '', problem: 'is for operators', remedy };
}
