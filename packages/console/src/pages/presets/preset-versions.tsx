import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answered, api } from '../../api/client';
import { useNames } from '../../api/names';
import type { Schema } from '../../api/types';
import { type Column, DataTable } from '../../components/data-table';
import { Failure } from '../../components/failure';
import { Pager } from '../../components/filters';
import { Section } from '../../components/page';
import { Badge, Time } from '../../components/values';
import { changesBetween, type PresetChange } from './preset-changes';

type Version = Schema<'PresetVersion'>;

/** How many versions are shown at once. Each can have a quarter of a megabyte. */
const LIMIT = 10;

const COLUMNS: readonly Column<PresetChange>[] = [
  { name: 'Field', cell: ({ field }) => <code>{field}</code> },
  { name: 'Before', cell: ({ before }) => <Value text={before} /> },
  { name: 'Now', cell: ({ now }) => <Value text={now} /> },
];

/** The longest text that is shown without a frame in which it scrolls. */
const LONGEST = 500;

function Value({ text }: { readonly text: string | undefined }): ReactNode {
  if (text === undefined) return <span className="quiet">not set</span>;
  return text.length > LONGEST ? <pre tabIndex={0}>{text}</pre> : <code className="said">{text}</code>;
}

interface PresetVersionsProps {
  readonly preset: Pick<Schema<'Preset'>, 'workspace_id' | 'slug'>;
  /** The number of the version in force. */
  readonly newest: number;
  /** Fills the form with a version; undefined for those who may only look. */
  readonly onTake: ((version: Version) => void) | undefined;
}

/** The versions of a preset, newest first, each with what it has changed. */
export function PresetVersions({ preset, newest, onTake }: PresetVersionsProps): ReactNode {
  const [skipped, setSkipped] = useState(0);
  const { workspace_id: workspace, slug } = preset;
  // The interface lists them oldest first. The one before the last that is shown is read too, to compare it with.
  const last = newest - skipped;
  const first = Math.max(0, last - LIMIT - 1);
  const query = { workspace_id: workspace, offset: first, limit: last - first };
  const found = useQuery({
    queryKey: ['preset-versions', slug, query],
    queryFn: ({ signal }) =>
      answered(api.GET('/api/v1/presets/{slug}/versions', { params: { path: { slug }, query }, signal })),
    placeholderData: keepPreviousData,
    enabled: last > 0,
  });
  const versions = found.data?.data.toReversed() ?? [];
  const shown = versions.filter(({ version }) => version > Math.max(0, last - LIMIT) && version <= last);
  return (
    <Section title="Versions">
      <Failure error={found.error} />
      <ul className="plain-list">
        {shown.map((version) => (
          <li key={version.id}>
            <VersionDetails
              version={version}
              before={versions.find((other) => other.version === version.version - 1)}
              isInForce={version.version === newest}
              onTake={onTake}
            />
          </li>
        ))}
      </ul>
      <Pager offset={skipped} limit={LIMIT} shown={shown.length} total={newest} onMove={setSkipped} />
    </Section>
  );
}

interface VersionDetailsProps {
  readonly version: Version;
  /** Undefined for the first one. */
  readonly before: Version | undefined;
  readonly isInForce: boolean;
  readonly onTake: PresetVersionsProps['onTake'];
}

function VersionDetails({ version, before, isInForce, onTake }: VersionDetailsProps): ReactNode {
  const names = useNames();
  const { version: number, config, system_prompt: prompt, created_at: at, creator_id: creator } = version;
  const changes = changesBetween(before, version);
  return (
    <details open={isInForce}>
      <summary>
        Version {number} {isInForce && <Badge tone="good">In force</Badge>}
      </summary>
      <p className="quiet">
        Made by {names.member(creator)}, <Time at={at} />
      </p>
      <DataTable
        caption={`What version ${number} has changed`}
        columns={COLUMNS}
        rows={changes}
        keyOf={({ field }) => field}
        empty={before === undefined ? 'It sets nothing.' : `Nothing differs from version ${number - 1}.`}
      />
      <details>
        <summary>All of version {number}</summary>
        <pre tabIndex={0} aria-label={`All of version ${number}`}>
          {JSON.stringify({ config, system_prompt: prompt }, null, 2)}
        </pre>
      </details>
      {!isInForce && onTake !== undefined && (
        <button type="button" onClick={() => onTake(version)}>
          Fill the form with version {number}
        </button>
      )}
    </details>
  );
}
