/** The suites by how long they take, the longest first. */
const ORDER = [
  'workspaces',
  'inference-1',
  'inference-2',
  'inference-3',
  'http',
  'telemetry',
  'observability',
  'database',
  'audit',
  'boot',
  'keys',
  'guardrails',
  'architecture',
  'units',
];

/** Starts the longest suites first, so that the workers end at about the same time also where Jest has timed none yet. */
export default class LongestFirst {
  sort(tests) {
    const rank = ({ path }) => {
      const place = ORDER.findIndex((name) => path.endsWith(`/${name}.suite.ts`));
      return place === -1 ? ORDER.length : place;
    };
    return [...tests].sort((one, other) => rank(one) - rank(other));
  }

  /** Jest's own order remembers times; this one does not. */
  cacheResults() {}
}
