import type { ReactNode } from 'react';
import { CreateKeyRequest, RateLimitsInput } from '../../api/descriptions';
import type { Schema } from '../../api/types';
import {
  CheckField,
  NumberField,
  type Option,
  requestFields,
  SelectField,
  TextArea,
  TextField,
} from '../../components/fields';
import { linesOf, pairsOf, textOfPairs } from '../../components/lines';
import { END_USERS, LABELS, SuggestField, SuggestLines } from '../../components/suggestions';

/** What of a key can be set when it is made and later. */
export type KeySettings = Required<
  Pick<Schema<'UpdateKeyRequest'>, 'name' | 'limit' | 'limit_reset' | 'include_byok_in_limit'>
> & {
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  /** One `name=value` a line. */
  readonly labels: string;
  /** Empty for any. */
  readonly boundUser: string;
  /** One address or range a line; empty for all. */
  readonly addresses: string;
};

/** A key without limits. */
export const UNLIMITED: KeySettings = {
  name: '',
  limit: null,
  limit_reset: null,
  include_byok_in_limit: false,
  requestsPerMinute: null,
  tokensPerMinute: null,
  labels: '',
  boundUser: '',
  addresses: '',
};

/** The settings that a key has. */
export function settingsOf({
  name,
  limit,
  limit_reset,
  include_byok_in_limit,
  rate_limits,
  labels,
  bound_user,
  allowed_addresses,
}: Schema<'Key'>): KeySettings {
  return {
    name,
    limit,
    limit_reset,
    include_byok_in_limit,
    requestsPerMinute: rate_limits?.requests_per_minute ?? null,
    tokensPerMinute: rate_limits?.tokens_per_minute ?? null,
    labels: textOfPairs(labels ?? {}),
    boundUser: bound_user ?? '',
    addresses: (allowed_addresses ?? []).join('\n'),
  };
}

/** The settings as the interface takes them. */
export function toRequest({
  requestsPerMinute,
  tokensPerMinute,
  labels,
  boundUser,
  addresses,
  ...settings
}: KeySettings): Schema<'UpdateKeyRequest'> & {
  name: string;
} {
  const allowed = linesOf(addresses);
  const rateLimits = { requests_per_minute: requestsPerMinute, tokens_per_minute: tokensPerMinute };
  return {
    ...settings,
    limit_reset: settings.limit === null ? null : settings.limit_reset,
    rate_limits: rateLimits,
    labels: labels.trim() === '' ? null : pairsOf(labels),
    bound_user: boundUser === '' ? null : boundUser,
    allowed_addresses: allowed.length === 0 ? null : allowed,
  };
}

const INTERVALS: readonly Option[] = [
  ['', 'Never: for the life of the key'],
  ['daily', 'Daily, at midnight (UTC)'],
  ['weekly', 'Weekly, on Monday (UTC)'],
  ['monthly', 'Monthly, on the first (UTC)'],
];

interface KeyFieldsProps {
  readonly value: KeySettings;
  readonly onChange: (value: KeySettings) => void;
  readonly error: Error | null;
}

/** The fields of a key's settings. */
export function KeyFields({ value, onChange, error }: KeyFieldsProps): ReactNode {
  const of = requestFields(CreateKeyRequest, error);
  const ofRate = requestFields(RateLimitsInput, error, 'rate_limits.');
  const set = (changed: Partial<KeySettings>): void => onChange({ ...value, ...changed });
  return (
    <>
      <TextField
        label="Name"
        isRequired
        maxLength={256}
        value={value.name}
        {...of('name')}
        onChange={(name) => set({ name })}
      />
      <NumberField
        label="Spending limit in US dollars"
        {...of('limit')}
        min={0}
        step="any"
        value={value.limit}
        onChange={(limit) => set({ limit })}
      />
      {value.limit !== null && (
        <>
          <SelectField
            label="The limit resets"
            value={value.limit_reset ?? ''}
            options={INTERVALS}
            {...of('limit_reset')}
            onChange={(chosen) => set({ limit_reset: chosen === '' ? null : (chosen as KeySettings['limit_reset']) })}
          />
          <CheckField
            label="Count spend with provider keys of your own toward the limit"
            {...of('include_byok_in_limit')}
            value={value.include_byok_in_limit}
            onChange={(include_byok_in_limit) => set({ include_byok_in_limit })}
          />
        </>
      )}
      <details open={value.requestsPerMinute !== null || value.tokensPerMinute !== null}>
        <summary>Rate limits</summary>
        <NumberField
          label="Requests per minute"
          min={1}
          value={value.requestsPerMinute}
          {...ofRate('requests_per_minute')}
          onChange={(requestsPerMinute) => set({ requestsPerMinute })}
        />
        <NumberField
          label="Tokens per minute"
          min={1}
          value={value.tokensPerMinute}
          {...ofRate('tokens_per_minute')}
          onChange={(tokensPerMinute) => set({ tokensPerMinute })}
        />
      </details>
      <details open={value.labels !== '' || value.boundUser !== ''}>
        <summary>Labels and end user</summary>
        <SuggestLines
          suggestions={LABELS}
          label="Labels of all requests with the key, one name=value a line"
          {...of('labels')}
          rows={3}
          value={value.labels}
          onChange={(labels) => set({ labels })}
        />
        <SuggestField
          label="Only end user"
          {...of('bound_user')}
          suggestions={END_USERS}
          maxLength={256}
          value={value.boundUser}
          onChange={(boundUser) => set({ boundUser })}
        />
      </details>
      <details open={value.addresses !== ''}>
        <summary>Addresses of clients</summary>
        <TextArea
          label="Allowed addresses, one a line"
          {...of('allowed_addresses')}
          rows={2}
          value={value.addresses}
          onChange={(addresses) => set({ addresses })}
        />
      </details>
    </>
  );
}
