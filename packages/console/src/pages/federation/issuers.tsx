import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answered, api, ifMatch, tagOfShown } from '../../api/client';
import { useMay } from '../../api/session';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import type { Column } from '../../components/data-table';
import { FormDialog } from '../../components/dialog';
import { Failure } from '../../components/failure';
import { useKeptForm } from '../../components/kept-form';
import { useWholeList, WholeTable } from '../../components/lists';
import { ManagedMark } from '../../components/managed';
import { Section } from '../../components/page';
import { Time } from '../../components/values';
import { draftOf, toRequest } from './issuer-draft';
import { IssuerFields, PLACES } from './issuer-fields';

type Issuer = Schema<'FederationIssuer'>;

/** The issuers of the organization. */
export function useIssuers(): UseQueryResult<readonly Issuer[]> {
  return useWholeList(['federation-issuers'], (page, signal) =>
    answered(api.GET('/api/v1/federation/issuers', { params: { query: page }, signal })),
  );
}

/** The tag of an issuer that the table has shown. @throws ApiError if it has been changed meanwhile */
function tagOfIssuer({ id, updated_at: state }: Issuer): Promise<string | null> {
  const read = api.GET('/api/v1/federation/issuers/{id}', { params: { path: { id } } });
  return tagOfShown(read, (now) => now.updated_at === state);
}

/** Who signs the tokens that workloads exchange. */
export function Issuers(): ReactNode {
  const isChanger = useMay()('federation_write');
  const [asked, setAsked] = useState<
    { readonly is: 'add' } | { readonly is: 'edit' | 'delete'; readonly issuer: Issuer }
  >();
  const issuers = useIssuers();
  const close = (): void => setAsked(undefined);
  const columns: readonly Column<Issuer>[] = [
    {
      name: 'Name',
      cell: ({ id, name }) => (
        <>
          {name}
          <ManagedMark section="federation_issuers" id={id} />
        </>
      ),
    },
    { name: 'Issuer', cell: ({ issuer }) => <code>{issuer}</code> },
    { name: 'Its keys', cell: ({ jwks }) => jwks.url ?? PLACES[jwks.type] },
    { name: 'Changed', cell: ({ updated_at: at }) => <Time at={at} /> },
    ...(isChanger
      ? [
          {
            name: 'Actions',
            cell: (issuer: Issuer) => (
              <span className="actions">
                <button
                  type="button"
                  aria-label={`Edit ${issuer.name}`}
                  onClick={() => setAsked({ is: 'edit', issuer })}
                >
                  Edit
                </button>
                <button
                  type="button"
                  aria-label={`Delete ${issuer.name}`}
                  onClick={() => setAsked({ is: 'delete', issuer })}
                >
                  Delete
                </button>
              </span>
            ),
          },
        ]
      : []),
  ];
  return (
    <Section
      title="Issuers"
      actions={
        isChanger && (
          <button type="button" onClick={() => setAsked({ is: 'add' })}>
            Add an issuer
          </button>
        )
      }
    >
      <Failure error={issuers.error} />
      <WholeTable
        caption="Issuers"
        columns={columns}
        list={issuers}
        keyOf={({ id }) => id}
        empty="There are no issuers yet. Add the one that signs the tokens of your workloads: for GitHub Actions it is https://token.actions.githubusercontent.com."
      />
      {asked?.is === 'add' && <AddIssuer onClose={close} />}
      {asked?.is === 'edit' && <EditIssuer shown={asked.issuer} onClose={close} />}
      {asked?.is === 'delete' && <DeleteIssuer shown={asked.issuer} onClose={close} />}
    </Section>
  );
}

function AddIssuer({ onClose }: { readonly onClose: () => void }): ReactNode {
  const kept = useKeptForm('new issuer', () => draftOf());
  const { draft, change } = kept;
  const add = useChange({
    run: () => {
      const body = { ...toRequest(draft), issuer: draft.issuer.trim() };
      return answered(api.POST('/api/v1/federation/issuers', { body }));
    },
    invalidates: ['federation-issuers'],
    says: ({ data }) => `${data.name} was added. Its tokens are exchanged once a policy names it.`,
    then: onClose,
  });
  return (
    <FormDialog title="Add an issuer" submit="Add the issuer" change={add} kept={kept} onClose={onClose}>
      <IssuerFields draft={draft} onChange={change} error={add.error} isNew />
    </FormDialog>
  );
}

interface ChangeIssuerProps {
  /** The issuer as the table has shown it. */
  readonly shown: Issuer;
  readonly onClose: () => void;
}

function EditIssuer({ shown, onClose }: ChangeIssuerProps): ReactNode {
  const kept = useKeptForm(`issuer ${shown.id} ${shown.updated_at}`, () => draftOf(shown));
  const { draft, change } = kept;
  const save = useChange({
    run: async () => {
      const params = { path: { id: shown.id }, header: ifMatch(await tagOfIssuer(shown)) };
      return answered(api.PATCH('/api/v1/federation/issuers/{id}', { params, body: toRequest(draft) }));
    },
    invalidates: ['federation-issuers'],
    says: 'The issuer was saved.',
    then: onClose,
  });
  return (
    <FormDialog title={`Edit ${shown.name}`} submit="Save" change={save} kept={kept} onClose={onClose}>
      <p>
        Its tokens say <code>{shown.issuer}</code>, which stays.
      </p>
      <IssuerFields draft={draft} onChange={change} error={save.error} isNew={false} />
    </FormDialog>
  );
}

function DeleteIssuer({ shown, onClose }: ChangeIssuerProps): ReactNode {
  const remove = useChange({
    run: async () => {
      const params = { path: { id: shown.id }, header: ifMatch(await tagOfIssuer(shown)) };
      return answered(api.DELETE('/api/v1/federation/issuers/{id}', { params }));
    },
    invalidates: ['federation-issuers'],
    says: `${shown.name} was deleted.`,
    then: onClose,
  });
  return (
    <FormDialog
      title={`Delete ${shown.name}?`}
      submit="Delete the issuer"
      isDangerous
      change={remove}
      onClose={onClose}
    >
      <p>Its tokens are exchanged no more. While policies name it, nothing is deleted.</p>
    </FormDialog>
  );
}
