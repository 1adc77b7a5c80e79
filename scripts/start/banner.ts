/** What is printed when the server is ready: the addresses, and a line to try. */
export function banner(publicUrl: string, token: string | undefined): string {
  const addresses = `
  API         ${publicUrl}/v4
  Reference   ${publicUrl}/docs
  Document    ${publicUrl}/openapi.json
`;
  if (token === undefined) return `${addresses}\nConnect a system next: npm run connect -- --help\n`;
  return `${addresses}
Try it:

  curl -sS -H 'Authorization: Bearer ${token}' '${publicUrl}/v4/vendors?per_page=3'

The token is in sandbox.json of the data directory as well. Ctrl+C stops the server.
`;
}
