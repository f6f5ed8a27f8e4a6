import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { rendered } from './chart.mjs';
import { installedTools } from './tools.mjs';

const DIRECTORY = fileURLToPath(new URL('../../deploy/kubernetes', import.meta.url));

/** What is applied first, and what when the Job is complete. */
const FOLDERS = ['migration', 'base'];

const HEADER = '# Made of the chart (deploy/helm/gatehouse) by `npm run manifests`: change that, or overlay this.\n';

/** Labels that say that Helm manages an object. */
const LABELS_OF_HELM = ['helm.sh/chart', 'app.kubernetes.io/managed-by'];

/**
 * The plain manifests: those of the chart without what is Helm's.
 *
 * @returns the text of each file, by its path below deploy/kubernetes
 */
export function manifests(tools) {
  const objects = rendered(tools, '--values', path.join(DIRECTORY, 'values.yaml'), '--skip-tests');
  const files = new Map();
  const names = Object.fromEntries(FOLDERS.map((folder) => [folder, []]));
  for (const object of objects.map(withoutHelm)) {
    const { kind, metadata } = object;
    const folder = metadata.labels['app.kubernetes.io/component'] === 'migration' ? 'migration' : 'base';
    const name = `${kind}${metadata.name.replace(/^gatehouse/, '')}`.toLowerCase().replace('-migration', '');
    names[folder].push(`${name}.yaml`);
    files.set(`${folder}/${name}.yaml`, HEADER + stringify(object));
  }
  for (const [folder, resources] of Object.entries(names)) {
    const kustomization = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources };
    files.set(`${folder}/kustomization.yaml`, HEADER + stringify(kustomization));
  }
  return files;
}

/** The files that are there. */
export function manifestsOnDisk() {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(DIRECTORY, folder)).map((name) => `${folder}/${name}`),
  );
  return new Map(files.map((file) => [file, readFileSync(path.join(DIRECTORY, file), 'utf8')]));
}

function withoutHelm(object) {
  const copy = structuredClone(object);
  for (const { labels, annotations } of [copy.metadata, copy.spec?.template?.metadata ?? {}]) {
    for (const label of LABELS_OF_HELM) delete labels?.[label];
    for (const name of Object.keys(annotations ?? {}))
      if (/^(helm\.sh|argocd\.argoproj\.io)\//.test(name)) delete annotations[name];
  }
  return copy;
}

function write(files) {
  for (const folder of FOLDERS) {
    rmSync(path.join(DIRECTORY, folder), { recursive: true, force: true });
    mkdirSync(path.join(DIRECTORY, folder), { recursive: true });
  }
  for (const [file, text] of files) writeFileSync(path.join(DIRECTORY, file), text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) write(manifests(await installedTools()));
