import { PagePositions } from './page-reader.js';

const LIST = { version: 'first', totalCount: 100_000 };
const LIMIT = 50;

/** As many lists, and rows of one list, as are remembered. */
const LISTS = 200;
const ROWS_OF_LIST = 200;

describe('PagePositions', () => {
  let now: number;
  let positions: PagePositions;

  beforeEach(() => {
    now = 1;
    positions = new PagePositions({ now: () => now });
  });

  const remember = (offset: number, state = LIST, id = 'list'): void =>
    positions.remember(id, state, { offset, limit: LIMIT }, [offset]);
  const startOf = (offset: number, id = 'list'): unknown => positions.startOf(id, { offset, limit: LIMIT });

  it('has no start for a list without remembered rows', () => {
    expect(startOf(50_000)).toBeUndefined();
  });

  it('returns the nearest row before the page', () => {
    for (const offset of [20_000, 40_000, 60_000]) remember(offset);

    expect(startOf(40_000)).toEqual({ key: [40_000], distance: 0, list: LIST });
    expect(startOf(49_000)).toEqual({ key: [40_000], distance: 9_000, list: LIST });
  });

  it('returns the nearest row after the page', () => {
    for (const offset of [20_000, 40_000, 60_000]) remember(offset);

    expect(startOf(59_000)).toEqual({ key: [60_000], distance: -1_000, list: LIST });
    expect(startOf(60_000 - LIMIT)).toEqual({ key: [60_000], distance: -LIMIT, list: LIST });
  });

  it('returns no row inside the page, because the page has rows on both of its sides', () => {
    remember(50_010);

    expect(startOf(50_000)).toBeUndefined();
  });

  it.each([
    ['the start', 10_000, 6_000],
    ['the end', 90_000, 94_000],
  ])('returns no row when %s of the list is not twice as far', (_end, known, wanted) => {
    remember(known);

    expect(startOf(wanted)).toBeUndefined();
  });

  it('returns no row for a page beyond the end of the list', () => {
    remember(99_000);

    expect(startOf(100_000)).toBeUndefined();
    expect(startOf(Number.MAX_SAFE_INTEGER)).toBeUndefined();
  });

  it('distinguishes lists', () => {
    remember(50_000);

    expect(startOf(50_000, 'another')).toBeUndefined();
  });

  it('drops the rows of a list when it gets another version of it', () => {
    remember(50_000);
    const changed = { version: 'second', totalCount: 99_999 };
    remember(30_000, changed);

    expect(startOf(50_000)).toEqual({ key: [30_000], distance: 20_000, list: changed });
  });

  it('drops a list on request', () => {
    remember(50_000);
    positions.forget('list');

    expect(startOf(50_000)).toBeUndefined();
  });

  it('drops a list after ten minutes, however often it is used', () => {
    remember(50_000);
    now = 600_001;
    remember(40_000);
    expect(startOf(50_000)).toBeDefined();
    now = 600_002;

    expect(startOf(50_000)).toBeUndefined();
  });

  it('stores a row although one inside its page is stored, which does not help to find that page', () => {
    remember(50_010);
    remember(50_000);

    expect(startOf(50_000)).toMatchObject({ distance: 0 });
    expect(startOf(50_010)).toMatchObject({ distance: 0 });
  });

  it('stores only one of several rows that are within 500 rows of each other', () => {
    for (let offset = 50_000; offset < 50_500; offset += LIMIT) remember(offset);

    expect(startOf(50_450)).toEqual({ key: [50_000], distance: 450, list: LIST });
  });

  it('stores a bounded number of rows of a list, the latest ones', () => {
    for (let row = 0; row <= ROWS_OF_LIST; row += 1) remember(10_000 + row * 500, { ...LIST, totalCount: 1_000_000 });

    expect(startOf(10_000)).toMatchObject({ distance: -500 });
    expect(startOf(10_500)).toMatchObject({ distance: 0 });
    expect(startOf(10_000 + ROWS_OF_LIST * 500)).toMatchObject({ distance: 0 });
  });

  it('stores a bounded number of lists, the most recently used ones', () => {
    for (let list = 0; list < LISTS; list += 1) remember(50_000, LIST, `list ${list}`);
    startOf(50_000, 'list 0');
    remember(50_000, LIST, 'one more');

    expect(startOf(50_000, 'list 0')).toBeDefined();
    expect(startOf(50_000, 'list 1')).toBeUndefined();
    expect(startOf(50_000, 'list 2')).toBeDefined();
    expect(startOf(50_000, 'one more')).toBeDefined();
  });
});
