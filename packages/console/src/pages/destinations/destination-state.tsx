import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../components/values';

/** What each state means for the reader. */
const TONES: Readonly<Record<string, Tone>> = {
  active: 'good',
  retrying: 'warning',
  paused: 'bad',
  gone: 'bad',
};

/** How deliveries to a destination go, as a word. */
export function DestinationState({ state }: { readonly state: string }): ReactNode {
  return <Badge tone={TONES[state] ?? 'neutral'}>{state}</Badge>;
}
