/** Bytes by owner, and of all. */
export class Tally {
  all = 0;
  readonly #byOwner = new Map<string, number>();

  of(owner: string): number {
    return this.#byOwner.get(owner) ?? 0;
  }

  /** Adds bytes, or takes them away. */
  add(owner: string, bytes: number): void {
    if (bytes === 0) return;
    const now = this.of(owner) + bytes;
    this.all += bytes;
    if (now === 0) this.#byOwner.delete(owner);
    else this.#byOwner.set(owner, now);
  }

  /** Whether so many bytes more are within both limits. What is alone always is. */
  hasRoom(owner: string, bytes: number, perOwner: number, inAll: number): boolean {
    const own = this.of(owner);
    return (own === 0 || own + bytes <= perOwner) && (this.all === 0 || this.all + bytes <= inAll);
  }

  /** The owner that has most. */
  greatest(): { readonly owner: string; readonly bytes: number } {
    let greatest = { owner: '', bytes: 0 };
    for (const [owner, bytes] of this.#byOwner) if (bytes > greatest.bytes) greatest = { owner, bytes };
    return greatest;
  }
}
