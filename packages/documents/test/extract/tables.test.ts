import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileOf, readWhole } from './read.ts';

/** The blocks of a small file. */
const blocksOf = async (...file: Parameters<typeof fileOf>): Promise<readonly string[]> => {
  const { sections } = await readWhole(fileOf(...file));
  return sections.flatMap(({ text }) => text.split('\n\n'));
};

test('years and dates above numbers are column names, and later rows with words are not', async () => {
  const worldBank = [
    '"Data Source","World Development Indicators",',
    '',
    '"Country Name","Country Code","Indicator Name","Indicator Code","1960","1961","1962","1963","1964",',
    '"Aruba","ABW","Population, total","SP.POP.TOTL","54608","","","1960","57029",',
    '"Chad","TCD","Population, total","SP.POP.TOTL","..","","3056","","3178",',
  ];
  assert.deepEqual(await blocksOf('population.csv', `${worldBank.join('\n')}\n`), [
    'Data Source | World Development Indicators',
    'Country Name | Country Code | Indicator Name | Indicator Code | 1960 | 1961 | 1962 | 1963 | 1964',
    'Country Name: Aruba\nCountry Code: ABW\nIndicator Name: Population, total\nIndicator Code: SP.POP.TOTL\n1960: 54608\n1963: 1960\n1964: 57029',
    'Country Name: Chad\nCountry Code: TCD\nIndicator Name: Population, total\nIndicator Code: SP.POP.TOTL\n1960: ..\n1962: 3056\n1964: 3178',
  ]);
  const named: readonly (readonly [string, string])[] = [
    ['Country,2019,2020,2021\nTogo,8.1,8.2,8.3\nChad,n/a,n/a,n/a\n', 'Country: Chad\n2019: n/a\n2020: n/a\n2021: n/a'],
    ['Country,2019,2020,2021\nChad,n/a,n/a,n/a\nTogo,8.1,8.2,8.3\n', 'Country: Togo\n2019: 8.1\n2020: 8.2\n2021: 8.3'],
    ['State,Lat,1/22/20,1/23/20\nTogo,8.1,0,1\nChad,9.2,2,2\n', 'State: Chad\nLat: 9.2\n1/22/20: 2\n1/23/20: 2'],
    ['Item,2024-01-31,2024-02-29\nRent,300,310\nHeat,,41\n', 'Item: Heat\n2024-02-29: 41'],
    [',2023/24,2024/25\nNorth,9,8\nSouth,,10\n', 'South\n2024/25: 10'],
    ['Item,%,€\nA,5,3\nB,7,8\n', 'Item: B\n%: 7\n€: 8'],
    ['Date:,01.01.2024,\nName,Fee,Due\nErna,300,01.02.2024\nFrida,,01.03.2024\n', 'Name: Frida\nDue: 01.03.2024'],
    [
      'Article,Count,Price,19%\nBolt,10,1.50,0.29\nNut,20,0.10,0.02\n',
      'Article: Nut\nCount: 20\nPrice: 0.10\n19%: 0.02',
    ],
    ['Name,Team,Site,Role,1\nErna,IT,Kiel,Dev,8\n', 'Name: Erna\nTeam: IT\nSite: Kiel\nRole: Dev\n1: 8'],
    ['Product,Kind,2023\nBolt,Steel,1850\nNut,Steel,2010\n', 'Product: Nut\nKind: Steel\n2023: 2010'],
    ['Product,2022,2023\nBolt,1990,2010\nNut,345,20\n', 'Product: Nut\n2022: 345\n2023: 20'],
    ['Country,2019,2020,2021\nTogo,1890,1950,2010\n', 'Country: Togo\n2019: 1890\n2020: 1950\n2021: 2010'],
    ['Test,E1,E2\nErna,3,4\n', 'Test: Erna\nE1: 3\nE2: 4'],
  ];
  for (const [table, last] of named) assert.equal((await blocksOf('a.csv', table)).at(-1), last, table);
});

test('a header row may be shorter than other rows, unless it describes the table below', async () => {
  const tables: readonly (readonly [string, string])[] = [
    ['Name,City,,\nErna,Kiel,VIP,\nFrida,Emden,new,\nOtto,Bonn,,\nUwe,Ulm,old,\n', 'Name: Uwe\nCity: Ulm\nold'],
    ['Lamp,City\nErna,Kiel,old,lost\nFrida,Emden\nUwe,Ulm\n', 'Lamp: Uwe\nCity: Ulm'],
    ['Date,Text,Sum\n01.01.2024,Rent,-500,x\n02.01.2024,Heat,-60,x\n', 'Date: 02.01.2024\nText: Heat\nSum: -60\nx'],
    ['Account,Main,\nName,Fee,Due\nErna,300,01.02.2024\n', 'Name: Erna\nFee: 300\nDue: 01.02.2024'],
    ['Account:,Main,\nName,City,Note\nErna,Kiel,VIP\n', 'Name: Erna\nCity: Kiel\nNote: VIP'],
    ['Account,Main,\n\nName,City,Note\nErna,Kiel,VIP\n', 'Name: Erna\nCity: Kiel\nNote: VIP'],
  ];
  for (const [table, last] of tables) assert.equal((await blocksOf('a.csv', table)).at(-1), last, table);
});

test('a table whose first row is data has no header, and its gaps keep their places', async () => {
  const tables: readonly (readonly [string, readonly string[]])[] = [
    [
      'Erna,Kiel,300\nLock,,50,60\n,,7\nFrida,Emden,120,\n',
      ['Erna | Kiel | 300', 'Lock | | 50 | 60', '| | 7', 'Frida | Emden | 120'],
    ],
    ['Erna,Kiel,1998\nFrida,Emden,2001\n', ['Erna | Kiel | 1998', 'Frida | Emden | 2001']],
    [
      'Erna,Kiel,1998\nFrida,Emden,2001\nOtto,Emden,0\nUwe,Ulm,1987\nIda,Ulm,1990\n',
      ['Erna | Kiel | 1998', 'Frida | Emden | 2001', 'Otto | Emden | 0', 'Uwe | Ulm | 1987', 'Ida | Ulm | 1990'],
    ],
    ['Erna,Kiel,1998\nFrida,Emden,01.02.2001\n', ['Erna | Kiel | 1998', 'Frida | Emden | 01.02.2001']],
    ['Erna,2019,2020,2021\nFrida,2015,2016,2017\n', ['Erna | 2019 | 2020 | 2021', 'Frida | 2015 | 2016 | 2017']],
    ['Erna,IT,Kiel,Dev,8\nFrida,IT,Emden,Ops,3\n', ['Erna | IT | Kiel | Dev | 8', 'Frida | IT | Emden | Ops | 3']],
    [
      'High Street,12a,Kiel,20095\nMill Lane,14,Emden,20097\n',
      ['High Street | 12a | Kiel | 20095', 'Mill Lane | 14 | Emden | 20097'],
    ],
    ['Country,8.1,8.2\nChad,n/a,n/a\nTogo,7.1,7.2\n', ['Country | 8.1 | 8.2', 'Chad | n/a | n/a', 'Togo | 7.1 | 7.2']],
  ];
  for (const [table, blocks] of tables) assert.deepEqual(await blocksOf('a.csv', table), blocks);
});

test('CSV cells are separated by the detected delimiter, not by the commas within them', async () => {
  const tables: readonly (readonly [string, string, string])[] = [
    ['a.tsv', 'name\tcity, state\nErna\tHouston, TX\n', 'name: Erna\ncity, state: Houston, TX'],
    ['a.tsv', 'name, first\tcity, state\nErna, E.\tKiel\nFrida\n', 'name, first: Frida'],
    ['a.csv', 'Preis, EUR;Stück, kg\n1,5;2,50\n', 'Preis, EUR: 1,5\nStück, kg: 2,50'],
    ['a.csv', 'sep=;\nship;tons, net\nErna;300,5\n', 'ship: Erna\ntons, net: 300,5'],
    ['a.txt', '"sep=|"\nship|tons\nErna|300\n', 'ship: Erna\ntons: 300'],
    ['a.csv', 'ship,note\nErna,old; slow\nFrida,new\n', 'ship: Frida\nnote: new'],
    ['a.csv', 'Fees, in euros\n\nship;tons\nErna;300,5\nFrida;120,0\n', 'ship: Frida\ntons: 120,0'],
    ['a.csv', 'Fees\n\nship,tons\nErna,300\nFrida,120\n', 'ship: Frida\ntons: 120'],
    ['a.csv', 'ship, name\nErna, old\nFrida, new\n', 'ship: Frida\nname: new'],
    ['a.csv', 'ship,note\nErna,"old\nand\nslow,\nas\nships are"\n', 'ship: Erna\nnote: old and slow, as ships are'],
  ];
  for (const [name, table, last] of tables) assert.equal((await blocksOf(name, table)).at(-1), last, table);
  const { sections } = await readWhole(fileOf('a.csv', 'sep=;\nship;tons\nErna;300\n'));
  assert.deepEqual(
    sections[0]?.marks?.map(({ first }) => first['row_start']),
    [1, 2],
  );
});

test('a single column of sentences or numbers with commas is read as one column', async () => {
  const columns: readonly string[] = [
    'Comment\nHello, world\nFine, thanks\nOk',
    'Comment\nHello, world\nOk\nFine\nSo',
    'Comment\nHello; world\nFine; thanks',
    'Price\n1,50\n2,30\n3,10',
  ];
  for (const column of columns) assert.deepEqual(await blocksOf('a.csv', `${column}\n`), column.split('\n'));
  const tables: readonly (readonly [string, readonly string[]])[] = [
    ['Population by country\nCountry,2020,2021\nTogo,83,84\n', ['Country: Togo\n2020: 83\n2021: 84']],
    ['Sales\nDate,Region, Amount\n2024-01-01,North,5\n', ['Date: 2024-01-01\nRegion: North\nAmount: 5']],
  ];
  for (const [table, rows] of tables) assert.deepEqual((await blocksOf('a.csv', table)).slice(-1), rows);
});

test('a table row in a web page is one line with a place for each cell', async () => {
  const row = (...cells: readonly string[]): string => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  const table = `<p>Before</p><table>${[
    row('', '2023', '<b>2024</b>'),
    row('<p>Husum</p>', '', '<p>3</p><p>m</p>'),
    row('<div>Kiel<br>South</div>', '<ul><li>4</li></ul>', ''),
  ].join('\n')}</table>`;
  const lines = '| 2023 | 2024\nHusum | | 3 m\nKiel South | - 4';
  assert.deepEqual(await blocksOf('a.html', table), ['Before', lines]);
  assert.deepEqual(await blocksOf('a.md', `# A\n\n${table}`), ['A', 'Before', lines]);
  assert.deepEqual(await blocksOf('a.md', '# A\n\n|  | 2023 | 2024 |\n| --- | --- | --- |\n| North |  | 10 |\n'), [
    'A',
    '| 2023 | 2024\nNorth | | 10',
  ]);
});

test('a page that is laid out as a table keeps its paragraphs', async () => {
  const words = 'A sentence of a letter that stands beside a picture.';
  const long = `${words} `.repeat(20).trim();
  const page = `<table><tr><td><img></td><td><p>${long}</p><p>${words}</p>
    <table><tr><td><p>Erna</p></td><td><p>300</p></td></tr></table></td></tr>
    <tr><td></td><td><p>${long}</p><p>${words}</p></td></tr><tr><td><p>One</p><p>Two</p></td></tr></table>`;
  // Read as a part of Markdown, for which no main content is searched.
  assert.deepEqual(await blocksOf('a.md', page), [long, words, 'Erna | 300', long, words, 'One', 'Two']);
});
