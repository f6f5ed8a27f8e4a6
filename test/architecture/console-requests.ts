import path from 'node:path';
import ts from 'typescript';

/** What an expression of the console can send: the fields of an object, or those of the objects of a list. */
export interface SentPart {
  readonly fields: Map<string, SentPart>;
  /** Whether it may have any field, as what was typed as JSON. */
  isAnything: boolean;
}

/** The body of the requests of one operation, of all places that send it. */
export interface SentRequest {
  readonly method: string;
  /** As the document names it. */
  readonly path: string;
  readonly body: SentPart;
}

const CONSOLE = path.join(process.cwd(), 'packages', 'console');

/** Below a type only so many objects are looked into: types may contain themselves. */
const DEPTH = 5;

const METHODS = ['POST', 'PUT', 'PATCH'];

function nothing(): SentPart {
  return { fields: new Map(), isAnything: false };
}

/** Adds what another place can send. */
function merge(into: SentPart, other: SentPart): SentPart {
  into.isAnything ||= other.isAnything;
  for (const [name, part] of other.fields) into.fields.set(name, merge(into.fields.get(name) ?? nothing(), part));
  return into;
}

/**
 * What the sources of the console can send as the body of each operation, read from the expressions that make it: objects, their spreads,
 * and what functions return. Only where these end, at the state of a form, is the type asked.
 */
export function sentRequests(): readonly SentRequest[] {
  const config = path.join(CONSOLE, 'tsconfig.json');
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(config, (file) => ts.sys.readFile(file)).config,
    ts.sys,
    CONSOLE,
  );
  return new RequestReader(ts.createProgram(fileNames, options)).requests();
}

class RequestReader {
  private readonly checker: ts.TypeChecker;
  /** What the functions of the console are called with. */
  private readonly calls = new Map<ts.Node, ts.CallExpression[]>();
  private readonly open = new Set<ts.Node>();

  constructor(private readonly program: ts.Program) {
    this.checker = program.getTypeChecker();
  }

  requests(): readonly SentRequest[] {
    const found = new Map<string, SentRequest>();
    const sending: ts.CallExpression[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node)) {
        if (this.isSending(node)) sending.push(node);
        const declaration = this.declarationOf(node.expression);
        if (declaration !== undefined) this.calls.set(declaration, [...(this.calls.get(declaration) ?? []), node]);
      }
      ts.forEachChild(node, visit);
    };
    for (const file of this.program.getSourceFiles()) {
      if (file.fileName.startsWith(CONSOLE) && !file.isDeclarationFile) visit(file);
    }
    for (const {
      expression,
      arguments: [operation, options],
    } of sending) {
      const method = (expression as ts.PropertyAccessExpression).name.text;
      if (!operation || !ts.isStringLiteral(operation) || !options) continue;
      const { fields } = this.part(options);
      const body = fields.get('body');
      if (body === undefined) continue;
      const key = `${method} ${operation.text}`;
      const before = found.get(key) ?? { method: method.toLowerCase(), path: operation.text, body: nothing() };
      merge(before.body, body);
      found.set(key, before);
    }
    return [...found.values()];
  }

  private isSending({ expression }: ts.CallExpression): boolean {
    return (
      ts.isPropertyAccessExpression(expression) &&
      expression.expression.getText() === 'api' &&
      METHODS.includes(expression.name.text)
    );
  }

  /** What an expression can send. */
  private part(node: ts.Expression): SentPart {
    // A recursive function says nothing new.
    if (this.open.has(node)) return nothing();
    this.open.add(node);
    try {
      return this.partOf(node);
    } finally {
      this.open.delete(node);
    }
  }

  private partOf(node: ts.Expression): SentPart {
    if (ts.isAsExpression(node)) {
      // An object that is made of pairs has the names that are said of it.
      const part = this.part(node.expression);
      return part.isAnything ? this.partOfType(node) : part;
    }
    if (
      ts.isParenthesizedExpression(node) ||
      ts.isSatisfiesExpression(node) ||
      ts.isNonNullExpression(node) ||
      ts.isAwaitExpression(node)
    ) {
      return this.part(node.expression);
    }
    if (ts.isConditionalExpression(node)) return merge(this.part(node.whenTrue), this.part(node.whenFalse));
    if (ts.isBinaryExpression(node)) return merge(this.part(node.left), this.part(node.right));
    if (ts.isObjectLiteralExpression(node)) return this.partOfObject(node);
    if (ts.isArrayLiteralExpression(node)) {
      return node.elements
        .map((element) => this.part(ts.isSpreadElement(element) ? element.expression : element))
        .reduce(merge, nothing());
    }
    if (ts.isCallExpression(node)) return this.partOfCall(node);
    if (ts.isPropertyAccessExpression(node)) return this.partOfProperty(node);
    if (ts.isIdentifier(node)) return this.partOfName(node);
    return this.partOfType(node);
  }

  private partOfObject(node: ts.ObjectLiteralExpression): SentPart {
    const part = nothing();
    const set = (name: string, value: SentPart): void =>
      void part.fields.set(name, merge(part.fields.get(name) ?? nothing(), value));
    for (const property of node.properties) {
      if (ts.isSpreadAssignment(property)) merge(part, this.part(property.expression));
      else if (ts.isShorthandPropertyAssignment(property)) set(property.name.text, this.partOfName(property.name));
      else if (ts.isPropertyAssignment(property)) {
        for (const name of this.namesOf(property.name)) set(name, this.part(property.initializer));
      }
    }
    return part;
  }

  /** The names that a property may have: one that is computed has those of its type. */
  private namesOf(name: ts.PropertyName): readonly string[] {
    if (!ts.isComputedPropertyName(name)) return [name.getText().replaceAll("'", '')];
    const type = this.checker.getTypeAtLocation(name.expression);
    return (type.isUnion() ? type.types : [type]).flatMap((one) => (one.isStringLiteral() ? [one.value] : []));
  }

  private partOfCall(node: ts.CallExpression): SentPart {
    const { expression, arguments: given } = node;
    if (ts.isPropertyAccessExpression(expression)) {
      const name = expression.name.text;
      if (['map', 'flatMap'].includes(name) && given[0] !== undefined) return this.partOfReturns(given[0]);
      if (['filter', 'slice', 'toSorted'].includes(name)) return this.part(expression.expression);
    }
    // A hook that keeps what its function gives.
    if (expression.getText() === 'useMemo') return this.partOfReturns(given[0]!);
    const declaration = this.declarationOf(expression);
    if (declaration !== undefined && bodyOf(declaration) !== undefined) return this.partOfReturns(declaration);
    return this.partOfType(node);
  }

  private partOfProperty(node: ts.PropertyAccessExpression): SentPart {
    const object = this.part(node.expression);
    return object.fields.get(node.name.text) ?? this.partOfType(node);
  }

  private partOfName(node: ts.Identifier): SentPart {
    const symbol = ts.isShorthandPropertyAssignment(node.parent)
      ? this.checker.getShorthandAssignmentValueSymbol(node.parent)
      : this.checker.getSymbolAtLocation(node);
    const declaration = symbol?.valueDeclaration;
    if (declaration === undefined) return this.partOfType(node);
    if (ts.isVariableDeclaration(declaration) && declaration.initializer) return this.part(declaration.initializer);
    if (ts.isParameter(declaration) && ts.isIdentifier(declaration.name)) {
      const index = declaration.parent.parameters.indexOf(declaration);
      const given = (this.calls.get(declaration.parent) ?? []).flatMap((call) => call.arguments[index] ?? []);
      if (given.length > 0) return given.map((argument) => this.part(argument)).reduce(merge, nothing());
    }
    return this.partOfType(node);
  }

  /** What a function gives back. */
  private partOfReturns(callable: ts.Node): SentPart {
    const body = bodyOf(callable);
    if (body === undefined) return ts.isExpression(callable) ? this.partOfType(callable) : nothing();
    if (!ts.isBlock(body)) return this.part(body);
    const part = nothing();
    const visit = (node: ts.Node): void => {
      if (ts.isReturnStatement(node) && node.expression) merge(part, this.part(node.expression));
      else if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
    };
    visit(body);
    return part;
  }

  private partOfType(node: ts.Expression): SentPart {
    return this.fieldsOfType(this.checker.getTypeAtLocation(node), DEPTH);
  }

  private fieldsOfType(type: ts.Type, depth: number): SentPart {
    const part = nothing();
    if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) part.isAnything = true;
    if (depth === 0) part.isAnything = true;
    if (type.isUnionOrIntersection()) {
      return type.types.map((one) => this.fieldsOfType(one, depth)).reduce(merge, part);
    }
    if (!(type.flags & ts.TypeFlags.Object) || depth === 0) return part;
    const items = this.checker.getIndexTypeOfType(type, ts.IndexKind.Number);
    if (items !== undefined) return merge(part, this.fieldsOfType(items, depth - 1));
    if (this.checker.getIndexTypeOfType(type, ts.IndexKind.String) !== undefined) part.isAnything = true;
    for (const property of this.checker.getPropertiesOfType(type)) {
      part.fields.set(property.name, this.fieldsOfType(this.checker.getTypeOfSymbol(property), depth - 1));
    }
    return part;
  }

  /** The function of the console that is called. */
  private declarationOf(called: ts.Expression): ts.Node | undefined {
    let symbol = this.checker.getSymbolAtLocation(called);
    if (symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0)
      symbol = this.checker.getAliasedSymbol(symbol);
    const declaration = symbol?.valueDeclaration;
    if (!declaration?.getSourceFile().fileName.startsWith(CONSOLE)) return undefined;
    if (ts.isVariableDeclaration(declaration)) {
      return declaration.initializer && ts.isFunctionLike(declaration.initializer)
        ? declaration.initializer
        : undefined;
    }
    return ts.isFunctionLike(declaration) ? declaration : undefined;
  }
}

function bodyOf(node: ts.Node): ts.Block | ts.Expression | undefined {
  if (ts.isArrowFunction(node)) return node.body;
  return ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node) ? node.body : undefined;
}
