import { RequestAdjustments } from './request-adjustments.js';

describe('Adjustments of a request', () => {
  it('are those of the request and of its last attempt, each once', () => {
    const adjustments = new RequestAdjustments();
    adjustments.leftOut('input.0', 'unknown_item');
    adjustments.beginAttempt();
    adjustments.leftOut('top_k', 'not_supported_by_endpoint');
    adjustments.beginAttempt();
    adjustments.changed('tools.0.function.name', 'name_too_long');
    adjustments.changed('tools.0.function.name', 'name_too_long');

    expect(adjustments.list).toEqual([
      { path: 'input.0', action: 'left_out', reason: 'unknown_item' },
      { path: 'tools.0.function.name', action: 'changed', reason: 'name_too_long' },
    ]);
  });

  it.each([
    [['jane@example.com', 'minLength'], '*.minLength'],
    ['options.num_predict', 'options.num_predict'],
    ['a.\0b.2', 'a.*.2'],
    [`${'x'.repeat(65)}.y`, '*.y'],
    ['078-05-1120', '*'],
  ])('show of the path %j what cannot be content: %j', (path, shown) => {
    const adjustments = new RequestAdjustments();
    adjustments.leftOut(path, 'unknown_field');

    expect(adjustments.list).toEqual([{ path: shown, action: 'left_out', reason: 'unknown_field' }]);
  });

  it('are at most fifty, and one that stands for the rest', () => {
    const adjustments = new RequestAdjustments();
    for (let index = 0; index < 1_000; index += 1) adjustments.leftOut(`input.${index}`, 'unknown_item');

    expect(adjustments.list).toHaveLength(51);
    expect(adjustments.list.at(-1)).toEqual({ path: '*', action: 'changed', reason: 'further_adjustments' });
  });
});
