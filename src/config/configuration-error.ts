/** The configuration cannot be used. The message lists every fault, a line each. */
export class ConfigurationError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(`The configuration has ${faults.length} fault${faults.length === 1 ? '' : 's'}:\n- ${faults.join('\n- ')}`);
    this.name = 'ConfigurationError';
  }
}
