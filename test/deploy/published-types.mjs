import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

/**
 * Compares objects with what Kubernetes and the Prometheus operator publish about them: by their JSON schemas, which know formats, and as
 * literals of the types that are made of these, which know that there are no other fields.
 *
 * @param tools of tools.mjs
 * @param objects parsed manifests
 * @returns what is wrong, one line each
 */
export async function deviationsFromPublished({ directory }, objects) {
  return [...(await schemaErrors(directory, objects)), ...typeErrors(directory, objects)];
}

/** The module that has the kinds of an apiVersion. */
function moduleOf(apiVersion) {
  if (apiVersion.startsWith('monitoring.coreos.com/')) return `@kubernetes-models/prometheus-operator/${apiVersion}`;
  if (apiVersion.startsWith('gateway.networking.k8s.io/')) return `@kubernetes-models/gateway-api/${apiVersion}`;
  return `kubernetes-models/${apiVersion}`;
}

function nameOf({ kind, metadata }) {
  return `${kind} ${metadata?.name}`;
}

async function schemaErrors(directory, objects) {
  const errors = [];
  for (const object of objects) {
    const folder = path.join(directory, 'node_modules', moduleOf(object.apiVersion));
    const models = await import(pathToFileURL(path.join(folder, 'index.js')).href);
    try {
      new models[object.kind](object).validate();
    } catch (error) {
      errors.push(`${nameOf(object)}: ${error.message}`);
    }
  }
  return errors;
}

function typeErrors(directory, objects) {
  const file = path.join(directory, 'objects.ts');
  const literals = objects.map((object, index) => {
    const type = `import(${JSON.stringify(moduleOf(object.apiVersion))}).I${object.kind}`;
    return `export const object${index}: ${type} = ${JSON.stringify(object, undefined, 1)};`;
  });
  const starts = [];
  let length = 0;
  for (const literal of literals) {
    starts.push(length);
    length += literal.length + 1;
  }
  writeFileSync(file, literals.join('\n'));
  const program = ts.createProgram([file], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  });
  const text = readFileSync(file, 'utf8');
  return ts.getPreEmitDiagnostics(program).map(({ start = 0, messageText }) => {
    const object = objects[starts.findLastIndex((begin) => begin <= start)];
    const line = text.slice(text.lastIndexOf('\n', start) + 1, text.indexOf('\n', start)).trim();
    return `${object === undefined ? '' : nameOf(object)} at ${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}
