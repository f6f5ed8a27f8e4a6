import { type ReactNode, useState } from 'react';
import { answered, api } from '../../api/client';
import { ValidatePrivateEndpointRequest } from '../../api/descriptions';
import { useWorkspaces } from '../../api/names';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import { Failure } from '../../components/failure';
import { requestFields, SelectField } from '../../components/fields';
import { Section } from '../../components/page';
import { Badge } from '../../components/values';

type Endpoint = Schema<'PrivateEndpoint'>;
type Check = Schema<'PrivateEndpointCheck'>;

const REASONS: Readonly<Record<NonNullable<Check['reason']>, string>> = {
  workspace_not_found: 'There is no such workspace.',
  model_not_found: 'The catalog has lost the model.',
  invalid_base_url: 'It has no address, or one that is not called.',
  no_byok_key:
    'The workspace has no own key for the provider and the model that everyone can use. Add one under Providers, Own keys.',
  upstream_error: 'The server refused, or could not be reached.',
  invalid_response: 'What the server answered is no answer of this kind.',
  invalid_stream: 'What the server streamed is no stream of this kind.',
  missing_usage: 'The answer does not say how many tokens it used, by which answers are charged.',
};

const CHECK_LABELS: Readonly<Record<string, string>> = {
  model: 'Model',
  base_url: 'Address',
  key: 'Key',
  completion: 'Whole answer',
  stream: 'Streamed answer',
  embeddings: 'Embedding',
};

/** What shows whether an endpoint is in use. */
const TURNED = ['private-endpoints', 'private-endpoint', 'providers', 'models'];

/** What it does with an endpoint in each status, after a check has passed. */
const TURNS = { draft: 'activate', disabled: 'enable' } as const;

/** Checks an endpoint with the keys of a workspace, activates it, and ends its use. */
export function EndpointCheck({ endpoint }: { readonly endpoint: Endpoint }): ReactNode {
  const { id, status } = endpoint;
  const workspaces = useWorkspaces();
  const [chosen, setChosen] = useState('');
  const [validation, setValidation] = useState<Schema<'PrivateEndpointValidation'>>();
  const workspace = chosen === '' ? (workspaces[0]?.id ?? '') : chosen;
  const path = { id };
  const check = async (): Promise<Schema<'PrivateEndpointValidation'>> => {
    const body = { workspace_id: workspace };
    const { data } = await answered(api.POST('/api/v1/private-endpoints/{id}/validate', { params: { path }, body }));
    setValidation(data);
    return data;
  };
  const validate = useChange({
    run: check,
    invalidates: [],
    says: ({ passed }) => (passed ? 'All checks have passed.' : 'A check has failed.'),
  });
  const activate = useChange({
    run: async () => {
      if (!(await check()).passed || status === 'active') return false;
      const turn = `/api/v1/private-endpoints/{id}/${TURNS[status]}` as const;
      await answered(api.POST(turn, { params: { path } }));
      return true;
    },
    invalidates: TURNED,
    says: (isActive) =>
      isActive ? 'The model gets requests from now on.' : 'A check has failed, so it was not activated.',
  });
  const disable = useChange({
    run: () => answered(api.POST('/api/v1/private-endpoints/{id}/disable', { params: { path } })),
    invalidates: TURNED,
    says: 'The model gets no requests any more.',
  });
  const isBusy = validate.isPending || activate.isPending || disable.isPending;
  // Nothing is asked before the workspaces have come.
  const isWaiting = isBusy || workspace === '';
  const button = (text: string, run: () => void, className = ''): ReactNode => (
    <button type="button" className={className} aria-disabled={isWaiting} onClick={() => !isWaiting && run()}>
      {text}
    </button>
  );
  return (
    <Section title="Check">
      <div className="narrow">
        <SelectField
          label="Workspace"
          {...requestFields(ValidatePrivateEndpointRequest, validate.error ?? activate.error)('workspace_id')}
          value={workspace}
          options={workspaces.map(({ id: value, name }) => [value, name] as const)}
          onChange={setChosen}
        />
        <p className="hint">A check asks the server for a few tokens, whole and streamed, for which it may charge.</p>
        <div className="actions">
          {button('Check', () => validate.mutate())}
          {status === 'active'
            ? button('Disable', () => disable.mutate(), 'danger')
            : button('Check and activate', () => activate.mutate(), 'primary')}
          {isBusy && <span className="quiet">Asking …</span>}
        </div>
        <Failure error={validate.error ?? activate.error ?? disable.error} />
        {validation !== undefined && <Checks checks={validation.checks} />}
      </div>
    </Section>
  );
}

function Checks({ checks }: { readonly checks: readonly Check[] }): ReactNode {
  return (
    <ul className="steps" aria-label="Checks">
      {checks.map(({ name, passed, reason, upstream_status: status, upstream_message: message }) => (
        <li key={name} className={passed ? 'good' : 'bad'}>
          {CHECK_LABELS[name] ?? name} <Badge tone={passed ? 'good' : 'bad'}>{passed ? 'Passed' : 'Failed'}</Badge>
          {reason !== undefined && <p>{REASONS[reason]}</p>}
          {status !== undefined && <p>Its status was {status}.</p>}
          {message != null && (
            <p>
              It said: <q>{message}</q>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
