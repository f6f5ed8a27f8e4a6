import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { answered, api } from '../api/client';
import { nameOfMember } from '../api/names';
import type { Schema } from '../api/types';
import { Field, type Option, type ValueProps } from './fields';
import { Icon } from './icon';

/** What can be filled in, as one request says it. */
export interface Suggestions {
  /** The first part of the query key, by which changes have it asked anew. */
  readonly name: string;
  /** Whether the service searches for what is typed; otherwise it says all at once. */
  readonly isSearched?: boolean;
  readonly ask: (typed: string, signal: AbortSignal) => Promise<readonly Option[]>;
}

/** How many are suggested of what the service searches, and the most that one list gives. */
const SEARCHED = 20;
const LISTED = 100;

/** The models of the catalog. */
export const MODELS: Suggestions = {
  name: 'models',
  isSearched: true,
  ask: async (q, signal) => {
    const query = { limit: SEARCHED, output_modalities: 'all', ...(q !== '' && { q }) };
    const list = await answered(api.GET('/api/v1/models', { params: { query }, signal }));
    // The other form is that of another library's clients, who ask for it with a header.
    return (list as Schema<'ListModelsResponse'>).data.map(({ id, name }) => [id, name]);
  },
};

/** The providers of the catalog. */
export const PROVIDERS: Suggestions = {
  name: 'providers',
  ask: async (_, signal) =>
    (await answered(api.GET('/api/v1/providers', { signal }))).data.map(({ slug, name }) => [slug, name]),
};

/** The organization's own providers. */
export const OWN_PROVIDERS: Suggestions = {
  name: 'private-providers',
  ask: async (_, signal) => {
    const list = await answered(api.GET('/api/v1/private-providers', { params: { query: { limit: LISTED } }, signal }));
    return list.data.map(({ slug, display_name: name }) => [slug, name]);
  },
};

async function membersOf(signal: AbortSignal): Promise<readonly Schema<'OrganizationMember'>[]> {
  const query = { limit: LISTED };
  return (await answered(api.GET('/api/v1/organization/members', { params: { query }, signal }))).data;
}

/** The members of the organization: the first hundred. Another one's id can be filled in. */
export const MEMBERS: Suggestions = {
  name: 'members',
  ask: async (_, signal) =>
    (await membersOf(signal)).map((member) => [member.id, `${nameOfMember(member)}, ${member.email}`]),
};

/** The e-mail addresses of the members. Another one's can be filled in. */
export const ADDRESSES: Suggestions = {
  name: 'member-addresses',
  ask: async (_, signal) => (await membersOf(signal)).map((member) => [member.email, nameOfMember(member)]),
};

/** The API keys of the organization, by name, mask or hash. */
export const API_KEYS: Suggestions = {
  name: 'keys',
  isSearched: true,
  ask: async (search, signal) => {
    const query = { limit: SEARCHED, ...(search !== '' && { search }) };
    const list = await answered(api.GET('/api/v1/keys', { params: { query }, signal }));
    return list.data.map(({ hash, name, label }) => [hash, `${name}, ${label}`]);
  },
};

/** The limits by condition and group of the organization: the first hundred. */
export const LIMITS: Suggestions = {
  name: 'limits',
  ask: async (_, signal) => {
    const list = await answered(api.GET('/api/v1/limits', { params: { query: { limit: LISTED } }, signal }));
    return list.data.map(({ id, name }) => [id, name]);
  },
};

/** The guardrails of the organization: the first hundred. */
export const GUARDRAILS: Suggestions = {
  name: 'guardrails',
  ask: async (_, signal) => {
    const list = await answered(api.GET('/api/v1/guardrails', { params: { query: { limit: LISTED } }, signal }));
    return list.data.map(({ id, name }) => [id, name]);
  },
};

/** The webhooks among the destinations of a workspace. @param workspace empty for the default one */
export function webhooksOf(workspace: string): Suggestions {
  return {
    name: `webhooks ${workspace}`,
    ask: async (_, signal) => {
      const query = { limit: LISTED, ...(workspace !== '' && { workspace_id: workspace }) };
      const list = await answered(api.GET('/api/v1/observability/destinations', { params: { query }, signal }));
      return list.data.flatMap(({ type, id, name }) => (type === 'webhook' ? [[id, name ?? id] as const] : []));
    },
  };
}

/** How long suggestions wait for the next key, and are taken as they are, in milliseconds. */
const TYPING_MS = 300;
const FRESH_MS = 60_000;

/** What is suggested for what is typed, once it is needed: from the moment on at which the field is entered. */
export function useSuggestions(
  { name, isSearched = false, ask }: Suggestions,
  typed: string,
  isNeeded: boolean,
): readonly Option[] {
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const search = isSearched ? settled : '';
  const { data } = useQuery({
    queryKey: [name, 'suggestions', search],
    queryFn: ({ signal }) => ask(search, signal),
    enabled: isNeeded,
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });
  return data ?? [];
}

interface SuggestFieldProps extends ValueProps<string> {
  readonly suggestions: Suggestions;
  readonly isRequired?: boolean;
  readonly maxLength?: number;
  /** What else happens at a key that is pressed. */
  readonly onKeyDown?: (event: KeyboardEvent) => void;
}

/** A line of text with suggestions. What is not suggested can be filled in as well. */
export function SuggestField({
  suggestions,
  value,
  onChange,
  isRequired = false,
  maxLength,
  onKeyDown,
  ...field
}: SuggestFieldProps): ReactNode {
  const id = useId();
  const [isEntered, setEntered] = useState(false);
  const options = useSuggestions(suggestions, value, isEntered);
  return (
    <Field {...field}>
      {(attributes) => (
        <>
          <input
            {...attributes}
            type="text"
            list={id}
            value={value}
            required={isRequired}
            maxLength={maxLength}
            autoComplete="off"
            spellCheck={false}
            onFocus={() => setEntered(true)}
            onKeyDown={onKeyDown}
            onChange={(event) => onChange(event.target.value)}
          />
          <datalist id={id}>
            {options.map(([option, label]) => (
              <option key={option} value={option} label={label} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

interface SuggestListProps extends ValueProps<readonly string[]> {
  readonly suggestions: Suggestions;
  /** How one of the list is shown; as it is where absent. */
  readonly nameOf?: (value: string) => string;
}

/** Several values with suggestions: each is added by Enter or the button, and removed by its own. */
export function SuggestList({ suggestions, nameOf = String, value, onChange, ...field }: SuggestListProps): ReactNode {
  const [typed, setTyped] = useState('');
  const add = (): void => {
    const added = typed.trim();
    if (added === '') return;
    setTyped('');
    if (!value.includes(added)) onChange([...value, added]);
  };
  return (
    <div className="suggest-list">
      <SuggestField
        {...field}
        suggestions={suggestions}
        value={typed}
        onChange={setTyped}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || typed.trim() === '') return;
          event.preventDefault();
          add();
        }}
      />
      <button type="button" aria-label={`Add to ${field.label}`} onClick={add}>
        Add
      </button>
      {value.length > 0 && (
        <ul aria-label={field.label}>
          {value.map((one) => (
            <li key={one}>
              <span>{nameOf(one)}</span>
              <button
                type="button"
                className="plain"
                aria-label={`Remove ${nameOf(one)}`}
                onClick={() => onChange(value.filter((other) => other !== one))}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
