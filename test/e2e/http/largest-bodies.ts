/** Four bytes in UTF-8, and two code units in memory: the character that takes most. */
export const ASTRAL = '\u{1F9EA}';

/** Text of so many characters of four bytes that compresses badly. */
function variedText(length: number): string {
  return Array.from({ length }, (_, index) => String.fromCodePoint(0x20000 + ((index * index * 7_919) % 42_000))).join(
    '',
  );
}

/** The largest guardrail that the interface accepts. @param models names of models, as many as the catalog has */
export function largestGuardrail(models: readonly string[]): object {
  return {
    name: ASTRAL.repeat(200),
    description: ASTRAL.repeat(1_000),
    allowed_models: models,
    ignored_models: models,
    content_filters: largestFilters(),
  };
}

/** Custom filters with 131,072 characters of patterns and labels. */
export function largestFilters(): { pattern: string; action: string; label?: string }[] {
  return [
    { pattern: variedText(100_000), action: 'flag' },
    ...Array.from({ length: 310 }, () => ({ pattern: '.', action: 'redact', label: ASTRAL.repeat(99) })),
    { pattern: '.', action: 'redact', label: ASTRAL.repeat(71) },
  ];
}

/** The largest configuration of a preset that the interface accepts. */
export function largestInference(): object {
  // The configuration is kept as {"config":{"a":"..."},"systemPrompt":null}.
  const room = 262_144 - '{"config":{"a":""},"systemPrompt":null}'.length;
  return { a: variedText(Math.floor(room / 4)).padEnd(Math.floor(room / 4) * 2 + (room % 4), 'x') };
}

/** The largest workspace that the interface accepts. */
export function largestWorkspace(slug: string): object {
  return {
    name: ASTRAL.repeat(100),
    slug,
    description: ASTRAL.repeat(500),
    default_provider_sort: 'throughput',
    io_logging_api_key_ids: Array.from({ length: 1_000 }, () => Number.MAX_SAFE_INTEGER),
    disabled_server_tools: Array.from({ length: 100 }, (_, index) => `${index + 100}${variedText(125)}`),
  };
}

/** The largest Connect client that the interface accepts: URLs of 32,768 characters in all. */
export function largestClient(): { name: string; callback_urls: string[] } {
  return {
    name: ASTRAL.repeat(200),
    callback_urls: Array.from({ length: 16 }, (_, index) => `https://app.example.com/${index}/`.padEnd(2_048, 'x')),
  };
}

/** The largest destination that the interface accepts, but for the keys that it names. */
export function largestDestination(): {
  name: string;
  type: string;
  config: { url: string; headers: { a: string } };
  filter_rules: { groups: { rules: { field: string; operator: string; value: string }[] }[] };
} {
  const url = 'https://hooks.example.com/traces';
  const rule = { field: 'model', operator: 'equals', value: '' };
  const rules = JSON.stringify({ groups: [{ rules: [rule] }] });
  const config = JSON.stringify({ url, headers: { a: '' } });
  return {
    name: ASTRAL.repeat(200),
    type: 'webhook',
    config: { url, headers: { a: 'x'.repeat(16_384 - config.length) } },
    filter_rules: { groups: [{ rules: [{ ...rule, value: 'x'.repeat(16_384 - rules.length) }] }] },
  };
}
