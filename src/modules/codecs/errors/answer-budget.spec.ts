import { answerBudget } from './answer-budget.js';
import { ProviderError } from './provider-error.js';

describe('answerBudget', () => {
  it('makes an answer invalid that takes more work than its size allows', () => {
    const budget = answerBudget(100);
    budget.write(1_048_576 + 400);
    let thrown: unknown;
    try {
      budget.visit();
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(ProviderError);
    expect(thrown).toMatchObject({ kind: 'invalid', status: null });
  });
});
