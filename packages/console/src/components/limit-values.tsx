import { Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';
import { nameOfMember, useKeys, useMembers, useWorkspaces } from '../api/names';
import type { Option } from './fields';
import { END_USERS, MCP_SERVERS, MCP_TOOLS, MODELS, PROVIDERS, type Suggestions, valuesOfLabel } from './suggestions';

/** What stands before the name of a label. */
export const LABEL_PREFIX = 'label.';

/** What limits tell requests apart by besides labels, and how people call it. */
export const KEYS: readonly Option[] = [
  ['api_key', 'Key'],
  ['workspace', 'Workspace'],
  ['member', 'Member'],
  ['operation', 'Operation'],
  ['user', 'End user'],
  ['session', 'Session'],
  ['model', 'Model'],
  ['author', 'Author of the model'],
  ['provider', 'Provider'],
  ['server', 'MCP server'],
  ['tool', 'Tool'],
];

const KEY_NAMES: ReadonlyMap<string, string> = new Map(KEYS);

/** How people call a key that limits tell requests apart by. */
export function nameOfKey(key: string): string {
  return key.startsWith(LABEL_PREFIX) ? `Label ${key.slice(LABEL_PREFIX.length)}` : (KEY_NAMES.get(key) ?? key);
}

/** What can be chosen as value of a key whose values are not typed, with names; undefined for other keys. */
export function useChoices(key: string): readonly Option[] | undefined {
  const workspaces = useWorkspaces();
  const members = useMembers();
  const keys = useKeys(key === 'api_key');
  switch (key) {
    case 'api_key':
      return keys.map(({ hash, name, label }) => [hash, `${name} (${label})`]);
    case 'workspace':
      return workspaces.map(({ id, name }) => [id, name]);
    case 'member':
      return members.map((member) => [member.id, nameOfMember(member)]);
    default:
      return undefined;
  }
}

const SUGGESTED: ReadonlyMap<string, Suggestions> = new Map([
  ['model', MODELS],
  ['provider', PROVIDERS],
  ['user', END_USERS],
  ['server', MCP_SERVERS],
  ['tool', MCP_TOOLS],
]);

/** What is suggested for the values of a key; undefined where nothing is known of them. */
export function suggestionsOf(key: string): Suggestions | undefined {
  return key.startsWith(LABEL_PREFIX) && key !== LABEL_PREFIX
    ? valuesOfLabel(key.slice(LABEL_PREFIX.length))
    : SUGGESTED.get(key);
}

/** A value of a key: by its name, where it is the id of something. */
export function KeyValue({ of, value }: { readonly of: string; readonly value: string }): ReactNode {
  const choices = useChoices(of);
  const name = choices?.find(([choice]) => choice === value)?.[1];
  if (of === 'api_key') return <Link href={`/keys/${value}`}>{name ?? `key ${value.slice(0, 8)}…`}</Link>;
  return choices === undefined ? <code>{value}</code> : (name ?? <code>{value}</code>);
}

interface ForValuesProps {
  /** By the keys of a limit; null for one that the request did not have. */
  readonly values: Readonly<Record<string, unknown>> | undefined;
  /** What stands before them. */
  readonly word?: string;
}

/** What a limit has counted by, behind its name, with the names of what has one; nothing where it counts all requests together. */
export function ForValues({ values = {}, word = 'for' }: ForValuesProps): ReactNode {
  return Object.entries(values).map(([key, value], index) => (
    <Fragment key={key}>
      {index === 0 ? ` ${word} ` : ', '}
      {nameOfKey(key)} {typeof value === 'string' ? <KeyValue of={key} value={value} /> : 'none'}
    </Fragment>
  ));
}
