import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useWorkspaces } from '../../api/names';
import { Badge, type Tone } from '../../components/values';

/** What each state means for the reader. */
const TONES: Readonly<Record<string, Tone>> = {
  active: 'good',
  retrying: 'warning',
  paused: 'bad',
  gone: 'bad',
};

interface DestinationStateProps {
  readonly state: string;
  /** Whether it gets anything where its workspace sends. */
  readonly enabled: boolean;
}

/** How deliveries to a destination go, as a word. */
export function DestinationState({ state, enabled }: DestinationStateProps): ReactNode {
  return <Badge tone={TONES[state] ?? 'neutral'}>{enabled ? state : 'disabled'}</Badge>;
}

/** Says that a workspace sends nothing to its destinations, and where that is changed. @param id empty for the default workspace */
export function SilentWorkspace({ id }: { readonly id: string }): ReactNode {
  const workspace = useWorkspaces().find((one) => (id === '' ? one.slug === 'default' : one.id === id));
  if (workspace === undefined || workspace.is_observability_broadcast_enabled) return null;
  return (
    <p>
      {workspace.name} sends nothing to destinations.{' '}
      <Link href={`/workspaces/${workspace.id}`}>Switch it on in its settings</Link>.
    </p>
  );
}
