import { newFormToken } from '../../../http/pages/form-token.js';
import { codeBytesOf } from './consent-code.js';

const BINDING = { sessionSecret: 'a session', purpose: 'consent', fixed: { state: 'x' } };

describe('the token of a consent', () => {
  it('stands for one code', () => {
    const [one, other] = [newFormToken(BINDING), newFormToken(BINDING)];
    expect(codeBytesOf(one, BINDING)).toEqual(codeBytesOf(one, BINDING));
    expect(codeBytesOf(one, BINDING)).not.toEqual(codeBytesOf(other, BINDING));
    expect(codeBytesOf(one, BINDING)).toHaveLength(32);
  });
});
