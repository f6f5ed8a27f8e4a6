import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answered, api } from '../../api/client';
import { useMay } from '../../api/session';
import { CheckField, FieldsetNotes, type Notes } from '../../components/fields';
import { placeNames } from '../../components/filter-places';

/** The most that a list gives at once. */
const LIMIT = 100;

interface InspectorChoiceProps extends Notes {
  /** The ids of those that the guardrail names. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Which inspectors judge texts for a guardrail. Those that it names stay also where they cannot be listed. */
export function InspectorChoice({ chosen, onChange, ...notes }: InspectorChoiceProps): ReactNode {
  const may = useMay();
  const { data } = useQuery({
    queryKey: ['inspectors', 'names'],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/inspectors', { params: { query: { limit: LIMIT } }, signal })),
    enabled: may('inspectors_read'),
  });
  const inspectors = data?.data ?? [];
  const listed = new Set(inspectors.map(({ id }) => id));
  const choices: readonly (readonly [id: string, label: string, hint?: string])[] = [
    ...inspectors.map(({ id, name, applies_to: places }) => [id, name, `Judges ${placeNames(places)}.`] as const),
    ...chosen.filter((id) => !listed.has(id)).map((id) => [id, id] as const),
  ];
  if (choices.length === 0) return null;
  return (
    <fieldset>
      <legend>Inspectors</legend>
      <FieldsetNotes {...notes} />
      <div className="pairs">
        {choices.map(([id, label, hint]) => (
          <CheckField
            key={id}
            label={label}
            hint={hint}
            value={chosen.includes(id)}
            onChange={(isChosen) => onChange(isChosen ? [...chosen, id] : chosen.filter((other) => other !== id))}
          />
        ))}
      </div>
    </fieldset>
  );
}
