import type { ReactNode } from 'react';
import { PresetInferenceRequest, ProviderPreferences } from '../../api/descriptions';
import { ApiError } from '../../api/client';
import { CheckField, requestFields, SelectField, TextArea } from '../../components/fields';
import { MODELS, PROVIDERS, SuggestField, SuggestList } from '../../components/suggestions';
import { type PresetDraft, SORTS } from './preset-draft';

interface PresetFieldsProps {
  readonly draft: PresetDraft;
  readonly onChange: (draft: PresetDraft) => void;
  readonly error: Error | null;
}

/** The fields of a version of a preset. */
export function PresetFields({ draft, onChange, error }: PresetFieldsProps): ReactNode {
  const of = requestFields(PresetInferenceRequest, error);
  const ofProvider = requestFields(ProviderPreferences, error, 'provider.');
  const set = (changed: Partial<PresetDraft>): void => onChange({ ...draft, ...changed });
  return (
    <>
      <SuggestField
        label="Model"
        {...of('model')}
        suggestions={MODELS}
        value={draft.model}
        onChange={(model) => set({ model })}
      />
      <SuggestList
        label="Fallbacks"
        {...of('models')}
        suggestions={MODELS}
        value={draft.fallbacks}
        onChange={(fallbacks) => set({ fallbacks })}
      />
      <TextArea
        label="System prompt"
        hint="The first message of requests that have none of their own."
        issue={of('messages').issue}
        rows={8}
        value={draft.prompt}
        onChange={(prompt) => set({ prompt })}
      />
      <fieldset>
        <legend>Providers</legend>
        <SuggestList
          label="First these, in this order"
          {...ofProvider('order')}
          suggestions={PROVIDERS}
          value={draft.order}
          onChange={(order) => set({ order })}
        />
        <SuggestList
          label="Only these"
          {...ofProvider('only')}
          suggestions={PROVIDERS}
          value={draft.only}
          onChange={(only) => set({ only })}
        />
        <SuggestList
          label="Never these"
          {...ofProvider('ignore')}
          suggestions={PROVIDERS}
          value={draft.ignore}
          onChange={(ignore) => set({ ignore })}
        />
        <SelectField
          label="Sorted by"
          {...ofProvider('sort')}
          value={draft.sort}
          options={[['', 'By default'], ...SORTS.map((sort) => [sort, sort] as const)]}
          onChange={(sort) => set({ sort })}
        />
        <CheckField
          label="Deny the collection of data"
          {...ofProvider('data_collection')}
          value={draft.deniesCollection}
          onChange={(deniesCollection) => set({ deniesCollection })}
        />
        <CheckField
          label="Zero data retention"
          {...ofProvider('zdr')}
          value={draft.zdr}
          onChange={(zdr) => set({ zdr })}
        />
      </fieldset>
      <TextArea
        label="Other parameters as JSON"
        hint='An object with all other fields of a chat completion, as `{"temperature": 0.2, "max_tokens": 1000}`.'
        issue={error instanceof ApiError ? error.issueOf('parameters') : undefined}
        rows={6}
        value={draft.parameters}
        onChange={(parameters) => set({ parameters })}
      />
    </>
  );
}
