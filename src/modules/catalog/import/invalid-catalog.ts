/** Catalog documents that cannot be imported. The message has one line for each issue. */
export class InvalidCatalog extends Error {
  constructor(readonly issues: readonly string[]) {
    super(`The catalog has ${issues.length} issue${issues.length === 1 ? '' : 's'}:\n- ${issues.join('\n- ')}`);
    this.name = 'InvalidCatalog';
  }
}
