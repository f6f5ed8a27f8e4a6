import type { ReactNode } from 'react';
import type { Schema } from '../../api/types';
import { Badge, Meter, usd } from '../../components/values';

interface KeyStateProps {
  /** A key of either kind. */
  readonly apiKey: Pick<Schema<'Key'>, 'disabled' | 'expires_at' | 'suspension_causes'>;
}

/** Whether a key is accepted, and if not, why. */
export function KeyState({ apiKey }: KeyStateProps): ReactNode {
  if (apiKey.disabled) return <Badge tone="warning">Disabled</Badge>;
  if (apiKey.expires_at !== null && new Date(apiKey.expires_at) <= new Date())
    return <Badge tone="warning">Expired</Badge>;
  if (apiKey.suspension_causes.length > 0) return <Badge tone="bad">Suspended</Badge>;
  return <Badge tone="good">Active</Badge>;
}

/** What a key has spent of its limit. */
export function KeySpend({ apiKey }: { readonly apiKey: Schema<'Key'> }): ReactNode {
  const { limit, limit_remaining: remaining, limit_reset: reset, usage, name } = apiKey;
  if (limit === null || remaining === null) return <>{usd(usage)}</>;
  const used = limit - remaining;
  return (
    <span className="spend">
      {usd(used)} of {usd(limit)}
      {reset !== null && ` ${reset}`}
      <Meter used={used} limit={limit} label={`Spent of the limit of ${name}`} />
    </span>
  );
}
