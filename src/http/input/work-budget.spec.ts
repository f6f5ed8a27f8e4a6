import { RequestTooComplex } from '../errors/request.errors.js';
import { requestBudget, WorkBudget } from './work-budget.js';

describe('WorkBudget', () => {
  it('allows 65,536 nodes or a mebibyte for what has no bytes, and throws its own error beyond that', () => {
    const exceeded = new Error('too much');
    const [visiting, writing] = [new WorkBudget(0, () => exceeded), new WorkBudget(0, () => exceeded)];
    visiting.visit(65_536);
    expect(() => visiting.visit()).toThrow(exceeded);
    writing.write(1_048_576);
    expect(() => writing.write(1)).toThrow(exceeded);
  });

  it('counts nodes and bytes together', () => {
    const budget = new WorkBudget(0, () => new Error('too much'));
    budget.write(1_048_576 - 32);
    budget.visit(2);
    expect(() => budget.write(1)).toThrow('too much');
  });

  it('allows four times the bytes that came besides, and refuses a request with request_too_complex', () => {
    const budget = requestBudget(1_000);
    budget.write(1_048_576 + 4_000);
    expect(() => budget.write(1)).toThrow(RequestTooComplex);
    expect(new RequestTooComplex()).toMatchObject({ status: 400, reason: 'request_too_complex' });
  });
});
