import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { answered, api } from '../../api/client';
import { useNames, useWorkspaces } from '../../api/names';
import { useMay } from '../../api/session';
import type { Schema } from '../../api/types';
import type { Column } from '../../components/data-table';
import { Failure } from '../../components/failure';
import { FilterBar, SelectFilter, TextFilter, useFilters } from '../../components/filters';
import { PagedTable, pageQuery } from '../../components/lists';
import { ManagedMark } from '../../components/managed';
import { Page } from '../../components/page';
import { Badge, Time, type Tone } from '../../components/values';

type Preset = Schema<'Preset'>;

const LIMIT = 50;

const STATES = {
  active: ['good', 'Active'],
  disabled: ['neutral', 'Disabled'],
  archived: ['neutral', 'Archived'],
} as const satisfies Readonly<Record<Preset['status'], readonly [Tone, string]>>;

/** Whether requests can use a preset. */
export function PresetState({ status }: Pick<Preset, 'status'>): ReactNode {
  const [tone, label] = STATES[status];
  return <Badge tone={tone}>{label}</Badge>;
}

/** Where a preset is shown: a slug is unique only in its workspace. */
export function pathOfPreset({ workspace_id: workspace, slug }: Pick<Preset, 'workspace_id' | 'slug'>): string {
  return `/presets/${workspace}/${slug}`;
}

/** What requests name as their model, so that a preset answers. */
export function modelOfPreset(slug: string): string {
  return `@preset/${slug}`;
}

/** What files call a preset by. */
export function managedIdOf({ workspace_id: workspace, slug }: Pick<Preset, 'workspace_id' | 'slug'>): string {
  return `${workspace}/${slug}`;
}

/** The presets of one workspace. */
export function PresetsPage(): ReactNode {
  const filters = useFilters();
  const workspaces = useWorkspaces();
  const names = useNames();
  const may = useMay();
  const [, navigate] = useLocation();
  const workspace = filters.get('workspace');
  const query = { ...pageQuery(filters, LIMIT, '-updated_at'), ...(workspace !== '' && { workspace_id: workspace }) };
  const presets = useQuery({
    queryKey: ['presets', query],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/presets', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
  const columns: readonly Column<Preset>[] = [
    {
      name: 'Preset',
      sortAs: 'name',
      cell: (preset) => (
        <>
          <Link href={pathOfPreset(preset)}>{preset.name}</Link>
          <ManagedMark section="presets" id={managedIdOf(preset)} />
        </>
      ),
    },
    { name: 'Model of requests', cell: ({ slug }) => <code>{modelOfPreset(slug)}</code> },
    { name: 'State', cell: ({ status }) => <PresetState status={status} />, sortBy: ({ status }) => status },
    { name: 'Made by', cell: ({ creator_user_id: user }) => names.member(user) },
    { name: 'Created', sortAs: 'created_at', cell: ({ created_at: at }) => <Time at={at} /> },
    { name: 'Newest version', sortAs: 'updated_at', cell: ({ updated_at: at }) => <Time at={at} /> },
  ];
  return (
    <Page
      title="Presets"
      actions={
        may('presets_write') && (
          <button
            type="button"
            className="primary"
            onClick={() => navigate(workspace === '' ? '/presets/new' : `/presets/new?workspace=${workspace}`)}
          >
            Create a preset
          </button>
        )
      }
    >
      <p>A preset is a model with its prompt and parameters under one name. Whoever changes it changes no client.</p>
      <FilterBar filters={filters}>
        <TextFilter filters={filters} name="search" label="Search" />
        <SelectFilter
          filters={filters}
          name="workspace"
          label="Workspace"
          options={[['', 'The default workspace'], ...workspaces.map(({ id, name }) => [id, name] as const)]}
        />
      </FilterBar>
      <Failure error={presets.error} />
      <PagedTable
        caption="Presets"
        columns={columns}
        filters={filters}
        query={query}
        list={presets}
        keyOf={({ id }) => id}
        empty="The workspace has no presets yet. Create one, and its keys can name it in place of a model."
      />
    </Page>
  );
}
