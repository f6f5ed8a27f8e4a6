import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../components/values';

/** How a request ended. @param refusal the reason where it was refused */
export function RequestStatus({
  status,
  refusal,
}: {
  readonly status: number;
  readonly refusal?: string | null | undefined;
}): ReactNode {
  const tone: Tone = status < 400 ? 'good' : status === 499 ? 'warning' : 'bad';
  return (
    <Badge tone={tone}>
      {status}
      {refusal != null && ` ${refusal}`}
    </Badge>
  );
}
