import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { parse } from 'yaml';

/** The revisions of MCP that the suite has requirements of. */
export type Revision = '2025-11-25' | '2026-07-28';

/** What a check of the suite comes to, from the worst on. */
const STATUSES = ['FAILURE', 'WARNING', 'SUCCESS', 'SKIPPED', 'INFO'] as const;

/** A check, as far as the tests look at it. */
export interface Check {
  readonly id: string;
  readonly status: (typeof STATUSES)[number];
  /** Why it has not passed. */
  readonly errorMessage?: string;
}

/** What the checks of a scenario come to, by their ids; the worst of one that was made several times. */
export type Checks = ReadonlyMap<string, Check>;

/** Which side the suite plays the counterpart of. */
export type Side = 'server' | 'client';

interface Requirements extends Readonly<Record<Side, readonly string[]>> {
  readonly not_scored: readonly { readonly scenario: string; readonly leg: Side; readonly reason: string }[];
}

/** The file with the results of a scenario. */
const CHECKS = 'checks.json';

/** The folder in which the suite is installed, with the Node.js that it needs. */
function folder(): string {
  const named = process.env['CONFORMANCE_FOLDER'];
  if (named === undefined) throw new Error('CONFORMANCE_FOLDER must name the folder in which the suite is installed');
  return path.resolve(named, 'node_modules');
}

function suite(): string {
  return path.join(folder(), '@modelcontextprotocol', 'conformance');
}

/** The scenarios for a side that a revision requires, and those that are run besides; not those of extensions, which neither side has. */
export function scenariosOf(revision: Revision, side: Side = 'server'): readonly string[] {
  const file = path.join(suite(), 'requirements', `${revision}.yaml`);
  const { not_scored: others, ...required } = parse(readFileSync(file, 'utf8')) as Requirements;
  const further = others.filter(({ leg, reason }) => leg === side && reason !== 'extension');
  return [...required[side], ...further.map(({ scenario }) => scenario)];
}

/**
 * Runs the scenarios for servers of a revision against one.
 *
 * @param scenario one alone; all if absent
 * @returns what the checks of each come to
 */
export async function suiteRun(
  url: string,
  revision: Revision,
  scenario?: string,
): Promise<ReadonlyMap<string, Checks>> {
  return run('server', ['--url', url], revision, scenario);
}

/** Runs the scenarios for clients of a revision, with a command that starts one. @returns and takes what {@link suiteRun} does */
export async function clientSuiteRun(
  command: string,
  revision: Revision,
  scenario?: string,
): Promise<ReadonlyMap<string, Checks>> {
  return run('client', ['--command', command, '--timeout', '60000'], revision, scenario);
}

async function run(
  side: Side,
  words: readonly string[],
  revision: Revision,
  scenario: string | undefined,
): Promise<ReadonlyMap<string, Checks>> {
  const output = mkdtempSync(path.join(os.tmpdir(), 'conformance-'));
  try {
    const which = scenario === undefined ? ['--requirements'] : ['--scenario', scenario, '--spec-version'];
    const said = await ended([side, ...words, '-o', output, ...which, revision]);
    const files = readdirSync(output, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith(CHECKS));
    const runs = new Map(files.map((file) => [scenarioIn(file), checksIn(path.join(output, file))]));
    const wanted = scenario === undefined ? scenariosOf(revision, side) : [scenario];
    const missing = wanted.filter((name) => !runs.has(name));
    if (missing.length > 0) throw new Error(`the suite has no results of ${missing.join(', ')}:\n${said}`);
    return runs;
  } finally {
    rmSync(output, { recursive: true });
  }
}

/** @returns what it has said; its exit code tells of failures, which its results tell too */
async function ended(words: readonly string[]): Promise<string> {
  const node = path.join(folder(), `node-linux-${process.arch}`, 'bin', 'node');
  const child = spawn(node, [path.join(suite(), 'dist', 'index.js'), ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  const said = await Promise.race([Promise.all([text(child.stdout), text(child.stderr)]), failed]);
  return said.join('').slice(-2000);
}

/** The scenario in the path of results: `[server-]<scenario>-<time>/checks.json`. */
function scenarioIn(file: string): string {
  return path
    .dirname(file)
    .replace(/^server-(?=.)/, '')
    .replace(/-\d{4}-\d{2}-\d{2}T[\d-]+Z$/, '');
}

function checksIn(file: string): Checks {
  const checks = new Map<string, Check>();
  for (const check of JSON.parse(readFileSync(file, 'utf8')) as Check[]) {
    const before = checks.get(check.id);
    if (before === undefined || rankOf(check) < rankOf(before)) checks.set(check.id, check);
  }
  return checks;
}

function rankOf({ status }: Check): number {
  return STATUSES.indexOf(status);
}
