/**
 * A value as a segment of an address.
 *
 * @throws {TypeError} For no value, an empty text, `.` and `..`, with which the address would be that of another resource.
 */
export function pathSegment(value: string | number | boolean): string {
  if (/^\.{0,2}$/.test(`${value ?? ''}`)) throw new TypeError(`"${value}" is not an id.`);
  return encodeURIComponent(value);
}
