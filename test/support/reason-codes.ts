import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** The form of a reason code. */
const CODE = /^[a-z]+(_[a-z0-9]+)+$/;

/** The part of docs/api-design.md that lists the codes of each status: rows of a table, codes in backticks. */
const DOCUMENTED_ROW = /^\| [\d, ]+ \|.*$/gm;

/** The reason codes that the table of docs/api-design.md lists. */
export function documentedReasons(): string[] {
  const rows = readFileSync('docs/api-design.md', 'utf8').match(DOCUMENTED_ROW) ?? [];
  const codes = rows.flatMap((row) => [...row.matchAll(/`([a-z0-9_]+)`/g)].map(([, code]) => code!));
  return [...new Set(codes.filter((code) => CODE.test(code)))].sort();
}

/** The reason codes in the source: what is given to a parameter named `reason`, or to a field or constant of that name or `refusal`. */
export function reasonsInSource(): string[] {
  const nodes = sourceFiles().flatMap(descendantsOf);
  const places = reasonParameters(nodes);
  const values = nodes.flatMap((node) => valuesOfReasons(node, places));
  return [...new Set(values.flatMap(literalsOf))].filter((code) => CODE.test(code)).sort();
}

function sourceFiles(): ts.SourceFile[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => path.join('src', file))
    .map((file) => ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2023, true));
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

/** Which argument is the reason, by the names of functions and classes; a class has it from the one that it extends. */
function reasonParameters(nodes: readonly ts.Node[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  const classes = nodes.filter(ts.isClassDeclaration);
  const remember = (name: string | undefined, parameters: readonly ts.ParameterDeclaration[] | undefined): void => {
    const place = parameters?.findIndex((parameter) => parameter.name.getText() === 'reason') ?? -1;
    if (name !== undefined && place !== -1) places.set(name, place);
  };
  for (const node of nodes) {
    if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) remember(node.name?.getText(), node.parameters);
    if (ts.isVariableDeclaration(node) && node.initializer && ts.isArrowFunction(node.initializer)) {
      remember(node.name.getText(), node.initializer.parameters);
    }
  }
  for (const one of classes) remember(one.name?.text, constructorOf(one)?.parameters);
  // As often as there are classes: one may extend another that stands further down.
  classes.forEach(() => {
    for (const one of classes) {
      const place = places.get(parentOf(one) ?? '');
      if (one.name && place !== undefined && constructorOf(one) === undefined) places.set(one.name.text, place);
    }
  });
  return places;
}

function constructorOf(one: ts.ClassLikeDeclaration): ts.ConstructorDeclaration | undefined {
  return one.members.find(ts.isConstructorDeclaration);
}

function parentOf(one: ts.ClassLikeDeclaration): string | undefined {
  return one.heritageClauses
    ?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)
    ?.types[0]?.expression.getText();
}

function valuesOfReasons(node: ts.Node, places: ReadonlyMap<string, number>): ts.Expression[] {
  if (ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node)) {
    return /^(reasons?|refusal)$/i.test(node.name.getText()) && node.initializer ? [node.initializer] : [];
  }
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return [];
  const place = places.get(calleeOf(node) ?? '');
  const value = place === undefined ? undefined : node.arguments?.[place];
  return value === undefined ? [] : [value];
}

function calleeOf({ expression }: ts.CallExpression | ts.NewExpression): string | undefined {
  if (ts.isPropertyAccessExpression(expression)) return expression.name.text;
  if (expression.kind !== ts.SyntaxKind.SuperKeyword) return expression.getText();
  const around = ts.findAncestor(expression, ts.isClassLike);
  return around && parentOf(around);
}

/** The texts that an expression may be, as far as it says so itself. */
function literalsOf(expression: ts.Expression): string[] {
  if (ts.isStringLiteralLike(expression)) return [expression.text];
  if (ts.isParenthesizedExpression(expression)) return literalsOf(expression.expression);
  if (ts.isConditionalExpression(expression)) {
    return [...literalsOf(expression.whenTrue), ...literalsOf(expression.whenFalse)];
  }
  if (ts.isObjectLiteralExpression(expression)) {
    return expression.properties
      .filter(ts.isPropertyAssignment)
      .flatMap((property) => literalsOf(property.initializer));
  }
  return ts.isBinaryExpression(expression) ? literalsOf(expression.right) : [];
}
