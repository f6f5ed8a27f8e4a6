import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { answered, api, ifMatch, tagOfShown } from '../../api/client';
import { useMay } from '../../api/session';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import type { Column } from '../../components/data-table';
import { FormDialog } from '../../components/dialog';
import { Failure } from '../../components/failure';
import { useWholeList, WholeTable } from '../../components/lists';
import { ManagedMark } from '../../components/managed';
import { Page, Section } from '../../components/page';
import { Time } from '../../components/values';
import { EndpointStatus } from './endpoint-status';
import { ModelParts } from './model-parts';
import { OwnProvider } from './own-provider';

type Endpoint = Schema<'ListPrivateEndpointsResponse'>['data'][number];
type Provider = Schema<'PrivateProvider'>;

const ENDPOINTS: readonly Column<Endpoint>[] = [
  {
    name: 'Model',
    cell: ({ id, model_name: name, model_permaslug: slug }) => (
      <>
        <Link href={`/models/own/${id}`}>{name ?? slug}</Link>
        <ManagedMark section="private_endpoints" id={id} />
        <code className="label">{slug}</code>
      </>
    ),
  },
  { name: 'Provider', cell: ({ provider_name: name }) => name },
  { name: 'Status', cell: ({ status }) => <EndpointStatus status={status} /> },
  { name: 'Added', cell: ({ created_at: at }) => <Time at={at} /> },
];

/** What is asked of the person: another provider, one to change, or whether one is to go. */
type Asked = { readonly is: 'new' } | { readonly is: 'change' | 'delete'; readonly provider: Provider };

/** The organization's own providers, and the models that they serve. */
export function OwnModelsPage(): ReactNode {
  const may = useMay();
  const [, navigate] = useLocation();
  const [asked, setAsked] = useState<Asked>();
  const endpoints = useWholeList(['private-endpoints'], (page, signal) =>
    answered(api.GET('/api/v1/private-endpoints', { params: { query: page }, signal })),
  );
  const providers = useWholeList(['private-providers'], (page, signal) =>
    answered(api.GET('/api/v1/private-providers', { params: { query: page }, signal })),
  );
  const isChanger = may('catalog_write');
  const close = (): void => setAsked(undefined);
  return (
    <Page
      title="Models of your own"
      actions={
        isChanger && (
          <button type="button" className="primary" onClick={() => navigate('/models/own/new')}>
            Add a model
          </button>
        )
      }
    >
      <ModelParts />
      <p className="quiet">
        Servers of models that only your organization uses. Add a provider, give{' '}
        <Link href="/providers/keys/new">its key</Link>, then add the models that it serves, and check and activate
        each.
      </p>
      <Failure error={endpoints.error ?? providers.error} />
      <WholeTable
        caption="Models of your own"
        columns={ENDPOINTS}
        list={endpoints}
        keyOf={({ id }) => id}
        empty={
          providers.data?.length === 0
            ? 'There are no models of your own yet. Begin with a provider, below.'
            : 'There are no models of your own yet. Add one that your provider serves.'
        }
      />
      <Section
        title="Providers"
        actions={
          isChanger && (
            <button type="button" onClick={() => setAsked({ is: 'new' })}>
              Add a provider
            </button>
          )
        }
      >
        <WholeTable
          caption="Providers of your own"
          columns={providerColumns(isChanger ? setAsked : undefined)}
          list={providers}
          keyOf={({ slug }) => slug}
          empty="There are no providers of your own yet. Add one: a name, and the address of its server."
        />
      </Section>
      {asked?.is === 'new' && <OwnProvider onClose={close} />}
      {asked?.is === 'change' && <OwnProvider shown={asked.provider} onClose={close} />}
      {asked?.is === 'delete' && <DeleteProvider shown={asked.provider} onClose={close} />}
    </Page>
  );
}

function providerColumns(onAsked: ((asked: Asked) => void) | undefined): readonly Column<Provider>[] {
  const columns: readonly Column<Provider>[] = [
    {
      name: 'Provider',
      cell: ({ slug, display_name: name }) => (
        <>
          {name}
          <ManagedMark section="private_providers" id={slug} />
          <code className="label">{slug}</code>
        </>
      ),
    },
    { name: 'Address', cell: ({ base_url: url }) => url ?? <span className="quiet">that of each model</span> },
  ];
  if (onAsked === undefined) return columns;
  return [
    ...columns,
    {
      name: 'Actions',
      cell: (provider) => (
        <span className="actions">
          <Link href={`/providers/keys/new?provider=${provider.slug}`} aria-label={`Give a key for ${provider.slug}`}>
            Give a key
          </Link>
          <button
            type="button"
            aria-label={`Change ${provider.slug}`}
            onClick={() => onAsked({ is: 'change', provider })}
          >
            Change
          </button>
          <button
            type="button"
            aria-label={`Delete ${provider.slug}`}
            onClick={() => onAsked({ is: 'delete', provider })}
          >
            Delete
          </button>
        </span>
      ),
    },
  ];
}

/** Asks whether a provider is to go. */
function DeleteProvider({ shown, onClose }: { readonly shown: Provider; readonly onClose: () => void }): ReactNode {
  const { slug, display_name: name, base_url: url } = shown;
  const remove = useChange({
    run: async () => {
      const read = api.GET('/api/v1/private-providers/{slug}', { params: { path: { slug } } });
      const header = ifMatch(await tagOfShown(read, (now) => now.base_url === url && now.display_name === name));
      return answered(api.DELETE('/api/v1/private-providers/{slug}', { params: { path: { slug }, header } }));
    },
    invalidates: ['private-providers'],
    says: `${name} was deleted.`,
    then: onClose,
  });
  return (
    <FormDialog title={`Delete ${name}?`} submit="Delete the provider" isDangerous change={remove} onClose={onClose}>
      <p>
        It is deleted only if no model and no key of your own names it. Guardrails that name it keep its slug, and
        records stay.
      </p>
    </FormDialog>
  );
}
