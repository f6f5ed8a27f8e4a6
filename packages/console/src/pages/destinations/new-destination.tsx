import { type ReactNode, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { answered, api } from '../../api/client';
import { useChange } from '../../api/use-change';
import { useKeptForm } from '../../components/kept-form';
import { Page } from '../../components/page';
import { PageForm } from '../../components/page-form';
import { Failure } from '../../components/failure';
import { DeliveryTest, testSentence } from './delivery-test';
import { NEW_DESTINATION, newConfig, type Secrets, toRequest } from './destination-draft';
import { DestinationFields } from './destination-fields';

/** A new destination, which can be tried before it is there. Then its page is shown. */
export function NewDestinationPage(): ReactNode {
  const [, navigate] = useLocation();
  const workspace = useSearchParams()[0].get('workspace') ?? '';
  const { draft, change, forget } = useKeptForm(`new destination ${workspace}`, () => ({
    ...NEW_DESTINATION,
    workspace,
  }));
  const [secrets, setSecrets] = useState<Secrets>({});
  const test = useChange({
    run: () => {
      create.reset();
      const body = { type: draft.type, config: newConfig(draft, secrets) };
      return answered(api.POST('/api/v1/observability/destinations/test', { body }));
    },
    invalidates: [],
    says: ({ data }) => testSentence(data),
  });
  const create = useChange({
    run: () => {
      test.reset();
      return answered(api.POST('/api/v1/observability/destinations', { body: toRequest(draft, secrets) }));
    },
    invalidates: ['destinations'],
    says: ({ data }) => `${data.name} was created.`,
    then: ({ data }) => {
      forget();
      navigate(`/destinations/${data.id}`, { replace: true });
    },
  });
  return (
    <Page title="New destination" crumbs={[{ label: 'Destinations', to: '/destinations' }]}>
      <PageForm submit="Create the destination" change={create}>
        <DestinationFields
          draft={draft}
          onChange={change}
          secrets={secrets}
          onSecrets={setSecrets}
          error={create.error ?? test.error}
        />
        <div className="actions">
          <button
            type="button"
            aria-disabled={test.isPending}
            onClick={() => {
              if (!test.isPending) test.mutate();
            }}
          >
            {test.isPending ? 'Sending …' : 'Send a test first'}
          </button>
        </div>
        <Failure error={test.error} />
        {test.data !== undefined && <DeliveryTest result={test.data.data} />}
      </PageForm>
    </Page>
  );
}
