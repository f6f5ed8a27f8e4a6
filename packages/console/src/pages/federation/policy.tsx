import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { addressOf, answered, api, ifMatch, type Tagged, tagged } from '../../api/client';
import { useMay, useSession } from '../../api/session';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import { CopyButton } from '../../components/copy-button';
import { FormDialog } from '../../components/dialog';
import { Facts } from '../../components/facts';
import { Failure } from '../../components/failure';
import { useKeptForm } from '../../components/kept-form';
import { ManagedNote } from '../../components/managed';
import { Page, Section } from '../../components/page';
import { PageForm } from '../../components/page-form';
import { Time } from '../../components/values';
import { ActingKey } from './acting-key';
import { PolicyState } from './federation';
import { useIssuers } from './issuers';
import { draftOf, newDraft, toRequest } from './policy-draft';
import { PolicyFields } from './policy-fields';

type Policy = Schema<'FederationPolicy'>;

const CRUMBS = [
  { label: 'Settings', to: '/settings' },
  { label: 'Workload federation', to: '/settings/federation' },
];

/** What shows policies, and is asked anew when one has changed. */
const SHOWN = ['federation-policies', 'federation-policy'];

/** A new policy. Then its page is shown, with how a workload gets its token. */
export function NewPolicyPage(): ReactNode {
  const [, navigate] = useLocation();
  const issuers = useIssuers();
  const { draft, change, forget } = useKeptForm('new federation policy', () => newDraft(new URL(addressOf('')).origin));
  const create = useChange({
    run: () => {
      const body = { ...toRequest(draft), issuer_id: draft.issuer };
      return answered(api.POST('/api/v1/federation/policies', { body }));
    },
    invalidates: SHOWN,
    says: ({ data }) => `${data.name} was added.`,
    then: ({ data }) => {
      forget();
      navigate(`/settings/federation/${data.id}`, { replace: true });
    },
  });
  return (
    <Page title="New policy" crumbs={CRUMBS}>
      <Failure error={issuers.error} />
      {issuers.data?.length === 0 && <p>There are no issuers yet. Add the one that signs the tokens first.</p>}
      <PageForm submit="Add the policy" change={create}>
        <PolicyFields draft={draft} onChange={change} error={create.error} isNew />
      </PageForm>
    </Page>
  );
}

/** One policy: how a workload gets its token, and the form. */
export function PolicyPage(): ReactNode {
  const { id } = useParams<{ id: string }>();
  const [, navigate] = useLocation();
  const may = useMay();
  const issuers = useIssuers().data;
  const [isDeleting, setDeleting] = useState(false);
  const found = useQuery({
    queryKey: ['federation-policy', id],
    queryFn: ({ signal }) => tagged(api.GET('/api/v1/federation/policies/{id}', { params: { path: { id } }, signal })),
  });
  const policy = found.data?.data;
  return (
    <Page
      title={policy?.name ?? 'Policy'}
      crumbs={CRUMBS}
      actions={
        policy !== undefined &&
        may('federation_write') && (
          <button type="button" className="danger" onClick={() => setDeleting(true)}>
            Delete
          </button>
        )
      }
    >
      <Failure error={found.error} />
      {policy !== undefined && (
        <>
          <ManagedNote section="federation_policies" id={id} />
          <Facts
            facts={[
              ['State', <PolicyState isEnabled={policy.enabled} />],
              ['Tokens of', issuers?.find((issuer) => issuer.id === policy.issuer_id)?.name ?? policy.issuer_id],
              ['Acts as', <ActingKey hash={policy.key_hash} />],
              ['Added', <Time at={policy.created_at} />],
              ['Changed', <Time at={policy.updated_at} />],
            ]}
          />
          <Exchange id={policy.id} />
          <Section title="Settings">
            <EditPolicy key={found.data!.tag} known={found.data!} />
          </Section>
          {isDeleting && (
            <DeletePolicy
              known={found.data!}
              onClose={() => setDeleting(false)}
              onDeleted={() => navigate('/settings/federation')}
            />
          )}
        </>
      )}
    </Page>
  );
}

/** How a workload exchanges its token by a policy. */
function Exchange({ id }: { readonly id: string }): ReactNode {
  const session = useSession();
  if (session === undefined) return null;
  const text = [
    `curl -sSf ${addressOf(`${session.base_path.slice(1)}/oauth/token`)} \\`,
    '  --data-urlencode grant_type=urn:ietf:params:oauth:grant-type:token-exchange \\',
    '  --data-urlencode subject_token_type=urn:ietf:params:oauth:token-type:jwt \\',
    `  --data-urlencode federation_policy_id=${id} \\`,
    '  --data-urlencode "subject_token=$SUBJECT_TOKEN"',
  ].join('\n');
  return (
    <Section title="How a workload gets its token" actions={<CopyButton text={text} label="Copy the command" />}>
      <p>
        It sends its own token, here in the variable <code>SUBJECT_TOKEN</code>, and uses the <code>access_token</code>{' '}
        of the answer as an API key.
      </p>
      <pre tabIndex={0} aria-label="The exchange with curl">
        <code>{text}</code>
      </pre>
    </Section>
  );
}

function EditPolicy({ known: { data: policy, tag } }: { readonly known: Tagged<Policy> }): ReactNode {
  const { id } = policy;
  const may = useMay();
  const { draft, change, forget } = useKeptForm(`federation policy ${id} ${tag}`, () => draftOf(policy));
  const save = useChange({
    run: () => {
      const params = { path: { id }, header: ifMatch(tag) };
      return answered(api.PATCH('/api/v1/federation/policies/{id}', { params, body: toRequest(draft) }));
    },
    invalidates: SHOWN,
    says: 'The policy was saved.',
    then: forget,
  });
  return (
    <PageForm submit={may('federation_write') ? 'Save' : undefined} change={save}>
      <PolicyFields draft={draft} onChange={change} error={save.error} isNew={false} />
    </PageForm>
  );
}

interface DeletePolicyProps {
  /** The policy as it was shown when the dialog was opened. */
  readonly known: Tagged<Policy>;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

function DeletePolicy({ known, onClose, onDeleted }: DeletePolicyProps): ReactNode {
  const [{ data: policy, tag }] = useState(known);
  const remove = useChange({
    run: () => {
      const params = { path: { id: policy.id }, header: ifMatch(tag) };
      return answered(api.DELETE('/api/v1/federation/policies/{id}', { params }));
    },
    invalidates: ['federation-policies'],
    says: `${policy.name} was deleted.`,
    then: onDeleted,
  });
  return (
    <FormDialog
      title={`Delete ${policy.name}?`}
      submit="Delete the policy"
      isDangerous
      change={remove}
      onClose={onClose}
    >
      <p>
        Workloads get no more tokens by it. Those that they have stay valid for their minutes: disable the key to end
        them at once.
      </p>
    </FormDialog>
  );
}
