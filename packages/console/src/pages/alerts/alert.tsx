import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { answered, api, ifMatch, type Tagged, tagged } from '../../api/client';
import { useMay } from '../../api/session';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import { type Column, DataTable } from '../../components/data-table';
import { FormDialog } from '../../components/dialog';
import { Facts } from '../../components/facts';
import { Failure } from '../../components/failure';
import { useKeptForm } from '../../components/kept-form';
import { ManagedNote } from '../../components/managed';
import { Page, Section } from '../../components/page';
import { PageForm } from '../../components/page-form';
import { Badge, Time } from '../../components/values';
import { draftOf, NEW_ALERT, toChanges, toRequest } from './alert-draft';
import { AlertFields } from './alert-fields';
import { type Alert, AlertState, KINDS, stagesSentence, useReceivers, useSubjects } from './alert-words';

const CRUMBS = [{ label: 'Alerts', to: '/alerts' }];

/** What shows alerts, and is asked anew when one has changed. */
const SHOWN = ['alerts', 'alert'];

/** A new alert. Then its page is shown, with the addresses that have yet to confirm. */
export function NewAlertPage(): ReactNode {
  const [, navigate] = useLocation();
  const { draft, change, forget } = useKeptForm('new alert', () => NEW_ALERT);
  const create = useChange({
    run: () => answered(api.POST('/api/v1/alerts', { body: toRequest(draft) })),
    invalidates: SHOWN,
    says: ({ data }) => `${data.name} was created. It notifies at once of what holds now.`,
    then: ({ data }) => {
      forget();
      navigate(`/alerts/${data.id}`, { replace: true });
    },
  });
  return (
    <Page title="New alert" crumbs={CRUMBS}>
      <PageForm submit="Create the alert" change={create}>
        <AlertFields draft={draft} onChange={change} error={create.error} isNew />
      </PageForm>
    </Page>
  );
}

/** One alert: what it is about, who of its addresses has confirmed, and its form. */
export function AlertPage(): ReactNode {
  const { id } = useParams<{ id: string }>();
  const [, navigate] = useLocation();
  const may = useMay();
  const [isDeleting, setDeleting] = useState(false);
  const found = useQuery({
    queryKey: ['alert', id],
    queryFn: ({ signal }) => tagged(api.GET('/api/v1/alerts/{id}', { params: { path: { id } }, signal })),
  });
  const alert = found.data?.data;
  return (
    <Page
      title={alert?.name ?? 'Alert'}
      crumbs={CRUMBS}
      actions={
        alert !== undefined &&
        may('alerts_write') && (
          <button type="button" className="danger" onClick={() => setDeleting(true)}>
            Delete
          </button>
        )
      }
    >
      <Failure error={found.error} />
      <ManagedNote section="alerts" id={id} />
      {alert !== undefined && (
        <>
          <AlertFacts alert={alert} />
          {alert.recipients.length > 0 && <Recipients recipients={alert.recipients} />}
          <Section title="Settings">
            <EditAlert key={`${id} ${found.data!.tag}`} known={found.data!} />
          </Section>
          {isDeleting && (
            <DeleteAlert known={found.data!} onClose={() => setDeleting(false)} onDeleted={() => navigate('/alerts')} />
          )}
        </>
      )}
    </Page>
  );
}

function AlertFacts({ alert }: { readonly alert: Alert }): ReactNode {
  const subjectOf = useSubjects([alert]);
  const receiversOf = useReceivers([alert]);
  return (
    <Facts
      facts={[
        ['State', <AlertState key="state" alert={alert} />],
        ['About', KINDS[alert.kind].label],
        ['Of', subjectOf(alert)],
        ['Notifies', stagesSentence(alert)],
        ['Tells', receiversOf(alert)],
        ['Created', <Time key="created" at={alert.created_at} />],
        ['Changed', <Time key="changed" at={alert.updated_at} />],
      ]}
    />
  );
}

const RECIPIENT_COLUMNS: readonly Column<Schema<'AlertRecipient'>>[] = [
  { name: 'Address', cell: ({ email }) => email },
  {
    name: 'State',
    cell: ({ confirmed_at: at }) =>
      at === null ? <Badge tone="warning">has not confirmed</Badge> : <Badge tone="good">confirmed</Badge>,
  },
  { name: 'Confirmed', cell: ({ confirmed_at: at }) => <Time at={at} /> },
];

function Recipients({ recipients }: { readonly recipients: readonly Schema<'AlertRecipient'>[] }): ReactNode {
  return (
    <Section title="Addresses">
      <DataTable
        caption="Addresses"
        columns={RECIPIENT_COLUMNS}
        rows={recipients}
        keyOf={({ email }) => email}
        empty="It is sent to no address."
      />
      {recipients.some(({ confirmed_at: at }) => at === null) && (
        <p className="hint">
          An address is notified after it has opened the link that it was sent, which is valid for seven days. To save
          the alert sends another one where it has expired.
        </p>
      )}
    </Section>
  );
}

function EditAlert({ known: { data: alert, tag } }: { readonly known: Tagged<Alert> }): ReactNode {
  const { id } = alert;
  const may = useMay();
  const { draft, change, forget } = useKeptForm(`alert ${id} ${tag}`, () => draftOf(alert));
  const save = useChange({
    run: () => {
      const params = { path: { id }, header: ifMatch(tag) };
      return answered(api.PATCH('/api/v1/alerts/{id}', { params, body: toChanges(draft) }));
    },
    invalidates: SHOWN,
    says: 'The alert was saved.',
    then: forget,
  });
  return (
    <PageForm submit={may('alerts_write') ? 'Save' : undefined} change={save}>
      <AlertFields draft={draft} onChange={change} error={save.error} />
    </PageForm>
  );
}

interface DeleteAlertProps {
  /** The alert as it was shown when the dialog was opened. */
  readonly known: Tagged<Alert>;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Asks whether an alert is to go. */
function DeleteAlert({ known, onClose, onDeleted }: DeleteAlertProps): ReactNode {
  const [{ data: alert, tag }] = useState(known);
  const remove = useChange({
    run: () => {
      const params = { path: { id: alert.id }, header: ifMatch(tag) };
      return answered(api.DELETE('/api/v1/alerts/{id}', { params }));
    },
    invalidates: ['alerts'],
    says: `${alert.name} was deleted.`,
    then: onDeleted,
  });
  return (
    <FormDialog title={`Delete ${alert.name}?`} submit="Delete the alert" isDangerous change={remove} onClose={onClose}>
      <p>It notifies nobody from then on. Addresses would have to confirm again for another one.</p>
    </FormDialog>
  );
}
