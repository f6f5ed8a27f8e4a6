import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const PAGES = path.join(process.cwd(), 'packages', 'console', 'src', 'pages');

/** The components of fields that a person fills in. */
const FIELDS = [
  'TextField',
  'TextArea',
  'NumberField',
  'SelectField',
  'CheckField',
  'SuggestField',
  'SuggestList',
  'SuggestLines',
];

/** A field of a form of the console, as its source has it. */
export interface WrittenField {
  /** Its file below the pages, and its label, which may be an expression. */
  readonly name: string;
  /** Whether hint and issue come from the request that the form sends, as `requestFields` gives them. */
  readonly isOfRequest: boolean;
  /** Whether a hint is written besides. */
  readonly hasHint: boolean;
}

/** All fields of the pages of the console. */
export function writtenFields(): readonly WrittenField[] {
  return readdirSync(PAGES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .flatMap(fieldsIn);
}

function fieldsIn(file: string): readonly WrittenField[] {
  const text = readFileSync(path.join(PAGES, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const fields: WrittenField[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJsxSelfClosingElement(node) && FIELDS.includes(node.tagName.getText())) fields.push(fieldOf(file, node));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return fields;
}

function fieldOf(file: string, { attributes: { properties } }: ts.JsxSelfClosingElement): WrittenField {
  const written = new Map<string, string>();
  for (const attribute of properties) {
    if (ts.isJsxAttribute(attribute)) written.set(attribute.name.getText(), attribute.initializer?.getText() ?? '');
  }
  return {
    name: `${file} ${written.get('label') ?? '{...}'}`,
    // What a piece hands on as it was given, its own caller has from the request.
    isOfRequest: properties.some(ts.isJsxSpreadAttribute),
    hasHint: written.has('hint'),
  };
}
