import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../api/called.ts';
import type { Shape } from '../../api/document-schemas.ts';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { useManagement } from '../../session/session-context.ts';
import { useLanguage, useTexts } from '../../texts/use-texts.ts';

/** Limits that apply to all calls of the agents of a customer. */
export function GuardrailCard({ endCustomerId }: { readonly endCustomerId: string }) {
  const { policy, general } = useTexts();
  const { language } = useLanguage();
  const management = useManagement();
  const { data, error, refetch } = useQuery({
    queryKey: ['customers', endCustomerId, 'guardrails'],
    queryFn: () =>
      dataOf<Shape<'Guardrails'>>(
        management.GET('/end-customers/{endCustomerId}/guardrails', { params: { path: { endCustomerId } } }),
      ),
  });
  return (
    <Card title={policy.guardrails}>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {!data && !error && <Loading lines={2} />}
      {data && (
        <Facts
          facts={[
            [policy.callsPerHour, data.callsPerHour?.toLocaleString(language) ?? policy.unlimited],
            [policy.confirmation, data.requiresConfirmation ? general.yes : general.no],
            [policy.masked, data.maskedFields.join(', ') || general.none],
          ]}
        />
      )}
    </Card>
  );
}
