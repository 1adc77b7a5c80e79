import { summaryOf } from './describe-tool.ts';
import type { AnyTool } from './tools.ts';

/** Words that many tools share, so they do not distinguish tools. */
const COMMON: ReadonlySet<string> = new Set(['a', 'an', 'the', 'of', 'to', 'for', 'with', 'and', 'or', 'by', 'in']);

/** Other words for those in the names of tools. */
const SYNONYMS: Readonly<Record<string, string>> = {
  ...{ new: 'create', add: 'create', change: 'update', edit: 'update', remove: 'delete' },
  ...{ supplier: 'vendor', client: 'customer', bill: 'invoice', article: 'item', product: 'item', material: 'item' },
};

/** The tools whose names and summaries contain the words, best first; all of them for a query without words. */
export function searchTools(tools: readonly AnyTool[], query: string): readonly AnyTool[] {
  const words = wordsOf(query);
  if (words.length === 0) return tools;
  return tools
    .map((tool) => ({ tool, score: scoreOf(tool, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || (one.tool.name < other.tool.name ? -1 : 1))
    .map(({ tool }) => tool);
}

/** Of tools that match equally, those that only read come first: lists, then single records. */
function preference({ name }: AnyTool): number {
  if (name.startsWith('list_')) return 0.5;
  return name.startsWith('get_') ? 0.25 : 0;
}

function scoreOf(tool: AnyTool, words: readonly string[]): number {
  const inName = tool.name.split('_').map(stem);
  const inSummary = wordsOf(summaryOf(tool));
  const scores = words.map((word) => {
    if (inName.includes(word)) return 4;
    if (inSummary.includes(word)) return 2;
    return inName.some((each) => each.startsWith(word) || word.startsWith(each)) ? 1 : 0;
  });
  // A tool whose name has fewer other words is a better match.
  const sum = scores.reduce<number>((all, score) => all + score, 0);
  return sum === 0 ? 0 : sum + preference(tool) - inName.length / 10;
}

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words
    .filter((word) => !COMMON.has(word))
    .map(stem)
    .map((word) => (Object.hasOwn(SYNONYMS, word) ? (SYNONYMS[word] ?? word) : word));
}

/** Reduces singular and plural forms to the same word. */
function stem(word: string): string {
  return word.replace(/ies$/, 'y').replace(/s$/, '');
}
