import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { type ChatAnswer, NO_ANSWER, streamChat } from '../../api/chat';
import { answered, api } from '../../api/client';
import { CreateBYOKKeyRequest } from '../../api/descriptions';
import { useMay, useSession } from '../../api/session';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import { FormDialog } from '../../components/dialog';
import { Failure } from '../../components/failure';
import { requestFields, TextField } from '../../components/fields';
import { useKeptForm } from '../../components/kept-form';
import { Section } from '../../components/page';
import { PROVIDERS, SuggestField } from '../../components/suggestions';
import { CreateKey } from '../keys/create-key';
import { FIRST_MODEL } from '../keys/key-snippets';

/** Where the browser notes that somebody wants no first steps, for each organization. */
function placeOf({ organization }: Schema<'Session'>): string {
  return `gatehouse first steps of ${organization.id}`;
}

/** The first steps of an organization, each done here, until its first request is answered or somebody wants them no more. */
export function FirstUse(): ReactNode {
  const session = useSession();
  const may = useMay();
  const [isDismissed, setDismissed] = useState(false);
  const isWanted =
    session !== undefined && !isDismissed && localStorage.getItem(placeOf(session)) === null && may('keys_write');
  const requests = useQuery({
    queryKey: ['requests', 'first'],
    queryFn: async ({ signal }) => {
      const list = await answered(api.GET('/api/v1/generations', { params: { query: { limit: 1 } }, signal }));
      // The other forms are asked for by a header.
      return (list as Schema<'ListGenerationsResponse'>).data.length > 0;
    },
    enabled: isWanted,
    // Once there is a request there always was one.
    staleTime: ({ state }) => (state.data === true ? Infinity : 0),
  });
  if (!isWanted || requests.data !== false) return null;
  return (
    <Section
      title="First steps"
      actions={
        <button
          type="button"
          className="plain"
          onClick={() => {
            localStorage.setItem(placeOf(session), 'dismissed');
            setDismissed(true);
          }}
        >
          Dismiss
        </button>
      }
    >
      <FirstSteps userId={session.user.id} mayConnect={may('byok_write')} />
    </Section>
  );
}

function FirstSteps({ userId, mayConnect }: { readonly userId: string; readonly mayConnect: boolean }): ReactNode {
  const [open, setOpen] = useState<'provider' | 'key'>();
  const [isEchoTaken, setEchoTaken] = useState(false);
  const [isAnswered, setAnswered] = useState(false);
  const providerKeys = useQuery({
    queryKey: ['byok', 'first'],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/byok', { params: { query: { limit: 1 } }, signal })),
    enabled: mayConnect,
  });
  const keys = useQuery({
    queryKey: ['keys', 'first', userId],
    queryFn: ({ signal }) =>
      answered(api.GET('/api/v1/keys', { params: { query: { user_id: userId, limit: 1 } }, signal })),
  });
  const key = keys.data?.data[0];
  const hasProvider = isEchoTaken || !mayConnect || (providerKeys.data?.data.length ?? 0) > 0;
  return (
    <>
      <Failure error={keys.error ?? providerKeys.error} />
      <ol className="steps">
        <FirstStep title="Connect a provider" isDone={hasProvider}>
          {!hasProvider && (
            <>
              <p>
                With a key that you have there. Or take the echo provider, which needs none: it repeats what it is
                asked.
              </p>
              <div className="actions">
                <button type="button" className="primary" onClick={() => setOpen('provider')}>
                  Connect a provider
                </button>
                <button type="button" onClick={() => setEchoTaken(true)}>
                  Take the echo provider
                </button>
              </div>
            </>
          )}
        </FirstStep>
        <FirstStep title="Make a key" isDone={key !== undefined}>
          {keys.data !== undefined && key === undefined && (
            <>
              <p>Programs send their requests with it, and its limits and guardrails hold for all of them.</p>
              <button type="button" className="primary" onClick={() => setOpen('key')}>
                Create a key
              </button>
            </>
          )}
        </FirstStep>
        <FirstStep title="Send a request" isDone={isAnswered}>
          {key === undefined ? (
            <p className="quiet">With the key.</p>
          ) : (
            <FirstRequest apiKey={key} onAnswered={() => setAnswered(true)} />
          )}
        </FirstStep>
      </ol>
      {open === 'provider' && <FirstProvider onClose={() => setOpen(undefined)} />}
      {open === 'key' && <CreateKey onClose={() => setOpen(undefined)} />}
    </>
  );
}

interface FirstStepProps {
  readonly title: string;
  readonly isDone: boolean;
  readonly children: ReactNode;
}

function FirstStep({ title, isDone, children }: FirstStepProps): ReactNode {
  return (
    <li className={isDone ? 'good' : 'neutral'}>
      <h3>
        {title}
        {isDone && <span className="quiet"> ✓ done</span>}
      </h3>
      {children}
    </li>
  );
}

/** Asks a model for the first time, with a key of the person. */
function FirstRequest({
  apiKey,
  onAnswered,
}: {
  readonly apiKey: Schema<'Key'>;
  readonly onAnswered: () => void;
}): ReactNode {
  const client = useQueryClient();
  const [answer, setAnswer] = useState<ChatAnswer>(NO_ANSWER);
  const ask = useChange({
    run: () =>
      streamChat({
        keyHash: apiKey.hash,
        request: { model: FIRST_MODEL, messages: [{ role: 'user', content: 'Hello, Gatehouse!' }] },
        signal: new AbortController().signal,
        came: setAnswer,
      }),
    invalidates: [],
    says: 'The first request is answered.',
    then: onAnswered,
  });
  return (
    <>
      {!ask.isSuccess && (
        <>
          <p>
            “Hello, Gatehouse!” to <code>{FIRST_MODEL}</code>, with the key {apiKey.name}. Any other model you can ask
            in the <Link href="/playground">playground</Link>.
          </p>
          <button type="button" className="primary" aria-disabled={ask.isPending} onClick={() => ask.mutate()}>
            Send it
          </button>
        </>
      )}
      {answer.text !== '' && (
        <p className="said">
          {FIRST_MODEL}: {answer.text}
        </p>
      )}
      <Failure error={ask.error} />
      {answer.generationId !== null && !ask.isPending && (
        <div className="actions">
          <Link href={`/requests/${encodeURIComponent(answer.generationId)}`}>How it was decided</Link>
          {ask.isSuccess && (
            <button type="button" className="plain" onClick={() => void client.invalidateQueries()}>
              That was all
            </button>
          )}
        </div>
      )}
    </>
  );
}

/** Keeps the organization's own key for a provider, by the two things that it needs. */
function FirstProvider({ onClose }: { readonly onClose: () => void }): ReactNode {
  const kept = useKeptForm('first provider', () => '');
  const { draft: provider, change } = kept;
  const [secret, setSecret] = useState('');
  const connect = useChange({
    run: () => answered(api.POST('/api/v1/byok', { body: { provider: provider.trim(), key: secret } })),
    invalidates: ['byok', 'providers', 'models'],
    says: 'The provider is connected.',
    then: onClose,
  });
  const of = requestFields(CreateBYOKKeyRequest, connect.error);
  return (
    <FormDialog title="Connect a provider" submit="Connect the provider" change={connect} kept={kept} onClose={onClose}>
      <SuggestField
        label="Provider"
        {...of('provider')}
        suggestions={PROVIDERS}
        isRequired
        value={provider}
        onChange={change}
      />
      <TextField label="Key" type="password" {...of('key')} isRequired value={secret} onChange={setSecret} />
    </FormDialog>
  );
}
