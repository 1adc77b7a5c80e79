import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../packages/store/src/embedded/free-port.ts';
import { startServer } from '../server-process.ts';

/** A gateway that speaks S3 over a folder and checks every signature; `test-systems/s3/install.sh` installs it. */
const GATEWAY = join(process.env.GOBIN ?? join(homedir(), 'go/bin'), 'versitygw');

/** A running service with one bucket. */
export interface RunningBucket {
  readonly endpoint: URL;
  readonly bucket: 'files';
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Folder with its objects. */
  readonly path: string;
  stop(): Promise<void>;
}

/** Starts a service with an empty bucket on a free port. */
export async function startBucket(): Promise<RunningBucket> {
  if (!existsSync(GATEWAY)) throw new Error(`There is no ${GATEWAY}: run test-systems/s3/install.sh.`);
  const access = { accessKeyId: 'tests', secretAccessKey: 'a secret of the tests' };
  const folder = await mkdtemp(join(tmpdir(), 'unified-s3-'));
  const path = join(folder, 'files');
  await mkdir(path);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const given = ['--access', access.accessKeyId, '--secret', access.secretAccessKey, '--port', `127.0.0.1:${port}`];
  const server = await startServer({
    ...{ name: 'The bucket', command: GATEWAY, arguments: [...given, '--quiet', 'posix', '--nometa', folder] },
    ready: () =>
      fetch(url).then(
        () => url,
        () => undefined,
      ),
  });
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  };
  return { endpoint: new URL(url), bucket: 'files', ...access, path, stop };
}
