/** The address of a one-time link. Its token is in the fragment, which browsers send to no server. */
export function signInAddress(publicUrl: string, token: string): string {
  return `${publicUrl}/console/first-sign-in#${token}`;
}
