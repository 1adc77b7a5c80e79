import { signInAddress } from '@unified/server';
import {
  addOperator,
  audited,
  type ConsoleOperator,
  createSignInLink,
  listOperators,
  type OperatorRole,
  operatorByEmail,
  type SignInLink,
} from '@unified/store';
import type { Command } from '../command-line/command.ts';
import { isOn } from '../command-line/flags.ts';
import { helpLine } from '../command-line/help-line.ts';
import { withInstallation } from '../command-line/installation.ts';
import { operatorOrigin } from '../command-line/operator-origin.ts';
import { print } from '../command-line/printing.ts';
import { refuseProblems, UsageError } from '../command-line/usage.ts';
import { namedArguments } from './arguments.ts';

const ROLES: readonly string[] = ['viewer', 'operator', 'admin'] satisfies OperatorRole[];

const list: Command = {
  about: 'list the operators of the console',
  flags: {},
  help: `Lists the people who can sign in to the console, with their roles.

  npm run admin -- operator list [options]

Options
${helpLine('json', 'Print them as JSON')}
${helpLine('help', 'This text')}`,
  async run(given) {
    refuseProblems(namedArguments(given, []).problems, 'admin -- operator list');
    await withInstallation(async ({ store }) => {
      const operators = await listOperators(store);
      const lines = operators.map(
        ({ email, name, role, isActive }) => `${email}  ${role}  ${name}${isActive ? '' : '  (deactivated)'}`,
      );
      print(
        isOn(given, 'json'),
        { operators },
        lines.join('\n') || 'There is no operator yet. `npm start` prints the link for the first one.',
      );
    });
  },
};

const add: Command = {
  about: 'add an operator, and print the one-time link for the password',
  flags: {},
  help: `Adds a person to the console, and prints the one-time link with which the person sets a password. The role is viewer, operator or
admin.

  npm run admin -- operator add <email> <name> <role> [options]

Options
${helpLine('json', 'Print it as JSON')}
${helpLine('help', 'This text')}`,
  async run(given) {
    const { texts, problems } = namedArguments(given, ['email', 'name', 'role']);
    const { email, name, role } = texts;
    const unknown =
      problems.length === 0 && !isRole(role) ? [`The role is one of ${ROLES.join(', ')}, not "${role}".`] : [];
    refuseProblems([...problems, ...unknown], 'admin -- operator add');
    await withInstallation(async ({ store }) => {
      const made = await audited(store, operatorOrigin('admin operator add'), async (inner, record) => {
        const operator = await addOperator(inner, { email, name, role: role as OperatorRole });
        if (!operator) throw new UsageError(`✗ There is an operator with the email address ${email}.`);
        const link = await createSignInLink(inner, operator.id);
        const after = { ...operator, linkExpiresAt: link.expiresAt };
        await record(null, { action: 'operator.create', target: operator.id, after });
        return { operator, link };
      });
      printLink(isOn(given, 'json'), store.publicUrl, made);
    });
  },
};

const link: Command = {
  about: 'print another one-time link for an operator who cannot sign in',
  flags: {},
  help: `Prints a one-time link with which an operator sets a new password. It works once, within 7 days; earlier links of the operator
no longer work.

  npm run admin -- operator link <email> [options]

Options
${helpLine('json', 'Print it as JSON')}
${helpLine('help', 'This text')}`,
  async run(given) {
    const { texts, problems } = namedArguments(given, ['email']);
    refuseProblems(problems, 'admin -- operator link');
    await withInstallation(async ({ store }) => {
      const made = await audited(store, operatorOrigin('admin operator link'), async (inner, record) => {
        const found = await operatorByEmail(inner, texts.email);
        if (!found) throw new UsageError(`✗ There is no operator with the email address ${texts.email}.`);
        const { password: _hash, ...operator } = found;
        const link = await createSignInLink(inner, operator.id);
        const after = { ...operator, linkExpiresAt: link.expiresAt };
        await record(null, { action: 'operator.create_link', target: operator.id, before: operator, after });
        return { operator, link };
      });
      printLink(isOn(given, 'json'), store.publicUrl, made);
    });
  },
};

function isRole(text: string): boolean {
  return ROLES.includes(text);
}

function printLink(
  isJson: boolean,
  publicUrl: string,
  { operator, link }: { readonly operator: ConsoleOperator; readonly link: SignInLink },
): void {
  const address = signInAddress(publicUrl, link.token);
  const text = `${operator.name} signs in once with this link until ${link.expiresAt}:\n\n  ${address}`;
  print(isJson, { operator, link: address, linkExpiresAt: link.expiresAt }, text);
}

/** The commands of `npm run admin -- operator`. */
export const operatorCommands = { add, list, link };
