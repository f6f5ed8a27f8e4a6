import { Rules, rulesOf } from './rules.js';

const first = (): [] => [];
const second = (): [] => [];
const third = (): [] => [];

@Rules(first)
abstract class Base {}

class Between extends Base {}

@Rules(second, third)
class Extended extends Between {}

class Other {}

describe('the rules of a request class', () => {
  it('are its own ones behind those of every class that it extends', () => {
    expect(rulesOf(Base)).toEqual([first]);
    expect(rulesOf(Between)).toEqual([first]);
    expect(rulesOf(Extended)).toEqual([first, second, third]);
  });

  it('are none for a class that declares and inherits none', () => {
    expect(rulesOf(Other)).toEqual([]);
  });
});
