import type { ReactNode } from 'react';
import { SelectField } from '../../components/fields';

/** Seconds, and how they are said. */
const GRACES = [
  ['0', 'At once'],
  ['3600', 'After an hour'],
  ['86400', 'After a day'],
  ['604800', 'After a week'],
] as const;

/** The one that is chosen at first. */
export const USUAL_GRACE = '86400';

interface GraceFieldProps {
  /** In seconds. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** How long the secret before a rotation is still accepted. */
export function GraceField({ value, onChange }: GraceFieldProps): ReactNode {
  return <SelectField label="The old secret ends" value={value} options={GRACES} onChange={onChange} />;
}
