/** Catalog documents that cannot be imported. The message lists every fault, a line each. */
export class InvalidCatalog extends Error {
  constructor(readonly faults: readonly string[]) {
    super(`The catalog has ${faults.length} fault${faults.length === 1 ? '' : 's'}:\n- ${faults.join('\n- ')}`);
    this.name = 'InvalidCatalog';
  }
}
