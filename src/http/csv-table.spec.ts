import { csvOf } from './csv-table.js';

const written = async (texts: readonly (string | null)[]): Promise<string> => {
  const pieces = await csvOf<string | null>({ name: (text) => text, same: (text) => text }, texts);
  return Buffer.concat(pieces).toString();
};

describe('a table as CSV', () => {
  it('has a line with the names of the columns, and ends each line as RFC 4180 says', async () => {
    expect(await written([])).toBe('name,same\r\n');
    expect(await written(['a', null])).toBe('name,same\r\na,a\r\n,\r\n');
  });

  it.each([
    ['plain text, with a comma', '"plain text, with a comma"'],
    ['a "quoted" word', '"a ""quoted"" word"'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    [' blanks ', '" blanks "'],
    ['Abteilung Köln 🚀', 'Abteilung Köln 🚀'],
    ['0.000000000000000001', '0.000000000000000001'],
  ])('writes %j as %j', async (text, cell) => {
    expect(await written([text])).toBe(`name,same\r\n${cell},${cell}\r\n`);
  });

  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '|cmd',
    '%0A=1',
    '  =HYPERLINK("http://evil.example")',
    '\t=1',
    '\r=1',
    '\n=1',
    '＝1+1',
    '＠SUM(A1)',
    '\u00a0=1',
    '\ufeff=1',
  ])('does not let a spreadsheet run %j', async (formula) => {
    const [, line] = (await written([formula])).split('name,same\r\n');
    const [cell] = line!.split(/,(?=["'])/);
    expect(cell).toMatch(/^"?'/);
  });

  it('has every row of a long table once, in order', async () => {
    const texts = Array.from({ length: 1_501 }, (_, index) => `row ${index}`);
    expect(await written(texts)).toBe(`name,same\r\n${texts.map((text) => `${text},${text}\r\n`).join('')}`);
  });
});
