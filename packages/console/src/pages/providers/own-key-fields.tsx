import type { ReactNode } from 'react';
import { CreateBYOKKeyRequest, UpdateBYOKKeyRequest } from '../../api/descriptions';
import { useNames, useWorkspaces } from '../../api/names';
import { CheckField, requestFields, SelectField, TextField } from '../../components/fields';
import {
  API_KEYS,
  MEMBERS,
  MODELS,
  OWN_PROVIDERS,
  PROVIDERS,
  SuggestField,
  type Suggestions,
  SuggestList,
} from '../../components/suggestions';
import type { OwnKeyDraft } from './own-key-draft';

/** The organization's own providers, which need a key, before those of the catalog. */
const PROVIDERS_OF_KEYS: Suggestions = {
  name: 'private-providers',
  ask: async (typed, signal) => {
    const own = await OWN_PROVIDERS.ask(typed, signal).catch(() => []);
    return [...own, ...(await PROVIDERS.ask(typed, signal))];
  },
};

interface OwnKeyFieldsProps {
  readonly draft: OwnKeyDraft;
  readonly onChange: (draft: OwnKeyDraft) => void;
  readonly secret: string;
  readonly onSecret: (secret: string) => void;
  readonly error: Error | null;
  readonly isNew: boolean;
}

/** The fields of an own provider key. */
export function OwnKeyFields({ draft, onChange, secret, onSecret, error, isNew }: OwnKeyFieldsProps): ReactNode {
  const workspaces = useWorkspaces();
  const names = useNames();
  const ofNew = requestFields(CreateBYOKKeyRequest, error);
  const of = requestFields(UpdateBYOKKeyRequest, error);
  const set = (changed: Partial<OwnKeyDraft>): void => onChange({ ...draft, ...changed });
  return (
    <>
      {isNew && (
        <>
          <SuggestField
            label="Provider"
            {...ofNew('provider')}
            suggestions={PROVIDERS_OF_KEYS}
            isRequired
            value={draft.provider}
            onChange={(provider) => set({ provider })}
          />
          <SelectField
            label="Workspace"
            {...ofNew('workspace_id')}
            value={draft.workspace}
            options={[['', 'The default workspace'], ...workspaces.map(({ id, name }) => [id, name] as const)]}
            onChange={(workspace) => set({ workspace })}
          />
        </>
      )}
      <TextField
        label="Key"
        type="password"
        {...(isNew ? ofNew('key') : of('key'))}
        isRequired={isNew}
        maxLength={4_096}
        value={secret}
        onChange={onSecret}
      />
      <TextField label="Name" {...of('name')} maxLength={255} value={draft.name} onChange={(name) => set({ name })} />
      <CheckField
        label="Disabled"
        {...of('disabled')}
        value={draft.disabled}
        onChange={(disabled) => set({ disabled })}
      />
      <fieldset>
        <legend>Beside the deployment’s own credentials</legend>
        <CheckField
          label="Fallback"
          {...of('is_fallback')}
          value={draft.isFallback}
          onChange={(isFallback) => set({ isFallback })}
        />
        <CheckField
          label="Required"
          {...of('is_required')}
          value={draft.isRequired}
          onChange={(isRequired) => set({ isRequired })}
        />
        <CheckField
          label="Own keys only"
          {...of('is_byok_only')}
          value={draft.isByokOnly}
          onChange={(isByokOnly) => set({ isByokOnly })}
        />
      </fieldset>
      <SelectField
        label="Zero data retention"
        {...of('declared_zdr')}
        value={draft.declaredZdr}
        options={[
          ['', 'As the endpoint'],
          ['true', 'Yes'],
          ['false', 'No'],
        ]}
        onChange={(declaredZdr) => set({ declaredZdr })}
      />
      <SuggestList
        label="Only for these models"
        {...of('allowed_models')}
        suggestions={MODELS}
        value={draft.models}
        onChange={(models) => set({ models })}
      />
      <SuggestList
        label="Only for these members"
        {...of('allowed_user_ids')}
        suggestions={MEMBERS}
        nameOf={names.member}
        value={draft.users}
        onChange={(users) => set({ users })}
      />
      <SuggestList
        label="Only for these API keys"
        {...of('allowed_api_key_hashes')}
        suggestions={API_KEYS}
        value={draft.keys}
        onChange={(keys) => set({ keys })}
      />
    </>
  );
}
