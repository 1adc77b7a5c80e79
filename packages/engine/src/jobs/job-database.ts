/**
 * The address of the database for a runner of jobs, whose commits do not wait for the disk. If the server of the database
 * crashes, it may forget that a job was taken or that it has ended: then the job runs again, as after any crash.
 */
export function jobDatabase(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) return databaseUrl;
  const url = new URL(databaseUrl);
  const options = [url.searchParams.get('options'), '-c synchronous_commit=off'];
  url.searchParams.set('options', options.filter(Boolean).join(' '));
  return url.href;
}
