/** The path of an address under which clients find the server: `/erp` of `https://gate.example/erp/`, or nothing. */
export function publicPath(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/+$/, '');
}
