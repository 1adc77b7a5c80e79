import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/** For 127.0.0.1; used only here. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgHM/SVxtyCHxzhYw1
cUuXmT9Zn5pGWxwGr+ZI2rfJOD2hRANCAAQJgHWaL/1r9BV//6rrAOfgROXKcHmp
f/EzYF3iZq/6EeCZGmCUyvlbB6qyEK1qDtLX5HeQ/xf1ChumPB4TCCPf
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBkTCCATagAwIBAgIUO9QjKaGcP4/He6jmrdoRYnjkZV0wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyNjAzMTkwMFoYDzIxMjYxMTAy
MDMxOTAwWjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQJgHWaL/1r9BV//6rrAOfgROXKcHmpf/EzYF3iZq/6EeCZGmCUyvlb
B6qyEK1qDtLX5HeQ/xf1ChumPB4TCCPfo2QwYjAdBgNVHQ4EFgQU3aIKd8Hgf7UZ
44tFSYqY70zDdBQwHwYDVR0jBBgwFoAU3aIKd8Hgf7UZ44tFSYqY70zDdBQwDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0kAMEYC
IQDyAMafHmvccgxQOGVppsuOn7LCNanEwP/ghTtbSr9niwIhAL0OY/AWt41HzMOC
39kXGP9s4sqSsAWDZEPoVXIoDo2E
-----END CERTIFICATE-----`;

/** Starts a server for https on this machine, whose certificate this process trusts from now on. */
export async function startTrustedServer(
  listener: RequestListener,
): Promise<{ readonly url: string; readonly server: Server }> {
  setDefaultCACertificates([...getCACertificates('default'), CERTIFICATE]);
  const server = createServer({ key: KEY, cert: CERTIFICATE }, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
