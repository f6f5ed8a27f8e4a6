import { type ReactNode, useId } from 'react';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly issue?: string | undefined;
}

interface ValueProps<Value> extends FieldProps {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** The label, hint and issue around an input, tied to it for screen readers. */
function Field({
  label,
  hint,
  issue,
  children,
}: FieldProps & {
  readonly children: (attributes: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode;
}): ReactNode {
  const id = useId();
  const described = [hint != null && `${id}-hint`, issue !== undefined && `${id}-issue`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        ...(described !== '' && { 'aria-describedby': described }),
        ...(issue !== undefined && { 'aria-invalid': true }),
      })}
      {hint != null && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {issue !== undefined && (
        <p className="issue" id={`${id}-issue`}>
          {issue}
        </p>
      )}
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
export function CheckField({ label, value, onChange, hint }: ValueProps<boolean>): ReactNode {
  const id = useId();
  return (
    <div className="field check">
      <input
        type="checkbox"
        id={id}
        checked={value}
        aria-describedby={hint == null ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {hint != null && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
