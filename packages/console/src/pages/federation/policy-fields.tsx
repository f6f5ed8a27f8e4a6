import type { ReactNode } from 'react';
import { CreateFederationPolicyRequest } from '../../api/descriptions';
import { CheckField, requestFields, SelectField, TextArea, TextField } from '../../components/fields';
import { API_KEYS, SuggestField } from '../../components/suggestions';
import { useIssuers } from './issuers';
import type { PolicyDraft } from './policy-draft';

/** The longest text of a claim. */
const CLAIM = 512;

interface PolicyFieldsProps {
  readonly draft: PolicyDraft;
  readonly onChange: (draft: PolicyDraft) => void;
  readonly error: Error | null;
  readonly isNew: boolean;
}

/** The fields of a policy. */
export function PolicyFields({ draft, onChange, error, isNew }: PolicyFieldsProps): ReactNode {
  const issuers = useIssuers().data ?? [];
  const of = requestFields(CreateFederationPolicyRequest, error);
  const set = (changed: Partial<PolicyDraft>): void => onChange({ ...draft, ...changed });
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
      {isNew && (
        <SelectField
          label="Issuer"
          {...of('issuer_id')}
          isRequired
          value={draft.issuer}
          options={[['', 'Choose one'], ...issuers.map(({ id, name }) => [id, name] as const)]}
          onChange={(issuer) => set({ issuer })}
        />
      )}
      <fieldset>
        <legend>Which tokens</legend>
        <TextField
          label="Subject"
          {...of('subject')}
          maxLength={CLAIM}
          value={draft.subject}
          onChange={(subject) => set({ subject })}
        />
        <TextArea
          label="Condition"
          {...of('condition')}
          rows={3}
          value={draft.condition}
          onChange={(condition) => set({ condition })}
        />
        <p className="hint">
          As <code>subject.startsWith("repo:acme/app:environment:") && "deploy" in scopes</code>.
        </p>
        <TextField
          label="Audience"
          {...of('audience')}
          isRequired
          maxLength={CLAIM}
          value={draft.audience}
          onChange={(audience) => set({ audience })}
        />
        <TextField
          label="Scope"
          {...of('required_scope')}
          maxLength={CLAIM}
          value={draft.scope}
          onChange={(scope) => set({ scope })}
        />
        <TextField
          label="Token type"
          {...of('required_token_type')}
          maxLength={CLAIM}
          value={draft.tokenType}
          onChange={(tokenType) => set({ tokenType })}
        />
      </fieldset>
      <SuggestField
        label="Acts as API key"
        {...of('key_hash')}
        suggestions={API_KEYS}
        isRequired
        value={draft.key}
        onChange={(key) => set({ key })}
      />
      <CheckField label="Enabled" {...of('enabled')} value={draft.enabled} onChange={(enabled) => set({ enabled })} />
    </>
  );
}
