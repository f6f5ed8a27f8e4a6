import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { type Option, SelectField, TextField } from './fields';
import { Icon } from './icon';
import { SuggestField, type Suggestions } from './suggestions';

/** The filters of a page: what is in its address, and how that is changed. */
export interface Filters {
  /** The value of a filter; an empty text where it is not set. */
  readonly get: (name: string) => string;
  /** Sets filters or the order, or takes them away with an empty text. It begins at the first page again. */
  readonly set: (values: Readonly<Record<string, string>>) => void;
  /** Whether any is set. */
  readonly isSet: boolean;
  readonly clear: () => void;
}

/** Where a list is read from. */
export const PLACES: readonly string[] = ['offset', 'cursor'];

/** In which order a list is; as {@link PLACES} it is no filter. */
const ORDER = 'sort';

/** Keeps the filters of a page in its address, so that a link, a reload and the way back show the same. */
export function useFilters(): Filters {
  const [parameters, setParameters] = useSearchParams();
  return {
    get: (name) => parameters.get(name) ?? '',
    set: (values) =>
      setParameters(
        (before) => {
          const next = new URLSearchParams(before);
          for (const place of PLACES) next.delete(place);
          for (const [name, value] of Object.entries(values)) {
            if (value === '') next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { replace: !Object.keys(values).some((name) => PLACES.includes(name)) },
      ),
    isSet: [...parameters.keys()].some((name) => name !== ORDER && !PLACES.includes(name)),
    clear: () => setParameters({}, { replace: true }),
  };
}

/** The bar of filters above a list, with a button that takes all of them away. */
export function FilterBar({
  filters,
  children,
}: {
  readonly filters: Filters;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <search className="filters" aria-label="Filters">
      {children}
      {filters.isSet && (
        <button type="button" className="plain" onClick={filters.clear}>
          Clear filters
        </button>
      )}
    </search>
  );
}

interface FilterProps {
  readonly filters: Filters;
  readonly name: string;
  readonly label: string;
}

/** A filter with one of several values; the first stands for none. */
export function SelectFilter({
  filters,
  name,
  label,
  options,
}: FilterProps & { readonly options: readonly Option[] }): ReactNode {
  return (
    <SelectField
      label={label}
      value={filters.get(name)}
      options={options}
      onChange={(value) => filters.set({ [name]: value })}
    />
  );
}

/** How long a text filter waits for the next key, in milliseconds. */
const TYPING_MS = 300;

/** What is typed into a filter. It counts a moment after the last key. */
function useTyped(filters: Filters, name: string): readonly [typed: string, type: (value: string) => void] {
  const current = filters.get(name);
  const [typed, setTyped] = useState(current);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The address has changed by other means: the way back, or the button that clears.
  useEffect(() => setTyped(current), [current]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (value: string): void => {
    setTyped(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => filters.set({ [name]: value.trim() }), TYPING_MS);
  };
  return [typed, type];
}

/** A filter that is typed. */
export function TextFilter({
  filters,
  name,
  label,
  issue,
}: FilterProps & { readonly issue?: string | undefined }): ReactNode {
  const [typed, type] = useTyped(filters, name);
  return <TextField label={label} type="search" value={typed} issue={issue} onChange={type} />;
}

interface SuggestFilterProps extends FilterProps {
  readonly suggestions: Suggestions;
  readonly issue?: string | undefined;
  /** What the value is called, where it is an id. */
  readonly hint?: ReactNode;
}

/** A filter that is typed, with suggestions. */
export function SuggestFilter({ filters, name, ...field }: SuggestFilterProps): ReactNode {
  const [typed, type] = useTyped(filters, name);
  return <SuggestField {...field} value={typed} onChange={type} />;
}

/** A filter by time. The address has it in UTC, so that a link means the same everywhere; the field shows the browser's time. */
export function TimeFilter({ filters, name, label }: FilterProps): ReactNode {
  return (
    <TextField
      label={label}
      type="datetime-local"
      value={toLocalInput(filters.get(name))}
      onChange={(value) => filters.set({ [name]: fromLocalInput(value) ?? '' })}
    />
  );
}

/** A time as the field takes it: that of the browser, without a zone. @returns an empty text for what is no time */
export function toLocalInput(iso: string): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return '';
  const offset = new Date(time).getTimezoneOffset() * 60_000;
  return new Date(time - offset).toISOString().slice(0, 16);
}

/** The moment that stands in an input of date and time, as the interface takes it; null for none. */
export function fromLocalInput(text: string): string | null {
  return text === '' ? null : new Date(text).toISOString();
}

/** A filter that is set by a link, on the page or elsewhere, and can only be taken away here. Nothing where it is not set. */
export function LinkedFilter({ filters, name, label, shown }: FilterProps & { readonly shown: string }): ReactNode {
  if (filters.get(name) === '') return null;
  return (
    <p className="linked-filter">
      {label}: {shown}{' '}
      <button
        type="button"
        className="plain"
        aria-label={`Remove the filter ${label}`}
        onClick={() => filters.set({ [name]: '' })}
      >
        <Icon name="close" />
      </button>
    </p>
  );
}

interface PagerProps {
  readonly offset: number;
  readonly limit: number;
  readonly shown: number;
  /** How many there are on all pages, where that is known. */
  readonly total?: number;
  readonly onMove: (offset: number) => void;
}

/** The way through a list by pages. */
export function Pager({ offset, limit, shown, total, onMove }: PagerProps): ReactNode {
  const hasNext = total === undefined ? shown === limit : offset + shown < total;
  if (offset === 0 && !hasNext) return null;
  return (
    <nav className="pager" aria-label="Pages of the list">
      <button type="button" disabled={offset === 0} onClick={() => onMove(Math.max(0, offset - limit))}>
        Previous
      </button>
      <span>
        {shown === 0 ? 'None' : `${offset + 1} to ${offset + shown}`}
        {total !== undefined && ` of ${total}`}
      </span>
      <button type="button" disabled={!hasNext} onClick={() => onMove(offset + limit)}>
        Next
      </button>
    </nav>
  );
}
