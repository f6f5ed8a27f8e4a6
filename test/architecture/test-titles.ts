import { readdirSync, readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import path from 'node:path';
import ts from 'typescript';

/** A test as its file states it. */
export interface StatedTest {
  readonly file: string;
  /** The titles of the describe blocks around it and its own, as they are written. */
  readonly title: string;
  /** Whether it looks at the status of an answer, by itself or by a function of its file. */
  readonly looksAtStatus: boolean;
  /** The statuses that it expects by number. */
  readonly statuses: readonly string[];
}

/** The functions that start a test or a group of tests; those with another name are variants such as `itWithRedis`. */
const STARTS_TEST = /^(it|test)([A-Z]\w*)?$/;
const STARTS_GROUP = /^describe$/;

/** The names by which tests look at a status: a field of an answer, and what checks an error with its status. */
const LOOKS_AT_STATUS = /^(status|statuses|expectRefusal|expectEnvelope)$/;

/** A status in a title: the number, or the place of a table that holds it, for which titles have `%i`. */
const STATUS = /\b\d{3}\b|%i/g;

/** The tests of all files below a folder, in the order of the files. */
export function statedTests(folder: string): StatedTest[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .flatMap((file) => testsIn(path.join(folder, file), readFileSync(path.join(folder, file), 'utf8')));
}

/** The tests in the text of one file. */
export function testsIn(file: string, text: string): StatedTest[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  const looking = namesThatLook(source);
  const tests: StatedTest[] = [];
  const visit = (node: ts.Node, titles: readonly string[]): void => {
    const call = ts.isCallExpression(node) ? startOf(node) : undefined;
    if (call === undefined) return node.forEachChild((child) => visit(child, titles));
    const all = [...titles, call.title];
    if (STARTS_GROUP.test(call.name)) return call.body.forEachChild((child) => visit(child, all));
    tests.push({
      file,
      title: all.join(' '),
      looksAtStatus: identifiersIn(call.body).some((name) => looking.has(name)),
      statuses: statusesIn(call.body),
    });
  };
  visit(source, []);
  return tests;
}

/** The statuses that a title names; `%i` stands for those of a table. */
export function statusesNamedIn(title: string): string[] {
  return (title.match(STATUS) ?? []).filter((name) => name === '%i' || name === '499' || name in STATUS_CODES);
}

/** The name, title and body of a call that starts a test or a group, also by `it.each(table)(...)`. */
function startOf(call: ts.CallExpression): { name: string; title: string; body: ts.Node } | undefined {
  const [title, body] = call.arguments;
  if (title === undefined || body === undefined || !isFunction(body)) return undefined;
  let callee: ts.Expression = call.expression;
  while (ts.isCallExpression(callee) || ts.isPropertyAccessExpression(callee)) callee = callee.expression;
  if (!ts.isIdentifier(callee) || !(STARTS_TEST.test(callee.text) || STARTS_GROUP.test(callee.text))) return undefined;
  return { name: callee.text, title: title.getText().slice(1, -1), body };
}

function isFunction(node: ts.Node): boolean {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node);
}

/** The names that look at a status, and the functions of the file that use such a name, however far around. */
function namesThatLook(source: ts.SourceFile): ReadonlySet<string> {
  const functions = descendantsOf(source).flatMap((node): { name: string; body: ts.Node }[] => {
    if (ts.isFunctionDeclaration(node) && node.name) return [{ name: node.name.text, body: node }];
    if (!ts.isVariableDeclaration(node) || !node.initializer || !isFunction(node.initializer)) return [];
    return [{ name: node.name.getText(), body: node.initializer }];
  });
  const names = new Set(identifiersIn(source).filter((name) => LOOKS_AT_STATUS.test(name)));
  for (let before = -1; before < names.size;) {
    before = names.size;
    for (const { name, body } of functions) if (identifiersIn(body).some((used) => names.has(used))) names.add(name);
  }
  return names;
}

/** The statuses in `status: 404`, `expect(answer.status).toBe(404)` and `expectEnvelope(answer, 404)`. */
function statusesIn(body: ts.Node): string[] {
  return descendantsOf(body)
    .filter(ts.isNumericLiteral)
    .filter(({ text, parent }) => text in STATUS_CODES && isPlaceOfStatus(parent))
    .map(({ text }) => text);
}

function isPlaceOfStatus(parent: ts.Node): boolean {
  if (ts.isPropertyAssignment(parent)) return parent.name.getText() === 'status';
  if (!ts.isCallExpression(parent)) return false;
  return /^expectEnvelope$|\.status\)\.toBe$/.test(parent.expression.getText());
}

function identifiersIn(node: ts.Node): string[] {
  return descendantsOf(node)
    .filter(ts.isIdentifier)
    .map(({ text }) => text);
}

function descendantsOf(node: ts.Node): ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (child: ts.Node): void => {
    found.push(child);
    child.forEachChild(visit);
  };
  visit(node);
  return found;
}
