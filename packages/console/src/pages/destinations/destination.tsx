import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { answered, api, ifMatch, type Tagged, tagged } from '../../api/client';
import { useNames } from '../../api/names';
import { useMay } from '../../api/session';
import { useChange } from '../../api/use-change';
import { FormDialog } from '../../components/dialog';
import { Facts } from '../../components/facts';
import { Failure } from '../../components/failure';
import { useKeptForm } from '../../components/kept-form';
import { ManagedNote } from '../../components/managed';
import { Page, Section } from '../../components/page';
import { PageForm } from '../../components/page-form';
import { Time } from '../../components/values';
import { Deliveries } from './deliveries';
import { DeliveryTest, testSentence } from './delivery-test';
import { draftOf, type Secrets, toChanges } from './destination-draft';
import { DestinationFields } from './destination-fields';
import { SilentWorkspace } from './destination-state';
import { type Destination, labelOfType } from './destination-types';

/** What shows destinations, and is asked anew when one has changed. */
const SHOWN = ['destinations', 'destination', 'deliveries'];

/** One destination: how its deliveries go, a test of it, and its form. */
export function DestinationPage(): ReactNode {
  const { id } = useParams<{ id: string }>();
  const [, navigate] = useLocation();
  const names = useNames();
  const may = useMay();
  const [isDeleting, setDeleting] = useState(false);
  const path = { id };
  const found = useQuery({
    queryKey: ['destination', id],
    queryFn: ({ signal }) => tagged(api.GET('/api/v1/observability/destinations/{id}', { params: { path }, signal })),
  });
  const test = useChange({
    run: () => answered(api.POST('/api/v1/observability/destinations/{id}/test', { params: { path } })),
    invalidates: ['deliveries'],
    says: ({ data }) => testSentence(data),
  });
  const destination = found.data?.data;
  return (
    <Page
      title={destination === undefined ? 'Destination' : titleOf(destination)}
      crumbs={[{ label: 'Destinations', to: '/destinations' }]}
      actions={
        destination !== undefined &&
        may('destinations_write') && (
          <>
            <button type="button" aria-disabled={test.isPending} onClick={() => test.mutate()}>
              {test.isPending ? 'Sending …' : 'Send a test'}
            </button>
            <button type="button" className="danger" onClick={() => setDeleting(true)}>
              Delete
            </button>
          </>
        )
      }
    >
      <Failure error={found.error ?? test.error} />
      {test.data !== undefined && <DeliveryTest result={test.data.data} />}
      <ManagedNote section="destinations" id={id} />
      {destination !== undefined && (
        <>
          <SilentWorkspace id={destination.workspace_id} />
          <Facts
            facts={[
              ['Type', labelOfType(destination.type)],
              ['Workspace', names.workspace(destination.workspace_id)],
              ['Created', <Time key="created" at={destination.created_at} />],
              ['Changed', <Time key="changed" at={destination.updated_at} />],
            ]}
          />
          <Deliveries destination={destination} />
          <Section title="Settings">
            <EditDestination key={`${id} ${found.data!.tag}`} known={found.data!} />
          </Section>
          {isDeleting && (
            <DeleteDestination
              known={found.data!}
              onClose={() => setDeleting(false)}
              onDeleted={() => navigate('/destinations')}
            />
          )}
        </>
      )}
    </Page>
  );
}

/** What a destination is called; those that are older may have no name. */
function titleOf({ name, type }: Destination): string {
  return name ?? labelOfType(type);
}

function EditDestination({ known: { data: destination, tag } }: { readonly known: Tagged<Destination> }): ReactNode {
  const { id } = destination;
  const may = useMay();
  const { draft, change, forget } = useKeptForm(`destination ${id} ${tag}`, () => draftOf(destination));
  const [secrets, setSecrets] = useState<Secrets>({});
  const save = useChange({
    run: () => {
      const params = { path: { id }, header: ifMatch(tag) };
      const body = toChanges(draft, secrets, destination);
      return answered(api.PATCH('/api/v1/observability/destinations/{id}', { params, body }));
    },
    invalidates: SHOWN,
    says: 'The destination was saved.',
    then: () => {
      forget();
      setSecrets({});
    },
  });
  return (
    <PageForm submit={may('destinations_write') ? 'Save' : undefined} change={save}>
      <DestinationFields
        draft={draft}
        onChange={change}
        secrets={secrets}
        onSecrets={setSecrets}
        error={save.error}
        stored={destination}
      />
    </PageForm>
  );
}

interface DeleteDestinationProps {
  /** The destination as it was shown when the dialog was opened. */
  readonly known: Tagged<Destination>;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Asks whether a destination is to go, and says what goes with it. */
function DeleteDestination({ known, onClose, onDeleted }: DeleteDestinationProps): ReactNode {
  const [{ data: destination, tag }] = useState(known);
  const remove = useChange({
    run: () => {
      const params = { path: { id: destination.id }, header: ifMatch(tag) };
      return answered(api.DELETE('/api/v1/observability/destinations/{id}', { params }));
    },
    invalidates: ['destinations', 'alerts', 'alert'],
    says: `${titleOf(destination)} was deleted.`,
    then: onDeleted,
  });
  return (
    <FormDialog
      title={`Delete ${titleOf(destination)}?`}
      submit="Delete the destination"
      isDangerous
      change={remove}
      onClose={onClose}
    >
      <p>
        Its secrets are gone with it, and what waits for it is never sent. Alerts forget it: those without addresses of
        e-mail notify nobody from then on.
      </p>
    </FormDialog>
  );
}
