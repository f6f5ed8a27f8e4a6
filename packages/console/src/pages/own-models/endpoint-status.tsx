import type { ReactNode } from 'react';
import type { Schema } from '../../api/types';
import { Badge } from '../../components/values';

const SAID = {
  draft: { tone: 'neutral', text: 'Draft' },
  active: { tone: 'good', text: 'Active' },
  disabled: { tone: 'warning', text: 'Disabled' },
} as const;

/** Whether an endpoint answers requests, in a word. */
export function EndpointStatus({ status }: Pick<Schema<'PrivateEndpoint'>, 'status'>): ReactNode {
  const { tone, text } = SAID[status];
  return <Badge tone={tone}>{text}</Badge>;
}
