import type { Schema } from '../../api/types';

type OwnKey = Schema<'BYOKKey'>;

/** What stands in the form, but for the key itself, which is not kept. */
export interface OwnKeyDraft {
  readonly provider: string;
  /** Empty for the default workspace. */
  readonly workspace: string;
  readonly name: string;
  readonly disabled: boolean;
  readonly isFallback: boolean;
  readonly isRequired: boolean;
  readonly isByokOnly: boolean;
  readonly declaredZdr: string;
  readonly models: readonly string[];
  readonly users: readonly string[];
  readonly keys: readonly string[];
}

/** What a new one has at first. */
export const NEW_KEY: OwnKeyDraft = {
  provider: '',
  workspace: '',
  name: '',
  disabled: false,
  isFallback: false,
  isRequired: false,
  isByokOnly: false,
  declaredZdr: '',
  models: [],
  users: [],
  keys: [],
};

/** What a key has. */
export function draftOf(key: OwnKey): OwnKeyDraft {
  return {
    provider: key.provider,
    workspace: key.workspace_id ?? '',
    name: key.name ?? '',
    disabled: key.disabled,
    isFallback: key.is_fallback,
    isRequired: key.is_required,
    isByokOnly: key.is_byok_only,
    declaredZdr: key.declared_zdr === null ? '' : String(key.declared_zdr),
    models: key.allowed_models ?? [],
    users: key.allowed_user_ids ?? [],
    keys: key.allowed_api_key_hashes ?? [],
  };
}

/**
 * The request of a draft.
 *
 * @param secret an empty text to keep the stored one
 * @param known the key that is changed: its lists of none stay, where nothing is added
 */
export function toRequest(draft: OwnKeyDraft, secret: string, known?: OwnKey): Schema<'UpdateBYOKKeyRequest'> {
  return {
    ...(secret.trim() !== '' && { key: secret.trim() }),
    name: draft.name.trim() === '' ? null : draft.name.trim(),
    disabled: draft.disabled,
    is_fallback: draft.isFallback,
    is_required: draft.isRequired,
    is_byok_only: draft.isByokOnly,
    declared_zdr: draft.declaredZdr === '' ? null : draft.declaredZdr === 'true',
    allowed_models: restriction(draft.models, known?.allowed_models),
    allowed_user_ids: restriction(draft.users, known?.allowed_user_ids),
    allowed_api_key_hashes: restriction(draft.keys, known?.allowed_api_key_hashes),
  };
}

/** Nothing in the form is no restriction, unless the key is restricted to none already. */
function restriction(values: readonly string[], known: readonly string[] | null | undefined): string[] | null {
  return values.length > 0 ? [...values] : known?.length === 0 ? [] : null;
}
