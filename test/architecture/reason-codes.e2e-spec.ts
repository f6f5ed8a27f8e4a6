import { documentedReasons, reasonsInSource } from '../support/reason-codes.js';

describe('the reason codes of errors', () => {
  it('that the source has are those that docs/api-design.md lists, and no others', () => {
    expect(documentedReasons()).toEqual(reasonsInSource());
  });
});
