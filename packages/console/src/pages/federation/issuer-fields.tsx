import type { ReactNode } from 'react';
import { CreateFederationIssuerRequest, FederationJwks } from '../../api/descriptions';
import { type Option, requestFields, SelectField, TextArea, TextField } from '../../components/fields';
import type { IssuerDraft } from './issuer-draft';

/** Where the keys of an issuer can be, and how the console calls it. */
export const PLACES = {
  discovery: 'Where the issuer publishes them',
  explicit_url: 'At another address',
  inline: 'In these settings',
} as const satisfies Readonly<Record<IssuerDraft['type'], string>>;

const OPTIONS: readonly Option[] = Object.entries(PLACES);

interface IssuerFieldsProps {
  readonly draft: IssuerDraft;
  readonly onChange: (draft: IssuerDraft) => void;
  readonly error: Error | null;
  readonly isNew: boolean;
}

/** The fields of an issuer. */
export function IssuerFields({ draft, onChange, error, isNew }: IssuerFieldsProps): ReactNode {
  const of = requestFields(CreateFederationIssuerRequest, error);
  const ofKeys = requestFields(FederationJwks, error, 'jwks.');
  const set = (changed: Partial<IssuerDraft>): void => onChange({ ...draft, ...changed });
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
        <TextField
          label="Issuer"
          type="url"
          {...of('issuer')}
          isRequired
          maxLength={2_048}
          value={draft.issuer}
          onChange={(issuer) => set({ issuer })}
        />
      )}
      <SelectField
        label="Where its keys are"
        {...ofKeys('type')}
        value={draft.type}
        options={OPTIONS}
        onChange={(type) => set({ type: type as IssuerDraft['type'] })}
      />
      {draft.type === 'explicit_url' && (
        <TextField
          label="Address of its keys"
          type="url"
          {...ofKeys('url')}
          isRequired
          maxLength={2_048}
          value={draft.url}
          onChange={(url) => set({ url })}
        />
      )}
      {draft.type === 'inline' && (
        <TextArea
          label="Its keys as JSON"
          {...ofKeys('keys')}
          rows={8}
          value={draft.keys}
          onChange={(keys) => set({ keys })}
        />
      )}
    </>
  );
}
