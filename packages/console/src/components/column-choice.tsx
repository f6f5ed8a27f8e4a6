import { type ReactNode, useState } from 'react';
import { CheckField } from './fields';

/** What stands before the names under which the browser keeps columns. */
const PREFIX = 'gatehouse.hidden-columns.';

/**
 * The columns that someone does not want to see, which this browser keeps.
 *
 * @param name under which; undefined where none can be chosen
 * @param atFirst those that are hidden until someone has chosen
 */
export function useHiddenColumns(
  name: string | undefined,
  atFirst: readonly string[],
): readonly [hidden: readonly string[], hide: (columns: readonly string[]) => void] {
  const [hidden, setHidden] = useState(() => (name === undefined ? [] : (readHidden(name) ?? atFirst)));
  const hide = (columns: readonly string[]): void => {
    setHidden(columns);
    if (name === undefined) return;
    try {
      localStorage.setItem(PREFIX + name, JSON.stringify(columns));
    } catch {
      // A browser that keeps nothing shows what was chosen until the page is left.
    }
  };
  return [hidden, hide];
}

function readHidden(name: string): readonly string[] | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PREFIX + name) ?? 'null');
    return Array.isArray(kept) ? kept.map(String) : undefined;
  } catch {
    return undefined;
  }
}

interface ColumnChoiceProps {
  readonly names: readonly string[];
  readonly hidden: readonly string[];
  readonly onChange: (hidden: readonly string[]) => void;
}

/** Which columns a table has. */
export function ColumnChoice({ names, hidden, onChange }: ColumnChoiceProps): ReactNode {
  return (
    <details className="column-choice">
      <summary>Columns</summary>
      <fieldset>
        <legend>Columns that are shown</legend>
        {names.map((name) => (
          <CheckField
            key={name}
            label={name}
            value={!hidden.includes(name)}
            onChange={(isShown) => onChange(isShown ? hidden.filter((each) => each !== name) : [...hidden, name])}
          />
        ))}
      </fieldset>
    </details>
  );
}
