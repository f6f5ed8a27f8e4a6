import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation, useParams, useSearchParams } from 'wouter';
import { answered, api, ApiError, tagOfShown } from '../../api/client';
import { useNames, useWorkspaces } from '../../api/names';
import { useMay } from '../../api/session';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import { announce } from '../../components/announcements';
import { Facts } from '../../components/facts';
import { Failure } from '../../components/failure';
import { SelectField, TextField } from '../../components/fields';
import { useKeptForm } from '../../components/kept-form';
import { ManagedNote } from '../../components/managed';
import { Page, Section } from '../../components/page';
import { PageForm } from '../../components/page-form';
import { Snippets } from '../../components/snippets';
import { Time } from '../../components/values';
import { draftOf, toRequest } from './preset-draft';
import { PresetFields } from './preset-fields';
import { PresetVersions } from './preset-versions';
import { managedIdOf, modelOfPreset, pathOfPreset, PresetState } from './presets';

type Preset = Schema<'PresetWithDesignatedVersion'>;

const CRUMBS = [{ label: 'Presets', to: '/presets' }];

/** What shows presets, and is asked anew when one has a new version. */
const SHOWN = ['presets', 'preset', 'preset-versions'];

/** Where a preset is, as parameters of its operations: in the default workspace where none is named. */
function placeOf(
  slug: string,
  workspace: string,
): {
  readonly path: { readonly slug: string };
  readonly query: { readonly workspace_id?: string };
} {
  return { path: { slug }, query: workspace === '' ? {} : { workspace_id: workspace } };
}

/** Makes a version of a preset, or the preset with its first one. */
function makeVersion(
  slug: string,
  workspace: string,
  body: Schema<'PresetInferenceRequest'>,
): Promise<{ readonly data: Preset }> {
  return answered(api.POST('/api/v1/presets/{slug}/chat/completions', { params: placeOf(slug, workspace), body }));
}

/** The interface would make another version of a preset that is there already. @throws ApiError at the slug, if there is one */
async function requireFree(slug: string, workspace: string): Promise<void> {
  const isFree = await answered(api.GET('/api/v1/presets/{slug}', { params: placeOf(slug, workspace) })).then(
    () => false,
    (error: unknown) => {
      if (error instanceof ApiError && error.status === NOT_FOUND) return true;
      throw error;
    },
  );
  if (isFree) return;
  const message = 'is that of another preset of the workspace';
  throw new ApiError(0, 'Nothing was created.', undefined, [{ path: 'slug', message }]);
}

const NOT_FOUND = 404;

/** A new preset. Then its page is shown, with how requests use it. */
export function NewPresetPage(): ReactNode {
  const [, navigate] = useLocation();
  const workspaces = useWorkspaces();
  const named = useSearchParams()[0].get('workspace') ?? '';
  const { draft, change, forget } = useKeptForm(`new preset ${named}`, () => ({
    ...draftOf(),
    slug: '',
    workspace: named,
  }));
  const create = useChange({
    run: async () => {
      const [slug, workspace, body] = [draft.slug.trim(), draft.workspace, toRequest(draft)];
      await requireFree(slug, workspace);
      return makeVersion(slug, workspace, body);
    },
    invalidates: SHOWN,
    says: ({ data }) => `The preset was created. Requests name it ${modelOfPreset(data.slug)}.`,
    then: ({ data }) => {
      forget();
      navigate(pathOfPreset(data), { replace: true });
    },
  });
  return (
    <Page title="New preset" crumbs={CRUMBS}>
      <PageForm submit="Create the preset" change={create}>
        <SelectField
          label="Workspace"
          hint="Keys use the presets of their own workspace."
          value={draft.workspace}
          options={[['', 'The default workspace'], ...workspaces.map(({ id, name }) => [id, name] as const)]}
          onChange={(workspace) => change({ ...draft, workspace })}
        />
        <TextField
          label="Slug"
          hint="Small letters, digits and single hyphens. Requests name the preset by it, as `@preset/support-bot`. It cannot be changed later."
          issue={create.error instanceof ApiError ? create.error.issueOf('slug') : undefined}
          isRequired
          maxLength={100}
          value={draft.slug}
          onChange={(slug) => change({ ...draft, slug })}
        />
        <PresetFields draft={draft} onChange={(changed) => change({ ...draft, ...changed })} error={create.error} />
      </PageForm>
    </Page>
  );
}

/** One preset: how it is used, its versions with what each has changed, and the form of the next one. */
export function PresetPage(): ReactNode {
  const { workspace, slug } = useParams<{ workspace: string; slug: string }>();
  const names = useNames();
  const found = useQuery({
    queryKey: ['preset', workspace, slug],
    queryFn: ({ signal }) => {
      const params = placeOf(slug, workspace);
      return answered(api.GET('/api/v1/presets/{slug}', { params, signal }));
    },
  });
  const preset = found.data?.data;
  return (
    <Page title={preset?.name ?? 'Preset'} crumbs={CRUMBS}>
      <Failure error={found.error} />
      {preset !== undefined && (
        <>
          <ManagedNote section="presets" id={managedIdOf(preset)} />
          <Facts
            facts={[
              ['State', <PresetState status={preset.status} />],
              ['Workspace', names.workspace(preset.workspace_id)],
              ['Version in force', preset.designated_version?.version],
              ['Made by', names.member(preset.creator_user_id)],
              ['Created', <Time at={preset.created_at} />],
              ['Newest version', <Time at={preset.updated_at} />],
            ]}
          />
          <Section title="How requests use it">
            <p>
              With a <Link href={`/keys?workspace=${preset.workspace_id}`}>key of its workspace</Link> they name{' '}
              <code>{modelOfPreset(slug)}</code> as their model. What a request sets itself replaces what the preset
              sets.
            </p>
            <Snippets chat={{ model: modelOfPreset(slug), messages: [{ role: 'user', content: 'Hello' }] }} />
          </Section>
          <PresetContent key={`${preset.id} ${preset.designated_version_id}`} preset={preset} />
        </>
      )}
    </Page>
  );
}

function PresetContent({ preset }: { readonly preset: Preset }): ReactNode {
  const { id, slug, workspace_id: workspace, designated_version_id: shown, designated_version: version } = preset;
  const may = useMay();
  const { draft, change, forget } = useKeptForm(`preset ${id} ${shown}`, () => draftOf(version ?? undefined));
  const save = useChange({
    run: async () => {
      const body = toRequest(draft);
      // The interface has no condition for this.
      const read = api.GET('/api/v1/presets/{slug}', { params: placeOf(slug, workspace) });
      await tagOfShown(read, (now) => now.designated_version_id === shown);
      return makeVersion(slug, workspace, body);
    },
    invalidates: SHOWN,
    says: ({ data }) => `Version ${data.designated_version?.version ?? 1} is in force.`,
    then: forget,
  });
  const isChanger = may('presets_write');
  const take = (taken: Schema<'PresetVersion'>): void => {
    change(draftOf(taken));
    announce(`The form has what version ${taken.version} has. Nothing is changed until it is saved.`);
  };
  return (
    <div className="beside">
      <PresetVersions preset={preset} newest={version?.version ?? 0} onTake={isChanger ? take : undefined} />
      <Section title={isChanger ? 'Next version' : 'Version in force'}>
        <PageForm submit={isChanger ? 'Save as the next version' : undefined} change={save}>
          <PresetFields draft={draft} onChange={change} error={save.error} />
        </PageForm>
      </Section>
    </div>
  );
}
