import { Badge, type Tone } from '../../parts/badge.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import type { Connection } from './connection-queries.ts';

const TONES: Readonly<Record<string, Tone>> = {
  ok: 'good',
  needs_reauth: 'bad',
  unreachable: 'bad',
  failing: 'bad',
};

/** The health of a connection, or that it is paused. */
export function HealthBadge({ status, health }: Pick<Connection, 'status' | 'health'>) {
  const { connections } = useTexts();
  const names: Readonly<Record<string, string>> = connections.healths;
  if (status !== 'active') return <Badge>{connections.healths.inactive}</Badge>;
  return <Badge tone={TONES[health.status] ?? 'warn'}>{names[health.status] ?? health.status}</Badge>;
}
