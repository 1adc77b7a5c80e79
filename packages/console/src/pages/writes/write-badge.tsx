import { Badge, type Tone } from '../../parts/badge.tsx';
import { useTexts } from '../../texts/use-texts.ts';

const TONES: Readonly<Record<string, Tone>> = {
  planned: 'plain',
  pending: 'accent',
  running: 'accent',
  unknown: 'warn',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'plain',
  skipped: 'plain',
};

/** The state of a write or of one of its steps. */
export function WriteBadge({ status }: { readonly status: string }) {
  const { writes } = useTexts();
  const names: Readonly<Record<string, string>> = writes.states;
  return <Badge tone={TONES[status] ?? 'plain'}>{names[status] ?? status}</Badge>;
}
