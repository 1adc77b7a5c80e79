import { CUT } from './cut-text.ts';

/** A part of a text: the positions of its first character, and of the one after its last. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

const ROOT = 0;
const CUT_CODE = CUT.charCodeAt(0);

/**
 * Finds many texts in another one (Aho–Corasick). Reads each character once, whatever the texts are: both they and the text that is
 * searched may come from a system that wants to keep this process busy. The texts are the paths of a tree, whose nodes are numbers.
 */
export class TextSearch {
  /** Children of the root, by their characters. 0: none. */
  readonly #roots: Int32Array;
  /** For each other node: its character, its first child, the next child of its parent. 0: none. */
  readonly #codes: Uint16Array;
  readonly #children: Int32Array;
  readonly #siblings: Int32Array;
  /** For each node: the node with the longest end of its path that is itself a path. */
  readonly #ends: Int32Array;
  /** For each node: the length of its path. */
  readonly #depths: Int32Array;
  /** For each node: the length of the longest searched text with which its path ends; 0 if there is none. */
  readonly #found: Int32Array;
  readonly #shortestCut: number;
  #size = 1;

  /** `shortestCut` is the minimum length of a text that is cut off and found nevertheless. */
  constructor(texts: readonly string[], shortestCut: number) {
    const size = texts.reduce((sum, { length }) => sum + length, 1);
    this.#roots = new Int32Array(texts.reduce((most, text) => Math.max(most, text.charCodeAt(0)), 0) + 1);
    this.#codes = new Uint16Array(size);
    const zeros = () => new Int32Array(size);
    this.#children = zeros();
    this.#siblings = zeros();
    this.#ends = zeros();
    this.#depths = zeros();
    this.#found = zeros();
    this.#shortestCut = shortestCut;
    for (const text of texts) this.#add(text);
    this.#connect();
  }

  /** The parts of a text that are searched texts, in their order. Those that overlap are one part. */
  partsOf(text: string): Part[] {
    const parts: Part[] = [];
    let node = ROOT;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      const depth = this.#depths[node] ?? 0;
      if (code === CUT_CODE && depth >= this.#shortestCut) addPart(parts, { start: at - depth, end: at });
      node = this.#next(node, code);
      const length = this.#found[node] ?? 0;
      if (length > 0) addPart(parts, { start: at + 1 - length, end: at + 1 });
    }
    return parts;
  }

  #add(text: string): void {
    let node = ROOT;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      node = this.#child(node, code) || this.#addChild(node, code);
    }
    this.#found[node] = text.length;
  }

  #child(node: number, code: number): number {
    if (node === ROOT) return this.#roots[code] ?? 0;
    let child = this.#children[node] ?? 0;
    while (child !== 0 && this.#codes[child] !== code) child = this.#siblings[child] ?? 0;
    return child;
  }

  #addChild(parent: number, code: number): number {
    const node = this.#size;
    this.#size += 1;
    this.#codes[node] = code;
    this.#depths[node] = (this.#depths[parent] ?? 0) + 1;
    if (parent === ROOT) {
      this.#roots[code] = node;
    } else {
      this.#siblings[node] = this.#children[parent] ?? 0;
      this.#children[parent] = node;
    }
    return node;
  }

  /** The node with the longest end of the path of a node and a character. */
  #next(from: number, code: number): number {
    let node = from;
    for (;;) {
      const child = this.#child(node, code);
      if (child !== 0 || node === ROOT) return child;
      node = this.#ends[node] ?? ROOT;
    }
  }

  /** Sets the ends of all nodes, shorter paths first. */
  #connect(): void {
    const queue = [...this.#roots.filter((node) => node !== 0)];
    for (let at = 0; at < queue.length; at += 1) {
      const node = queue[at] ?? ROOT;
      for (let child = this.#children[node] ?? 0; child !== 0; child = this.#siblings[child] ?? 0) {
        const end = this.#next(this.#ends[node] ?? ROOT, this.#codes[child] ?? 0);
        this.#ends[child] = end;
        this.#found[child] ||= this.#found[end] ?? 0;
        queue.push(child);
      }
    }
  }
}

/** Adds a part whose end is not before that of the last one. */
function addPart(parts: Part[], { start, end }: Part): void {
  let first = start;
  for (let last = parts.at(-1); last && last.end > first; last = parts.at(-1)) {
    first = Math.min(first, last.start);
    parts.pop();
  }
  parts.push({ start: first, end });
}
