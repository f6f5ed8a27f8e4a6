import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useLocation, useParams, useSearchParams } from 'wouter';
import { answered, api, ifMatch, type Tagged, tagged } from '../../api/client';
import { useNames } from '../../api/names';
import { useMay } from '../../api/session';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import { Facts } from '../../components/facts';
import { Failure } from '../../components/failure';
import { useKeptForm } from '../../components/kept-form';
import { Page } from '../../components/page';
import { ManagedNote } from '../../components/managed';
import { PageForm } from '../../components/page-form';
import { Time } from '../../components/values';
import { draftOf, NEW_KEY, toRequest } from './own-key-draft';
import { OwnKeyFields } from './own-key-fields';
import { titleOf } from './own-keys';

const CRUMBS = [
  { label: 'Providers', to: '/providers' },
  { label: 'Own keys', to: '/providers/keys' },
];

/** A new key for a provider. */
export function NewOwnKeyPage(): ReactNode {
  const [, navigate] = useLocation();
  const provider = useSearchParams()[0].get('provider') ?? '';
  const { draft, change, forget } = useKeptForm(`new own key ${provider}`, () => ({ ...NEW_KEY, provider }));
  const [secret, setSecret] = useState('');
  const create = useChange({
    run: () => {
      const { workspace } = draft;
      const { key = '', ...settings } = toRequest(draft, secret);
      const body = {
        provider: draft.provider.trim(),
        key,
        ...(workspace !== '' && { workspace_id: workspace }),
        ...settings,
      };
      return answered(api.POST('/api/v1/byok', { body }));
    },
    invalidates: ['byok', 'providers'],
    says: ({ data }) => `${titleOf(data)} was added.`,
    then: ({ data }) => {
      forget();
      navigate(`/providers/keys${draft.workspace === '' ? '' : `?workspace=${data.workspace_id}`}`);
    },
  });
  return (
    <Page title="New key of your own" crumbs={CRUMBS}>
      <PageForm submit="Add the key" change={create}>
        <OwnKeyFields draft={draft} onChange={change} secret={secret} onSecret={setSecret} error={create.error} isNew />
      </PageForm>
    </Page>
  );
}

/** One key: what it has, and its form. */
export function OwnKeyPage(): ReactNode {
  const { id } = useParams<{ id: string }>();
  const names = useNames();
  const found = useQuery({
    queryKey: ['byok', id],
    queryFn: ({ signal }) => tagged(api.GET('/api/v1/byok/{id}', { params: { path: { id } }, signal })),
  });
  const key = found.data?.data;
  return (
    <Page title={key === undefined ? 'Own key' : titleOf(key)} crumbs={CRUMBS}>
      <Failure error={found.error} />
      {key !== undefined && (
        <>
          <ManagedNote section="provider_keys" id={id} />
          <Facts
            facts={[
              ['Provider', key.provider],
              ['Workspace', names.workspace(key.workspace_id)],
              ['Key', <code>{key.label}</code>],
              ['Added', <Time at={key.created_at} />],
            ]}
          />
          <EditOwnKey key={found.data!.tag} known={found.data!} />
        </>
      )}
    </Page>
  );
}

function EditOwnKey({ known: { data: key, tag } }: { readonly known: Tagged<Schema<'BYOKKey'>> }): ReactNode {
  const { id } = key;
  const may = useMay();
  const { draft, change, forget } = useKeptForm(`own key ${id} ${tag}`, () => draftOf(key));
  const [secret, setSecret] = useState('');
  const save = useChange({
    run: () =>
      answered(
        api.PATCH('/api/v1/byok/{id}', {
          params: { path: { id }, header: ifMatch(tag) },
          body: toRequest(draft, secret, key),
        }),
      ),
    invalidates: ['byok'],
    says: 'The key was saved.',
    then: () => {
      forget();
      setSecret('');
    },
  });
  return (
    <PageForm submit={may('byok_write') ? 'Save' : undefined} change={save}>
      <OwnKeyFields
        draft={draft}
        onChange={change}
        secret={secret}
        onSecret={setSecret}
        error={save.error}
        isNew={false}
      />
    </PageForm>
  );
}
