/** What Prometheus adds to every series, or makes itself. */
const OF_PROMETHEUS = { metrics: ['up'], labels: ['job', 'instance'] };

/** Words of the language that stand where names do. */
const KEYWORDS = new Set(['and', 'or', 'unless', 'bool', 'offset', 'by', 'without', 'on', 'ignoring', 'vector', 'inf']);

/** The names in an expression of PromQL that a service has to export. */
export interface PromqlNames {
  readonly metrics: readonly string[];
  readonly labels: readonly string[];
}

/** Reads the names of metrics and labels out of an expression, as far as dashboards and alerts write them. */
export function promqlNames(expression: string): PromqlNames {
  const labels = new Set<string>();
  const rest = expression
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
    .replaceAll(/\{([^}]*)\}/g, (_, matchers: string) => {
      for (const [, label] of matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)) labels.add(label!);
      return ' ';
    })
    .replaceAll(/\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g, (_, list: string) => {
      for (const [label] of list.matchAll(/\w+/g)) labels.add(label);
      return ' ';
    });
  // What is called is a function; the others are metrics.
  const words = [...rest.matchAll(/(?<![\w.$])[a-zA-Z_:][\w:]*(?!\w)(?!\s*\()/g)].map(([word]) => word);
  return {
    metrics: [...new Set(words)].filter((word) => !KEYWORDS.has(word) && !OF_PROMETHEUS.metrics.includes(word)),
    labels: [...labels].filter((label) => !OF_PROMETHEUS.labels.includes(label)),
  };
}
