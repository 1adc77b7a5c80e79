import { DefinitionError, platformIds, platformOf } from '@unified/connectors';
import type { Command } from '../command-line/command.ts';

/** What `npm run connect -- --help` prints. */
export function generalHelp(commands: Readonly<Record<string, Pick<Command, 'about'>>>): string {
  const width = 12;
  const platforms = platformIds().map((id) => `  ${id.padEnd(width)} ${aboutPlatform(id)}`);
  const others = Object.entries(commands).map(([name, { about }]) => `  ${name.padEnd(width)} ${about}`);
  return `Connects a running system: checks it, stores the connection and starts the first sync. Manages connections.

  npm run connect -- <platform> [options]
  npm run connect -- <command> [options]

Platforms
${platforms.join('\n')}

Commands
${others.join('\n')}

  npm run connect -- <platform> --help    the settings of a platform, and the schedule
  npm run connect -- <command> --help     the options of a command`;
}

function aboutPlatform(id: string): string {
  try {
    return platformOf(id).description;
  } catch (error) {
    if (error instanceof DefinitionError) return `cannot be used: ${error.message}`;
    throw error;
  }
}
