import { Fragment, type ReactNode, useId } from 'react';
import { ApiError } from '../api/client';

/** What every field has. */
export interface FieldProps {
  readonly label: string;
  /** What it is for, where the page shows that already: it is only read out, behind the label. */
  readonly purpose?: string;
  /** A text may have code between backticks, as descriptions of the interface do. */
  readonly hint?: ReactNode;
  readonly issue?: string | undefined;
}

/** What is said about a field. */
export type Notes = Pick<FieldProps, 'hint' | 'issue'>;

/** What is said about the fields of a request, by their names. */
export type FieldsOf<Descriptions> = (name: keyof Descriptions) => Notes;

/** What a field with a value has. */
export interface ValueProps<Value> extends FieldProps {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/**
 * What fields of a form have from the request that it sends: as hint what the interface says of a field, and what it has refused about it.
 *
 * @param descriptions of the request, from `api/descriptions`
 * @param error of the request, if it has failed
 * @returns by the name of the field in the request; in an object or a list of the request it is behind its path
 */
export function requestFields<Name extends string>(
  descriptions: Readonly<Record<Name, string>>,
  error: Error | null,
  path = '',
): (name: Name) => Notes {
  return (name) => ({
    hint: hintOf(descriptions[name]),
    issue: error instanceof ApiError ? error.issueOf(path + name) : undefined,
  });
}

/** Whether a hint says nothing beyond the label, as "The name of the key." does below "Name". */
function repeats(hint: ReactNode, label: string): boolean {
  if (typeof hint !== 'string') return false;
  const [, said] = /^The (?:id of the )?(.+?)(?: (?:of|in) the \w+)?\.$/.exec(hint) ?? [];
  return said?.toLowerCase() === label.toLowerCase();
}

/** How a request leaves a value out, at the beginning of a sentence and within one. */
const LEFT_OUT = /\b(?:absent or null|null or absent|null|absent)\b/gi;

/** What only requests can say: a form that is left empty sends no list. */
const EMPTY_LIST = / An empty list [^.]*\./g;

/** What the interface says of a field, as one says it who fills in a form: what requests leave out, or set to null, is left empty there. */
function hintOf(description: string): string {
  return description
    .replaceAll(EMPTY_LIST, '')
    .replaceAll(LEFT_OUT, (word) => (/^[A-Z]/.test(word) ? 'Empty' : 'empty'));
}

/** A hint, in which a text has code between backticks. */
function Hint({ children }: { readonly children: ReactNode }): ReactNode {
  if (typeof children !== 'string') return children;
  return children
    .split('`')
    .map((part, index) =>
      index % 2 === 1 ? <code key={index}>{part}</code> : <Fragment key={index}>{part}</Fragment>,
    );
}

/** What ties an input to its hint and issue for screen readers. */
interface Described {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
}

function described(id: string, { hint, issue }: Notes): Described {
  const notes = [hint != null && `${id}-hint`, issue !== undefined && `${id}-issue`].filter(Boolean).join(' ');
  return {
    id,
    ...(notes !== '' && { 'aria-describedby': notes }),
    ...(issue !== undefined && { 'aria-invalid': true }),
  };
}

/** The hint and the issue below an input. */
function FieldNotes({ id, hint, issue }: Notes & { readonly id: string }): ReactNode {
  return (
    <>
      {hint != null && (
        <p className="hint" id={`${id}-hint`}>
          <Hint>{hint}</Hint>
        </p>
      )}
      {issue !== undefined && (
        <p className="issue" id={`${id}-issue`}>
          {issue}
        </p>
      )}
    </>
  );
}

/** What is said about the fields of a group together, below its name. */
export function FieldsetNotes({ hint, issue }: Notes): ReactNode {
  return <FieldNotes id={useId()} hint={hint} issue={issue} />;
}

/** The label, hint and issue around an input, tied to it for screen readers. */
export function Field({
  label,
  purpose,
  children,
  hint,
  issue,
}: FieldProps & { readonly children: (attributes: Described) => ReactNode }): ReactNode {
  const id = useId();
  const notes = { hint: repeats(hint, label) ? undefined : hint, issue };
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {purpose !== undefined && <span className="hidden"> for {purpose}</span>}
      </label>
      {children(described(id, notes))}
      <FieldNotes id={id} {...notes} />
    </div>
  );
}

interface TextFieldProps extends ValueProps<string> {
  readonly type?: 'text' | 'email' | 'search' | 'datetime-local' | 'url' | 'password';
  readonly isRequired?: boolean;
  readonly maxLength?: number;
}

/** A line of text. */
export function TextField({
  value,
  onChange,
  type = 'text',
  isRequired = false,
  maxLength,
  ...field
}: TextFieldProps): ReactNode {
  return (
    <Field {...field}>
      {(attributes) => (
        <input
          {...attributes}
          type={type}
          value={value}
          required={isRequired}
          maxLength={maxLength}
          autoComplete={type === 'password' ? 'new-password' : 'off'}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

/** Several lines of text. */
export function TextArea({
  value,
  onChange,
  rows = 4,
  ...field
}: ValueProps<string> & { readonly rows?: number }): ReactNode {
  return (
    <Field {...field}>
      {(attributes) => (
        <textarea
          {...attributes}
          value={value}
          rows={rows}
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

interface NumberFieldProps extends ValueProps<number | null> {
  readonly min?: number;
  readonly max?: number;
  readonly step?: number | 'any';
  readonly isRequired?: boolean;
}

/** A number, or null where nothing is filled in. */
export function NumberField({
  value,
  onChange,
  min,
  max,
  step = 1,
  isRequired = false,
  ...field
}: NumberFieldProps): ReactNode {
  return (
    <Field {...field}>
      {(attributes) => (
        <input
          {...attributes}
          type="number"
          inputMode="decimal"
          value={value ?? ''}
          min={min}
          max={max}
          step={step}
          required={isRequired}
          onChange={(event) => onChange(event.target.value === '' ? null : event.target.valueAsNumber)}
        />
      )}
    </Field>
  );
}

/** One of several values, each with its label. */
export type Option = readonly [value: string, label: string];

interface SelectFieldProps extends ValueProps<string> {
  readonly options: readonly Option[];
  /** Whether the empty text is no choice. */
  readonly isRequired?: boolean;
}

/** A choice of one. */
export function SelectField({ value, onChange, options, isRequired = false, ...field }: SelectFieldProps): ReactNode {
  return (
    <Field {...field}>
      {(attributes) => (
        <select {...attributes} value={value} required={isRequired} onChange={(event) => onChange(event.target.value)}>
          {options.map(([option, label]) => (
            <option key={option} value={option}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** Yes or no. */
export function CheckField({ label, value, onChange, ...notes }: ValueProps<boolean>): ReactNode {
  const id = useId();
  return (
    <div className="field check">
      <input
        {...described(id, notes)}
        type="checkbox"
        checked={value}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      <FieldNotes id={id} {...notes} />
    </div>
  );
}
