/** Splits items, in their order, into batches whose sizes add up to at most `most`. A larger item is a batch of its own. */
export function* batchesBySize<Item>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  most: number,
): Generator<readonly Item[], void, void> {
  let from = 0;
  let size = 0;
  for (const [index, item] of items.entries()) {
    const next = sizeOf(item);
    if (index > from && size + next > most) {
      yield items.slice(from, index);
      from = index;
      size = 0;
    }
    size += next;
  }
  if (from < items.length) yield items.slice(from);
}
