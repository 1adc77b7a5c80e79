import { once } from 'node:events';
import { createServer } from 'node:net';

/** An address at which a server is going to listen, and the name of the setting with its port. */
export interface WantedPort {
  readonly setting: 'PORT' | 'OPERATOR_PORT';
  readonly host: string;
  readonly port: number;
}

/**
 * Rejects with a `PortProblem` if a server cannot listen at this address now, for example because another program does. The
 * start of a server would find that out only after the database and the sandbox company are prepared.
 */
export async function checkPort(wanted: WantedPort): Promise<void> {
  const probe = createServer();
  const listening = once(probe, 'listening');
  probe.listen(wanted.port, wanted.host);
  await listening.catch((error: Error) => {
    throw new PortProblem(wanted, error);
  });
  const closed = once(probe, 'close');
  probe.close();
  await closed;
}

/** The reason why a server cannot listen, and what to do. */
export class PortProblem extends Error {
  override readonly name = 'PortProblem';
  readonly remedy: string;

  constructor({ setting, host, port }: WantedPort, cause: Error & { readonly code?: string }) {
    const isTaken = cause.code === 'EADDRINUSE';
    super(isTaken ? `Another program already uses port ${port} of ${host}.` : cause.message, { cause });
    this.remedy = isTaken
      ? `Stop that program, or choose another port with ${setting}, for example ${setting}=${port + 1} npm start`
      : `Choose another port with ${setting}, or another address with ${setting.replace('PORT', 'HOST')}.`;
  }
}
