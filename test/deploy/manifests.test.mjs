import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { objectsIn } from './chart.mjs';
import { manifests, manifestsOnDisk } from './manifests.mjs';
import { deviationsFromPublished } from './published-types.mjs';
import { installedTools } from './tools.mjs';

const tools = await installedTools();

describe('the manifests in deploy/kubernetes', () => {
  it('are those that `npm run manifests` makes of the chart', () => {
    const made = manifests(tools);
    const onDisk = manifestsOnDisk();
    const differing = [...new Set([...made.keys(), ...onDisk.keys()])].filter(
      (file) => made.get(file) !== onDisk.get(file),
    );
    assert.deepEqual(differing, []);
  });

  for (const folder of ['base', 'migration']) {
    it(`are put together by kustomize from ${folder}, as objects that Kubernetes knows`, async () => {
      const objects = objectsIn(
        execFileSync(tools.kubectl, ['kustomize', `deploy/kubernetes/${folder}`], { encoding: 'utf8' }),
      );
      assert.ok(objects.length >= 2);
      assert.deepEqual(await deviationsFromPublished(tools, objects), []);
    });
  }

  it('say nowhere that Helm manages them', () => {
    for (const [file, text] of manifestsOnDisk()) assert.doesNotMatch(text, /helm\.sh|Helm\b(?! chart)/, file);
  });
});
