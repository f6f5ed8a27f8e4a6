import { valueOfVariable } from '../../bootstrap/load-environment.js';
import { type Issue, joinPath } from '../../http/errors/issue.js';
import { isObject } from '../../http/validation/constraints.js';
import { reasonOf } from './reasons.js';

/** How LiteLLM says that a value is that of a variable. */
const VARIABLE = /^os\.environ\/(.+)$/;

/** What an import has found beside what it writes; paths are those of issues of configuration files. */
export class Findings {
  /** What is of the wrong type: nothing is written then. */
  readonly wrong: Issue[] = [];
  /** What has no place in a file, with the reason. */
  readonly leftOut: Issue[] = [];
  /** What is written, and needs a look or something else to be done. */
  readonly toDo: Issue[] = [];
  /** `environment_variables` of the file: values that stand for variables. */
  readonly variables = new Map<string, string>();
}

/** The name of the variable whose value a value is; undefined for one that is written out. */
export function variableIn(value: unknown): string | undefined {
  return typeof value === 'string' ? VARIABLE.exec(value.trim())?.[1] : undefined;
}

/** A mapping of a file of LiteLLM, which remembers what was read of it, so that the rest can be listed. */
export class Settings {
  private readonly read = new Set<string>();

  constructor(
    readonly path: string,
    private readonly fields: Readonly<Record<string, unknown>>,
    readonly findings: Findings,
  ) {}

  /** The mapping at a path. Anything else is listed as wrong, and read as an empty one. */
  static at(path: string, value: unknown, findings: Findings): Settings {
    if (isObject(value)) return new Settings(path, value, findings);
    findings.wrong.push({ path, message: 'must be a mapping' });
    return new Settings(path, {}, findings);
  }

  get names(): readonly string[] {
    return Object.keys(this.fields);
  }

  pathOf(name: string): string {
    return joinPath(this.path, name);
  }

  /** A value as it stands there; undefined where there is none, or null. */
  value(name: string): unknown {
    this.read.add(name);
    return Object.hasOwn(this.fields, name) ? (this.fields[name] ?? undefined) : undefined;
  }

  /** Counts fields as read that say nothing that a file would have. */
  ignore(names: Iterable<string>): void {
    for (const name of names) this.read.add(name);
  }

  /** A text, with the value of its variable in place of a name. */
  text(name: string): string | undefined {
    const value = this.filled(name);
    if (value === undefined || typeof value === 'string') return value;
    if (typeof value === 'number') return String(value);
    this.wrong(name, 'must be a text');
    return undefined;
  }

  /** A number, also one that is written as a text, as LiteLLM takes it. */
  number(name: string): number | undefined {
    const value = this.filled(name);
    if (value === undefined) return undefined;
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof number === 'number' && Number.isFinite(number) && number >= 0) return number;
    this.wrong(name, 'must be a number from 0');
    return undefined;
  }

  flag(name: string): boolean {
    const value = this.filled(name) ?? false;
    if (typeof value === 'boolean') return value;
    this.wrong(name, 'must be true or false');
    return false;
  }

  texts(name: string): readonly string[] {
    return this.items(name).flatMap((item, index) => {
      if (typeof item === 'string') return [item];
      this.findings.wrong.push({ path: joinPath(this.pathOf(name), index), message: 'must be a text' });
      return [];
    });
  }

  mapping(name: string): Settings | undefined {
    const value = this.value(name);
    return value === undefined ? undefined : Settings.at(this.pathOf(name), value, this.findings);
  }

  mappings(name: string): readonly Settings[] {
    return this.items(name).map((item, index) => Settings.at(joinPath(this.pathOf(name), index), item, this.findings));
  }

  leaveOut(name: string, reason: string): void {
    this.read.add(name);
    this.findings.leftOut.push({ path: this.pathOf(name), message: reason });
  }

  toDo(name: string, message: string): void {
    this.findings.toDo.push({ path: this.pathOf(name), message });
  }

  /** Lists what was not read, but for what says nothing: null, false, and what is empty. */
  leaveOutTheRest(): void {
    for (const name of this.names) {
      if (!this.read.has(name) && !saysNothing(this.fields[name])) this.leaveOut(name, reasonOf(name));
    }
  }

  private items(name: string): readonly unknown[] {
    const value = this.value(name);
    if (Array.isArray(value)) return value as unknown[];
    if (value !== undefined) this.wrong(name, 'must be a list');
    return [];
  }

  private wrong(name: string, message: string): void {
    this.findings.wrong.push({ path: this.pathOf(name), message });
  }

  /** A value with that of its variable: of the file's own, or else of the environment. */
  private filled(name: string): unknown {
    const value = this.value(name);
    const variable = variableIn(value);
    if (variable === undefined) return value;
    const found = this.findings.variables.get(variable) ?? valueOfVariable(variable);
    if (found === undefined) this.leaveOut(name, `${variable} is not set here: set it, and import again`);
    return found;
  }
}

function saysNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
