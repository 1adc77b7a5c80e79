const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether PostgreSQL reads a text as a UUID; it would refuse the statement otherwise. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
