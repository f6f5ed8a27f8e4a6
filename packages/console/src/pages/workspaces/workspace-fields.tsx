import type { ReactNode } from 'react';
import { CreateWorkspaceRequest, RateLimitsInput } from '../../api/descriptions';
import { CheckField, NumberField, requestFields, SelectField, TextArea, TextField } from '../../components/fields';
import { ALLOWED_LABELS, MODELS, SuggestField, SuggestLines } from '../../components/suggestions';
import type { WorkspaceDraft } from './workspace-draft';

const SORTS = ['price', 'throughput', 'latency'] as const;

interface WorkspaceFieldsProps {
  readonly draft: WorkspaceDraft;
  readonly onChange: (draft: WorkspaceDraft) => void;
  readonly error: Error | null;
}

/** The fields of a workspace. */
export function WorkspaceFields({ draft, onChange, error }: WorkspaceFieldsProps): ReactNode {
  const of = requestFields(CreateWorkspaceRequest, error);
  const ofRate = requestFields(RateLimitsInput, error, 'rate_limits.');
  const set = (changed: Partial<WorkspaceDraft>): void => onChange({ ...draft, ...changed });
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
      <TextField
        label="Slug"
        {...of('slug')}
        isRequired
        maxLength={50}
        value={draft.slug}
        onChange={(slug) => set({ slug })}
      />
      <TextField
        label="Description"
        {...of('description')}
        maxLength={500}
        value={draft.description}
        onChange={(description) => set({ description })}
      />
      <SuggestField
        label="Model for text"
        {...of('default_text_model')}
        suggestions={MODELS}
        maxLength={256}
        value={draft.textModel}
        onChange={(textModel) => set({ textModel })}
      />
      <SuggestField
        label="Model for images"
        {...of('default_image_model')}
        suggestions={MODELS}
        maxLength={256}
        value={draft.imageModel}
        onChange={(imageModel) => set({ imageModel })}
      />
      <SelectField
        label="Order of providers"
        {...of('default_provider_sort')}
        value={draft.providerSort}
        options={[['', 'By default'], ...SORTS.map((sort) => [sort, sort] as const)]}
        onChange={(providerSort) => set({ providerSort })}
      />
      <fieldset>
        <legend>Limits of all its keys together</legend>
        <NumberField
          label="Requests per minute"
          {...ofRate('requests_per_minute')}
          min={1}
          value={draft.requestsPerMinute}
          onChange={(requestsPerMinute) => set({ requestsPerMinute })}
        />
        <NumberField
          label="Tokens per minute"
          {...ofRate('tokens_per_minute')}
          min={1}
          value={draft.tokensPerMinute}
          onChange={(tokensPerMinute) => set({ tokensPerMinute })}
        />
      </fieldset>
      <SuggestLines
        label="Allowed labels, one name=value,value a line"
        {...of('allowed_labels')}
        suggestions={ALLOWED_LABELS}
        rows={2}
        value={draft.labels}
        onChange={(labels) => set({ labels })}
      />
      <CheckField
        label="Sends to destinations"
        {...of('is_observability_broadcast_enabled')}
        value={draft.broadcasts}
        onChange={(broadcasts) => set({ broadcasts })}
      />
      <CheckField
        label="Logs input and output"
        {...of('is_observability_io_logging_enabled')}
        value={draft.logs}
        onChange={(logs) => set({ logs })}
      />
      {draft.logs && (
        <NumberField
          label="Share that is logged"
          {...of('io_logging_sampling_rate')}
          min={0}
          max={1}
          step="any"
          isRequired
          value={draft.samplingRate}
          onChange={(samplingRate) => set({ samplingRate })}
        />
      )}
      <SelectField
        label="Cache of answers"
        {...of('is_response_cache_enabled')}
        value={draft.cache}
        options={[
          ['', 'Where input and output are logged'],
          ['true', 'On'],
          ['false', 'Off'],
        ]}
        onChange={(cache) => set({ cache })}
      />
      <TextArea
        label="Disabled server tools, one a line"
        {...of('disabled_server_tools')}
        rows={2}
        value={draft.disabledTools}
        onChange={(disabledTools) => set({ disabledTools })}
      />
    </>
  );
}
