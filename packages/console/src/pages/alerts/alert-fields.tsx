import type { ReactNode } from 'react';
import { ApiError } from '../../api/client';
import { CreateAlertRequest } from '../../api/descriptions';
import { useWorkspaces } from '../../api/names';
import { CheckField, requestFields, SelectField, TextField } from '../../components/fields';
import {
  ADDRESSES,
  API_KEYS,
  GUARDRAILS,
  LIMITS,
  SuggestField,
  SuggestList,
  webhooksOf,
} from '../../components/suggestions';
import { type AlertDraft, ofKind } from './alert-draft';
import { type AlertKind, KINDS, type ScopeField, SCOPES } from './alert-words';

interface AlertFieldsProps {
  readonly draft: AlertDraft;
  readonly onChange: (draft: AlertDraft) => void;
  readonly error: Error | null;
  /** Whether kind and scope can be chosen, which stay as they are made. */
  readonly isNew?: boolean;
}

/** The fields of an alert: those that its kind has. */
export function AlertFields({ draft, onChange, error, isNew = false }: AlertFieldsProps): ReactNode {
  const of = requestFields(CreateAlertRequest, error);
  const set = (changed: Partial<AlertDraft>): void => onChange({ ...draft, ...changed });
  // What is wrong with both receivers together is an issue of the request itself.
  const issue = error instanceof ApiError ? error.issueOf('') : undefined;
  return (
    <>
      <TextField
        label="Name"
        {...of('name')}
        isRequired
        maxLength={100}
        value={draft.name}
        onChange={(name) => set({ name })}
      />
      {isNew && <Subject draft={draft} onChange={onChange} error={error} />}
      {draft.kind === 'budget' && (
        <TextField
          label="Shares of the limit, divided by commas"
          {...of('thresholds')}
          value={draft.thresholds}
          onChange={(thresholds) => set({ thresholds })}
        />
      )}
      {draft.kind === 'key_expiry' && (
        <TextField
          label="Days before, divided by commas"
          {...of('days_before')}
          value={draft.daysBefore}
          onChange={(daysBefore) => set({ daysBefore })}
        />
      )}
      <CheckField label="Enabled" {...of('enabled')} value={draft.enabled} onChange={(enabled) => set({ enabled })} />
      <fieldset>
        <legend>Who is told</legend>
        {issue !== undefined && <p className="issue">{issue}</p>}
        <SuggestField
          label="Webhook"
          {...of('destination_id')}
          suggestions={webhooksOf(draft.scope === 'workspace_id' ? draft.subject : '')}
          value={draft.destination}
          onChange={(destination) => set({ destination })}
        />
        <SuggestList
          label="E-mail addresses"
          {...of('emails')}
          suggestions={ADDRESSES}
          value={draft.emails}
          onChange={(emails) => set({ emails })}
        />
      </fieldset>
    </>
  );
}

/** Where what an alert is about is picked from. */
const SUBJECTS = { guardrail_id: GUARDRAILS, key_hash: API_KEYS, limit_id: LIMITS } as const;

/** What an alert is about. */
function Subject({ draft, onChange, error }: AlertFieldsProps): ReactNode {
  const workspaces = useWorkspaces();
  const of = requestFields(CreateAlertRequest, error);
  const { kind, scope, subject } = draft;
  const { scopes } = KINDS[kind];
  const choose = (chosen: string): void => onChange({ ...draft, subject: chosen });
  return (
    <>
      <SelectField
        label="About"
        {...of('kind')}
        value={kind}
        options={Object.entries(KINDS).map(([name, { label }]) => [name, label])}
        onChange={(name) => onChange(ofKind(draft, name as AlertKind))}
      />
      {scopes.length > 0 && (
        <SelectField
          label="Only of one"
          value={scope}
          options={[['', 'No, of all'], ...scopes.map((field) => [field, SCOPES[field].label] as const)]}
          onChange={(field) => onChange({ ...draft, scope: field as ScopeField | '', subject: '' })}
        />
      )}
      {scope === 'workspace_id' && (
        <SelectField
          label={SCOPES[scope].label}
          {...of(scope)}
          isRequired
          value={subject}
          options={[['', 'Choose …'], ...workspaces.map(({ id, name }) => [id, name] as const)]}
          onChange={choose}
        />
      )}
      {scope !== '' && scope !== 'workspace_id' && (
        <SuggestField
          key={scope}
          label={SCOPES[scope].label}
          {...of(scope)}
          suggestions={SUBJECTS[scope]}
          isRequired
          value={subject}
          onChange={choose}
        />
      )}
    </>
  );
}
