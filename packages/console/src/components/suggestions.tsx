import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { analyticsRows, lastDays } from '../api/analytics';
import { answered, api } from '../api/client';
import { nameOfMember } from '../api/names';
import type { Schema } from '../api/types';
import { Field, type Option, TextArea, type ValueProps } from './fields';
import { Icon } from './icon';
import { linesOf } from './lines';

/** What can be filled in, as one request says it. */
export interface Suggestions {
  /** The first part of the query key, by which changes have it asked anew. */
  readonly name: string;
  /** Whether the service searches for what is typed; otherwise it says all at once. */
  readonly isSearched?: boolean;
  readonly ask: (typed: string, signal: AbortSignal) => Promise<readonly Option[]>;
}

/** What several have to suggest, each value once: the first ones first. */
export function together(...all: readonly Suggestions[]): Suggestions {
  return {
    name: all.map(({ name }) => name).join(' and '),
    isSearched: all.some(({ isSearched }) => isSearched),
    ask: async (typed, signal) => {
      const lists = await Promise.all(all.map(({ isSearched, ask }) => ask(isSearched === true ? typed : '', signal)));
      return [...new Map(lists.flat())];
    },
  };
}

/** How many are suggested of what the service searches, and the most that one list gives. */
export const SEARCHED = 20;
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

/** The MCP servers of the organization, by their names: the first hundred. */
export const MCP_SERVERS: Suggestions = {
  name: 'mcp-servers',
  ask: async (_, signal) => {
    const list = await answered(api.GET('/api/v1/mcp-servers', { params: { query: { limit: LISTED } }, signal }));
    return list.data.map(({ name, url }) => [name, url]);
  },
};

/** The tools of MCP servers that were called most in the last 7 days, as `server/tool`. */
export const MCP_TOOLS: Suggestions = {
  name: 'mcp-tools',
  ask: async (_, signal) => {
    const query = { metrics: ['request_count'], dimensions: ['tool'], time_range: lastDays(7), limit: LISTED };
    const rows = await analyticsRows(query, signal);
    return rows.flatMap(({ tool }) => (typeof tool === 'string' && tool !== '' ? [[tool, tool] as const] : []));
  },
};

/** Tools for lists of them: all tools of each MCP server (`server/*`), and those that were called most in the last 7 days. */
export const MCP_TOOL_LISTS = together(
  {
    name: 'all-mcp-tools',
    ask: async (_, signal) =>
      (await MCP_SERVERS.ask('', signal)).map(([name]) => [`${name}/*`, `all tools of ${name}`] as const),
  },
  MCP_TOOLS,
);

/** The end users that the organization has registered: the first hundred that are active. Another one can be filled in. */
export const END_USERS: Suggestions = {
  name: 'end-users',
  ask: async (_, signal) => {
    const list = await answered(api.GET('/api/v1/external-users', { params: { query: { limit: LISTED } }, signal }));
    return list.data.map(({ user }) => [user, user]);
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

type Label = readonly [name: string, value: string];

/** The labels of requests of the last days, those of most requests first. */
async function labelsOf(signal: AbortSignal): Promise<readonly Label[]> {
  const query = { metrics: ['request_count' as const], dimensions: ['label' as const], limit: LISTED };
  const rows = await analyticsRows(query, signal);
  return rows.flatMap(({ label }) => {
    if (typeof label !== 'string') return [];
    const [name = '', ...rest] = label.split('=');
    return [[name, rest.join('=')] as const];
  });
}

/** Labels that requests have had, as `name=value`. */
export const LABELS: Suggestions = {
  name: 'labels',
  ask: async (_, signal) => optionsOfLabels(await labelsOf(signal)),
};

function optionsOfLabels(labels: readonly Label[]): Option[] {
  return labels.map(([name, value]) => [`${name}=${value}`, `${name}=${value}`]);
}

/** The names of labels that requests have had. */
export const LABEL_NAMES: Suggestions = {
  name: 'label-names',
  ask: async (_, signal) => namesOf(await labelsOf(signal)).map((name) => [name, name]),
};

function namesOf(labels: readonly Label[]): string[] {
  return [...new Set(labels.map(([name]) => name))];
}

/** Labels that requests have had, for lists of what is allowed: any value of each (`name=*`), and each value. */
export const ALLOWED_LABELS: Suggestions = {
  name: 'allowed-labels',
  ask: async (_, signal) => {
    const labels = await labelsOf(signal);
    const ofAnyValue = namesOf(labels).map((name) => [`${name}=*`, `any value of ${name}`] as const);
    return [...ofAnyValue, ...optionsOfLabels(labels)];
  },
};

/** The values that a label has had. @param label its name */
export function valuesOfLabel(label: string): Suggestions {
  return {
    name: `values of label ${label}`,
    ask: async (_, signal) =>
      (await labelsOf(signal)).flatMap(([name, value]) => (name === label ? [[value, value] as const] : [])),
  };
}

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

/** A line of text with suggestions. What is not suggested can be filled in as well, and a name that is suggested becomes its value. */
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
            onBlur={() => {
              const named = valueOfName(options, value);
              if (named !== undefined) onChange(named);
            }}
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

/** The value that has a name which was typed in place of it; undefined where none has, or several, or where it is a value itself. */
function valueOfName(options: readonly Option[], typed: string): string | undefined {
  const name = typed.trim().toLowerCase();
  if (options.some(([value]) => value === typed)) return undefined;
  const found = options.filter(([, label]) => label.toLowerCase() === name);
  return found.length === 1 ? found[0]![0] : undefined;
}

interface AddFieldProps extends Omit<SuggestFieldProps, 'value' | 'onChange' | 'onKeyDown'> {
  /** The name of the button. */
  readonly button: string;
  readonly onAdd: (added: string) => void;
}

/** A line of text with suggestions, which Enter or the button adds to others. */
function AddField({ button, onAdd, ...field }: AddFieldProps): ReactNode {
  const [typed, setTyped] = useState('');
  const add = (): void => {
    const added = typed.trim();
    if (added === '') return;
    setTyped('');
    onAdd(added);
  };
  return (
    <>
      <SuggestField
        {...field}
        value={typed}
        onChange={setTyped}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || typed.trim() === '') return;
          event.preventDefault();
          add();
        }}
      />
      <button type="button" aria-label={button} onClick={add}>
        Add
      </button>
    </>
  );
}

interface SuggestListProps extends ValueProps<readonly string[]> {
  readonly suggestions: Suggestions;
  /** How one of the list is shown; as it is where absent. */
  readonly nameOf?: (value: string) => string;
}

/** Several values with suggestions: each is added by Enter or the button, and removed by its own. */
export function SuggestList({ nameOf = String, value, onChange, ...field }: SuggestListProps): ReactNode {
  return (
    <div className="suggest-list">
      <AddField
        {...field}
        button={`Add to ${field.label}`}
        onAdd={(added) => !value.includes(added) && onChange([...value, added])}
      />
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

interface SuggestLinesProps extends ValueProps<string> {
  readonly suggestions: Suggestions;
  readonly rows?: number;
}

/** A list as lines of text, which can be typed and pasted, with suggestions beside it that are added to its end. */
export function SuggestLines({ suggestions, value, onChange, ...field }: SuggestLinesProps): ReactNode {
  const add = (added: string): void => {
    const lines = linesOf(value);
    if (!lines.includes(added)) onChange([...lines, added].join('\n'));
  };
  return (
    <div>
      <TextArea {...field} value={value} onChange={onChange} />
      <div className="suggest-list">
        <AddField
          label="Pick one"
          purpose={field.label}
          suggestions={suggestions}
          button={`Add to ${field.label}`}
          onAdd={add}
        />
      </div>
    </div>
  );
}
