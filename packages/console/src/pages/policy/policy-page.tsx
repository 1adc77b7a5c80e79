import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Empty } from '../../parts/empty.tsx';
import { SelectField } from '../../parts/field.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { useManagement, useSession } from '../../session/session-context.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { customersQuery } from '../connections/platform-queries.ts';
import { GuardrailCard } from './guardrail-card.tsx';
import { RuleCard } from './rule-card.tsx';

/** What the agents of a customer may do: rules, and limits for all calls. */
export function PolicyPage() {
  const { policy } = useTexts();
  const { applicationId } = useSession();
  const [chosen, setChosen] = useState<string>();
  const { data: customers, error, refetch } = useQuery(customersQuery(useManagement(), applicationId));
  const customer = chosen ?? customers?.[0]?.id;
  return (
    <Page title={policy.title} lead={policy.lead}>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {!customers && !error && <Loading />}
      {customers?.length === 0 && <Empty title={policy.noCustomers}>{policy.noCustomersLead}</Empty>}
      {customers && customer && (
        <>
          <SelectField
            narrow
            label={policy.customer}
            value={customer}
            onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          >
            {customers.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
          <RuleCard key={`rules ${customer}`} endCustomerId={customer} />
          <GuardrailCard key={`limits ${customer}`} endCustomerId={customer} />
        </>
      )}
    </Page>
  );
}
