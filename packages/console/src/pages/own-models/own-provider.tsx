import type { ReactNode } from 'react';
import { answered, api, ifMatch, tagOfShown } from '../../api/client';
import { CreatePrivateProviderRequest } from '../../api/descriptions';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import { FormDialog } from '../../components/dialog';
import { requestFields, TextField } from '../../components/fields';
import { useKeptForm } from '../../components/kept-form';

type Provider = Schema<'PrivateProvider'>;

interface ProviderDraft {
  readonly name: string;
  readonly slug: string;
  readonly displayName: string;
  readonly baseUrl: string;
}

interface OwnProviderProps {
  /** The provider that is changed; absent for another one. */
  readonly shown?: Provider;
  readonly onClose: () => void;
}

/** Adds a provider of the organization's own, or changes one. */
export function OwnProvider({ shown, onClose }: OwnProviderProps): ReactNode {
  const kept = useKeptForm<ProviderDraft>(`own provider ${shown?.slug ?? ''}`, () => ({
    name: '',
    slug: '',
    displayName: shown?.display_name ?? '',
    baseUrl: shown?.base_url ?? '',
  }));
  const { draft, change } = kept;
  const save = useChange({
    run: () => (shown === undefined ? created(draft) : changed(shown, draft)),
    invalidates: ['private-providers', 'private-endpoints'],
    says: ({ display_name: name }) => `${name} was saved.`,
    then: onClose,
  });
  const of = requestFields(CreatePrivateProviderRequest, save.error);
  const set = (part: Partial<ProviderDraft>): void => change({ ...draft, ...part });
  return (
    <FormDialog
      title={shown === undefined ? 'Add a provider' : `Change ${shown.display_name}`}
      submit={shown === undefined ? 'Add the provider' : 'Save'}
      change={save}
      kept={kept}
      onClose={onClose}
    >
      {shown === undefined && (
        <>
          <TextField
            label="Name"
            {...of('name')}
            isRequired
            maxLength={64}
            value={draft.name}
            onChange={(name) => set({ name })}
          />
          <TextField
            label="Slug"
            {...of('slug')}
            maxLength={64}
            value={draft.slug}
            onChange={(slug) => set({ slug })}
          />
        </>
      )}
      <TextField
        label="Name for people"
        {...of('display_name')}
        maxLength={100}
        value={draft.displayName}
        onChange={(displayName) => set({ displayName })}
      />
      <TextField
        label="Address"
        {...of('base_url')}
        maxLength={2_048}
        value={draft.baseUrl}
        onChange={(baseUrl) => set({ baseUrl })}
      />
    </FormDialog>
  );
}

async function created({ name, slug, displayName, baseUrl }: ProviderDraft): Promise<Provider> {
  const body = {
    name: name.trim(),
    ...(slug.trim() !== '' && { slug: slug.trim() }),
    ...(displayName.trim() !== '' && { display_name: displayName.trim() }),
    ...(baseUrl.trim() !== '' && { base_url: baseUrl.trim() }),
  };
  return (await answered(api.POST('/api/v1/private-providers', { body }))).data;
}

async function changed(shown: Provider, { displayName, baseUrl }: ProviderDraft): Promise<Provider> {
  const path = { slug: shown.slug };
  const read = api.GET('/api/v1/private-providers/{slug}', { params: { path } });
  const isAsShown = (now: Provider): boolean =>
    now.base_url === shown.base_url && now.display_name === shown.display_name;
  const header = ifMatch(await tagOfShown(read, isAsShown));
  const name = displayName.trim();
  const body = { ...(name !== '' && { display_name: name }), base_url: baseUrl.trim() || null };
  return (await answered(api.PATCH('/api/v1/private-providers/{slug}', { params: { path, header }, body }))).data;
}
