import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { answered, api, ifMatch, type Tagged, tagged } from '../../api/client';
import { useNames } from '../../api/names';
import { useMay } from '../../api/session';
import { useChange } from '../../api/use-change';
import { FormDialog } from '../../components/dialog';
import { Facts } from '../../components/facts';
import { EnforcementBadge } from '../../components/enforcement';
import { Failure } from '../../components/failure';
import { useKeptForm } from '../../components/kept-form';
import { ManagedNote } from '../../components/managed';
import { Page } from '../../components/page';
import { Time } from '../../components/values';
import { ReplaySection } from '../replays/replay';
import { draftOf, toChanges } from './limit-draft';
import { LimitExceptions } from './limit-exceptions';
import { LimitFields } from './limit-fields';
import { LimitUsage } from './limit-usage';
import { amountSentence, Conditions, groupSentence, type Limit, ON_MISSING } from './limit-words';

/** One limit: what it counts, what its combinations have used, and its exceptions. */
export function LimitPage(): ReactNode {
  const { id } = useParams<{ id: string }>();
  const [, navigate] = useLocation();
  const may = useMay();
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const found = useQuery({
    queryKey: ['limits', id],
    queryFn: ({ signal }) => tagged(api.GET('/api/v1/limits/{id}', { params: { path: { id } }, signal })),
  });
  const limit = found.data?.data;
  const close = (): void => setOpen(undefined);
  return (
    <Page
      title={limit?.name ?? 'Limit'}
      crumbs={[{ label: 'Limits', to: '/limits' }]}
      actions={
        limit !== undefined &&
        may('limits_write') && (
          <>
            <button type="button" onClick={() => setOpen('edit')}>
              Edit
            </button>
            <button type="button" className="danger" onClick={() => setOpen('delete')}>
              Delete
            </button>
          </>
        )
      }
    >
      <Failure error={found.error} />
      {limit !== undefined && (
        <>
          <ManagedNote section="limits" id={id} />
          <LimitFacts limit={limit} />
          <LimitUsage limit={limit} />
          {limit.group_by.length > 0 && <LimitExceptions limit={limit} />}
          {limit.measure !== 'concurrent' && (
            <ReplaySection
              begin={(records) =>
                answered(api.POST('/api/v1/limits/{id}/replay', { params: { path: { id } }, body: records }))
              }
              hint="Recorded requests are counted anew, as the limit is saved. A sample is one of combinations."
            />
          )}
          {open === 'edit' && <EditLimit known={found.data!} onClose={close} />}
          {open === 'delete' && (
            <DeleteLimit known={found.data!} onClose={close} onDeleted={() => navigate('/limits')} />
          )}
        </>
      )}
    </Page>
  );
}

function LimitFacts({ limit }: { readonly limit: Limit }): ReactNode {
  const names = useNames();
  return (
    <Facts
      facts={[
        ['Enforcement', <EnforcementBadge enforcement={limit.enforcement} />],
        ['Amount', amountSentence(limit)],
        ['Counted apart', groupSentence(limit)],
        ['Requests that lack it', limit.group_by.length > 0 ? ON_MISSING[limit.on_missing] : null],
        ['Conditions', <Conditions limit={limit} />],
        ['Workspace', limit.workspace_id === null ? 'All' : names.workspace(limit.workspace_id)],
        ['Own provider keys', limit.include_byok ? 'Count' : null],
        ['Alerts', limit.alert_at.length === 0 ? 'None' : `At ${draftOf(limit).alertAt} percent`],
        ['Created', <Time at={limit.created_at} />],
        ['Changed', <Time at={limit.updated_at} />],
      ]}
    />
  );
}

interface ChangeLimitProps {
  /** The limit as it was shown when the dialog was opened. */
  readonly known: Tagged<Limit>;
  readonly onClose: () => void;
}

function EditLimit({ known, onClose }: ChangeLimitProps): ReactNode {
  const [{ data: limit, tag }] = useState(known);
  const kept = useKeptForm(`limit ${limit.id} ${tag}`, () => draftOf(limit));
  const { draft, change } = kept;
  const save = useChange({
    run: () =>
      answered(
        api.PATCH('/api/v1/limits/{id}', {
          params: { path: { id: limit.id }, header: ifMatch(tag) },
          body: toChanges(draft),
        }),
      ),
    invalidates: ['limits'],
    says: 'The limit was saved.',
    then: onClose,
  });
  return (
    <FormDialog title={`Edit ${limit.name}`} submit="Save" change={save} kept={kept} onClose={onClose}>
      <LimitFields draft={draft} onChange={change} error={save.error} />
    </FormDialog>
  );
}

function DeleteLimit({ known, onClose, onDeleted }: ChangeLimitProps & { readonly onDeleted: () => void }): ReactNode {
  const [{ data: limit, tag }] = useState(known);
  const remove = useChange({
    run: () =>
      answered(api.DELETE('/api/v1/limits/{id}', { params: { path: { id: limit.id }, header: ifMatch(tag) } })),
    invalidates: [],
    says: `The limit ${limit.name} was deleted.`,
    then: onDeleted,
  });
  return (
    <FormDialog title={`Delete ${limit.name}?`} submit="Delete the limit" isDangerous change={remove} onClose={onClose}>
      <p>Requests are no longer held to it, from the next one on. Its exceptions, and what it has counted, are gone.</p>
    </FormDialog>
  );
}
