import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** A service of compose.yaml, as far as tests look at it. */
export interface ComposeService {
  readonly image: string;
  readonly build?: { readonly context: string; readonly target?: string; readonly dockerfile_inline?: string };
  readonly profiles?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly mem_limit?: string;
  readonly pids_limit?: number;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly security_opt?: readonly string[];
}

/** The services of compose.yaml. */
export function composeServices(): Readonly<Record<string, ComposeService>> {
  return (parse(readFileSync('compose.yaml', 'utf8')) as { services: Record<string, ComposeService> }).services;
}

/** The value of a variable of compose.yaml, where the one who starts it sets only what must be set. */
export function withDefaults(value: string): string {
  return value.replaceAll(/\$\{(\w+)(:-|:\?)([^}]*)\}/g, (_, name: string, kind: string, rest: string) =>
    kind === ':-' ? rest : `value-of-${name}`,
  );
}
