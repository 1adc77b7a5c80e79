/** Bytes by owner, and in total. */
export class Tally {
  all = 0;
  readonly #byOwner = new Map<string, number>();

  of(owner: string): number {
    return this.#byOwner.get(owner) ?? 0;
  }

  /** Adds or subtracts bytes. */
  add(owner: string, bytes: number): void {
    if (bytes === 0) return;
    const now = this.of(owner) + bytes;
    this.all += bytes;
    if (now === 0) this.#byOwner.delete(owner);
    else this.#byOwner.set(owner, now);
  }

  /** Whether this number of bytes fits within both limits. It always does if no other bytes are in use. */
  hasRoom(owner: string, bytes: number, perOwner: number, inAll: number): boolean {
    const own = this.of(owner);
    return (own === 0 || own + bytes <= perOwner) && (this.all === 0 || this.all + bytes <= inAll);
  }

  /** The owner with the most bytes. */
  greatest(): { readonly owner: string; readonly bytes: number } {
    let greatest = { owner: '', bytes: 0 };
    for (const [owner, bytes] of this.#byOwner) if (bytes > greatest.bytes) greatest = { owner, bytes };
    return greatest;
  }
}
