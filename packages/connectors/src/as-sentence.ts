/** A message as a sentence: those of systems and drivers may lack the period, or are cut off. */
export function asSentence(words: string): string {
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}
