/**
 * The name with which the path of a value begins: `lines` of `lines[0].price` and `lines/0/price`, `vendor` of `vendor.code` and
 * of the condition `vendor.code:in`.
 */
export function firstField(path: string): string {
  return path.split(/[./:[]/, 1)[0] ?? '';
}
