import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { answered, api, ifMatch, type Tagged, tagged } from '../../api/client';
import { useMay } from '../../api/session';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import { FormDialog } from '../../components/dialog';
import { Facts } from '../../components/facts';
import { Failure } from '../../components/failure';
import { useKeptForm } from '../../components/kept-form';
import { Page, Section } from '../../components/page';
import { ManagedNote } from '../../components/managed';
import { PageForm } from '../../components/page-form';
import { Time } from '../../components/values';
import { EndpointCheck } from './endpoint-check';
import { draftOf, EndpointFields, toRequest } from './endpoint-form';
import { EndpointStatus } from './endpoint-status';

type Endpoint = Schema<'PrivateEndpoint'>;

const CRUMBS = [
  { label: 'Models', to: '/models' },
  { label: 'Of your own', to: '/models/own' },
];

/** What shows endpoints, and is asked anew when one has changed. */
const SHOWN = ['private-endpoints', 'private-endpoint'];

/** A new model of the organization's own, as a draft. Then its page is shown, where it is checked and activated. */
export function NewEndpointPage(): ReactNode {
  const [, navigate] = useLocation();
  const { draft, change, forget } = useKeptForm('new own model', () => draftOf());
  const create = useChange({
    run: () => {
      const { model, provider, baseUrl } = draft;
      const address = baseUrl.trim() === '' ? {} : { base_url: baseUrl.trim() };
      const body = { model_permaslug: model.trim(), provider_slug: provider.trim(), ...address, ...toRequest(draft) };
      return answered(api.POST('/api/v1/private-endpoints', { body }));
    },
    invalidates: SHOWN,
    says: 'The model was added as a draft. Check and activate it, so that it gets requests.',
    then: ({ data }) => {
      forget();
      navigate(`/models/own/${data.id}`, { replace: true });
    },
  });
  return (
    <Page title="New model of your own" crumbs={CRUMBS}>
      <PageForm submit="Add the model" change={create}>
        <EndpointFields draft={draft} onChange={change} error={create.error} isNew />
      </PageForm>
    </Page>
  );
}

/** One model of the organization's own: its status and checks, and its form. */
export function EndpointPage(): ReactNode {
  const { id } = useParams<{ id: string }>();
  const [, navigate] = useLocation();
  const may = useMay();
  const [isDeleting, setDeleting] = useState(false);
  const found = useQuery({
    queryKey: ['private-endpoint', id],
    queryFn: ({ signal }) => tagged(api.GET('/api/v1/private-endpoints/{id}', { params: { path: { id } }, signal })),
  });
  const endpoint = found.data?.data;
  const isChanger = may('catalog_write');
  return (
    <Page
      title={endpoint === undefined ? 'Model of your own' : titleOf(endpoint)}
      crumbs={CRUMBS}
      actions={
        endpoint !== undefined &&
        isChanger && (
          <button type="button" className="danger" onClick={() => setDeleting(true)}>
            Delete
          </button>
        )
      }
    >
      <Failure error={found.error} />
      {endpoint !== undefined && (
        <>
          <ManagedNote section="private_endpoints" id={id} />
          <Facts
            facts={[
              ['Status', <EndpointStatus status={endpoint.status} />],
              ['Model', <code>{endpoint.model_permaslug}</code>],
              ['Provider', <code>{endpoint.provider_slug}</code>],
              ['Added', <Time at={endpoint.created_at} />],
            ]}
          />
          {isChanger && <EndpointCheck key={id} endpoint={endpoint} />}
          <Section title="Settings">
            <EditEndpoint key={found.data!.tag} known={found.data!} />
          </Section>
          {isDeleting && (
            <DeleteEndpoint
              known={found.data!}
              onClose={() => setDeleting(false)}
              onDeleted={() => navigate('/models/own')}
            />
          )}
        </>
      )}
    </Page>
  );
}

function titleOf({ model_name: name, model_permaslug: slug, provider_name: provider }: Endpoint): string {
  return `${name ?? slug} at ${provider}`;
}

function EditEndpoint({ known: { data: endpoint, tag } }: { readonly known: Tagged<Endpoint> }): ReactNode {
  const { id } = endpoint;
  const may = useMay();
  const { draft, change, forget } = useKeptForm(`own model ${id} ${tag}`, () => draftOf(endpoint));
  const save = useChange({
    run: () => {
      const params = { path: { id }, header: ifMatch(tag) };
      // Without prices again where both were taken out.
      const body = { pricing: null, ...toRequest(draft), base_url: draft.baseUrl.trim() || null };
      return answered(api.PATCH('/api/v1/private-endpoints/{id}', { params, body }));
    },
    invalidates: SHOWN,
    says: 'The model was saved.',
    then: forget,
  });
  return (
    <PageForm submit={may('catalog_write') ? 'Save' : undefined} change={save}>
      <EndpointFields draft={draft} onChange={change} error={save.error} isNew={false} />
    </PageForm>
  );
}

interface DeleteEndpointProps {
  /** The endpoint as it was shown when the dialog was opened. */
  readonly known: Tagged<Endpoint>;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Asks whether an endpoint is to go. */
function DeleteEndpoint({ known, onClose, onDeleted }: DeleteEndpointProps): ReactNode {
  const [{ data: endpoint, tag }] = useState(known);
  const remove = useChange({
    run: () => {
      const params = { path: { id: endpoint.id }, header: ifMatch(tag) };
      return answered(api.DELETE('/api/v1/private-endpoints/{id}', { params }));
    },
    invalidates: ['private-endpoints', 'providers'],
    says: `${titleOf(endpoint)} was deleted.`,
    then: onDeleted,
  });
  return (
    <FormDialog
      title={`Delete ${titleOf(endpoint)}?`}
      submit="Delete the model"
      isDangerous
      change={remove}
      onClose={onClose}
    >
      <p>
        {endpoint.status === 'active'
          ? 'Requests that begin from then on do not get there; other endpoints of the model may answer them. '
          : 'It gets no requests now. '}
        Its provider, the key for it, and the records stay.
      </p>
    </FormDialog>
  );
}
