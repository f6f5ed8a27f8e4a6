import type { ReactNode } from 'react';
import { CreatePrivateEndpointRequest, PrivateEndpointPricing } from '../../api/descriptions';
import type { Schema } from '../../api/types';
import { requestFields, SelectField, TextField } from '../../components/fields';
import { MODELS, OWN_PROVIDERS, SuggestField } from '../../components/suggestions';
import { usd } from '../../components/values';

/** What stands in the form of an endpoint. */
export interface EndpointDraft {
  readonly model: string;
  readonly provider: string;
  readonly upstreamName: string;
  readonly baseUrl: string;
  readonly prompt: string;
  readonly completion: string;
  readonly declaredZdr: string;
  readonly declaredRegion: string;
}

/** What an endpoint has; what a new one has at first without one. */
export function draftOf(endpoint?: Schema<'PrivateEndpoint'>): EndpointDraft {
  return {
    model: endpoint?.model_permaslug ?? '',
    provider: endpoint?.provider_slug ?? '',
    upstreamName: endpoint?.upstream_model_id ?? '',
    baseUrl: endpoint?.base_url ?? '',
    prompt: endpoint?.pricing?.prompt ?? '',
    completion: endpoint?.pricing?.completion ?? '',
    declaredZdr: endpoint?.declared_zdr == null ? '' : String(endpoint.declared_zdr),
    declaredRegion: endpoint?.declared_region ?? '',
  };
}

type Settings = Pick<
  Schema<'CreatePrivateEndpointRequest'>,
  'upstream_model_id' | 'declared_zdr' | 'declared_region' | 'pricing'
>;

/** What a new endpoint and a change of one have in common. Prices are sent as they stand, so that half of them is refused. */
export function toRequest(draft: EndpointDraft): Settings {
  const [prompt, completion] = [draft.prompt.trim(), draft.completion.trim()];
  return {
    upstream_model_id: draft.upstreamName.trim(),
    declared_zdr: draft.declaredZdr === '' ? null : draft.declaredZdr === 'true',
    declared_region: draft.declaredRegion === '' ? null : (draft.declaredRegion as Schema<'DataRegion'>),
    ...((prompt !== '' || completion !== '') && { pricing: { prompt, completion } }),
  };
}

/** Prices are those of one token; people compare those of a million. */
const PER_MILLION = 1_000_000;

interface EndpointFieldsProps {
  readonly draft: EndpointDraft;
  readonly onChange: (draft: EndpointDraft) => void;
  readonly error: Error | null;
  readonly isNew: boolean;
}

/** The fields of an endpoint. */
export function EndpointFields({ draft, onChange, error, isNew }: EndpointFieldsProps): ReactNode {
  const of = requestFields(CreatePrivateEndpointRequest, error);
  const ofPrice = requestFields(PrivateEndpointPricing, error, 'pricing.');
  const set = (changed: Partial<EndpointDraft>): void => onChange({ ...draft, ...changed });
  return (
    <>
      {isNew && (
        <>
          <SuggestField
            label="Model"
            {...of('model_permaslug')}
            suggestions={MODELS}
            isRequired
            maxLength={256}
            value={draft.model}
            onChange={(model) => set({ model })}
          />
          <SuggestField
            label="Provider"
            {...of('provider_slug')}
            suggestions={OWN_PROVIDERS}
            isRequired
            maxLength={64}
            value={draft.provider}
            onChange={(provider) => set({ provider })}
          />
        </>
      )}
      <TextField
        label="Name at the server"
        {...of('upstream_model_id')}
        isRequired
        maxLength={512}
        value={draft.upstreamName}
        onChange={(upstreamName) => set({ upstreamName })}
      />
      <TextField
        label="Address"
        {...of('base_url')}
        maxLength={2_048}
        value={draft.baseUrl}
        onChange={(baseUrl) => set({ baseUrl })}
      />
      <fieldset>
        <legend>Prices</legend>
        <p className="hint">{of('pricing').hint}</p>
        {(['prompt', 'completion'] as const).map((name) => (
          <TextField
            key={name}
            label={name === 'prompt' ? 'Prompt' : 'Answer'}
            {...ofPrice(name)}
            hint={`${PrivateEndpointPricing[name]}${perMillion(draft[name])}`}
            maxLength={32}
            value={draft[name]}
            onChange={(price) => set({ [name]: price })}
          />
        ))}
      </fieldset>
      <SelectField
        label="Zero data retention"
        {...of('declared_zdr')}
        value={draft.declaredZdr}
        options={[
          ['', 'Unknown'],
          ['true', 'Yes'],
          ['false', 'No'],
        ]}
        onChange={(declaredZdr) => set({ declaredZdr })}
      />
      <SelectField
        label="Region"
        {...of('declared_region')}
        value={draft.declaredRegion}
        options={[
          ['', 'Not said'],
          ['global', 'Global'],
          ['europe', 'Europe'],
          ['us', 'United States'],
        ]}
        onChange={(declaredRegion) => set({ declaredRegion })}
      />
    </>
  );
}

/** The price in the form, of a million tokens; nothing for what is no price. */
function perMillion(price: string): string {
  const one = Number(price);
  return price.trim() === '' || Number.isNaN(one) ? '' : ` A million tokens: ${usd(one * PER_MILLION)}.`;
}
