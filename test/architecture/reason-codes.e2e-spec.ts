import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ErrorKind } from '../../src/http/errors/domain-error.js';
import { operationOf } from '../../src/http/openapi/operation.decorator.js';
import { DeclaredRoutes } from '../../src/auth/declared-routes.js';
import { TestApplication } from '../support/application/test-application.js';

/** The part of docs/interface/errors.md that lists the reasons of each status: rows of a table, reasons in backticks. */
const DOCUMENTED_ROW = /^\| ([\d, ]+) \|(.*)$/gm;

/** Errors of requests that reach no operation. */
const OF_NO_OPERATION = [
  '408 unreadable_request',
  '413 unreadable_request',
  '426 websocket_not_served',
  '431 unreadable_request',
];

function documentedReasons(): string[] {
  const rows = [...readFileSync('docs/interface/errors.md', 'utf8').matchAll(DOCUMENTED_ROW)];
  return rows.flatMap(([, statuses, text]) =>
    statuses!
      .split(', ')
      .flatMap((status) => [...text!.matchAll(/`([a-z0-9_]+)`/g)].map(([, code]) => `${status} ${code}`)),
  );
}

/** What the files named `*.errors.ts` define; `.dependency-cruiser.mjs` sees to it that no others do. */
async function definedErrors(): Promise<ErrorKind[]> {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.errors.ts'));
  const modules = await Promise.all(files.map((file) => import(path.resolve('src', file)) as Promise<object>));
  return modules.flatMap((module) => (Object.values(module) as unknown[]).flat()).filter(isErrorKind);
}

function isErrorKind(value: unknown): value is ErrorKind {
  const { status, reason } = value as Partial<ErrorKind>;
  return typeof status === 'number' && typeof reason === 'string';
}

function namesOf(errors: readonly ErrorKind[]): string[] {
  return [...new Set(errors.map(({ status, reason }) => `${status} ${reason}`))].sort();
}

describe('the reason codes of errors', () => {
  it('in the source are exactly those that docs/interface/errors.md lists for each status', async () => {
    expect(documentedReasons().sort()).toEqual(namesOf(await definedErrors()));
  });

  it('are each documented by an operation, except those of issues and of requests that reach no operation', async () => {
    const app = await TestApplication.start();
    const routes = app.application.get(DeclaredRoutes, { strict: false }).all();
    const documented = routes.flatMap(({ handler }) => operationOf(handler)?.errors ?? []);
    await app.stop();

    const others = (await definedErrors()).filter(({ status }) => status !== 400);
    expect([...namesOf(documented.filter(({ status }) => status !== 400)), ...OF_NO_OPERATION].sort()).toEqual(
      namesOf(others),
    );
  });
});
