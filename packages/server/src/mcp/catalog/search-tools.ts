import { summaryOf } from './describe-tool.ts';
import type { AnyTool } from './tools.ts';

/** Words that many tools share, so they do not distinguish tools. */
const COMMON: ReadonlySet<string> = new Set(['a', 'an', 'the', 'of', 'to', 'for', 'with', 'and', 'or', 'by', 'in']);

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

function scoreOf(tool: AnyTool, words: readonly string[]): number {
  const inName = tool.name.split('_').map(stem);
  const inSummary = wordsOf(summaryOf(tool));
  const scores = words.map((word) => {
    if (inName.includes(word)) return 4;
    if (inSummary.includes(word)) return 2;
    return inName.some((each) => each.startsWith(word) || word.startsWith(each)) ? 1 : 0;
  });
  // A tool whose name has fewer other words is a better match.
  return scores.reduce<number>((sum, score) => sum + score, 0) - inName.length / 100;
}

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.filter((word) => !COMMON.has(word)).map(stem);
}

/** Reduces singular and plural forms to the same word. */
function stem(word: string): string {
  return word.replace(/ies$/, 'y').replace(/s$/, '');
}
