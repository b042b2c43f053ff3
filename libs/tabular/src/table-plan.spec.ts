import { describe, expect, it } from 'vitest';
import { TableScan } from './table-plan.js';
import { readTable } from './testing/read-table.js';

const codes = (table: ReturnType<typeof readTable>): string[] => table!.repaired.map(({ code }) => code);
const names = (table: ReturnType<typeof readTable>): string[] => table!.columns.map(({ name }) => name);

describe('the header of a table', () => {
  it('is the first row', () => {
    const table = readTable([
      ['City', 'Population (2024)'],
      ['Berlin', '3,700,000'],
      ['Paris', '2,100,000'],
    ]);
    expect(table).toMatchObject({
      columns: [
        { name: 'city', label: 'City', type: 'text' },
        { name: 'population_2024', type: 'integer' },
      ],
      rows: [
        ['Berlin', 3_700_000],
        ['Paris', 2_100_000],
      ],
      repaired: [],
    });
  });

  it('is below lines of a name, a value and its unit', () => {
    const table = readTable([
      ['Saved on', '03.03.2025'],
      ['Account', 'Current'],
      ['Balance', '3.204,10', 'EUR'],
      ['Day', 'Value', 'Payer', 'Purpose', 'Balance', 'Currency', 'Amount'],
      ['03.03.2025', '03.03.2025', 'Works', 'Rent', '3.204,10', 'EUR', '-85,00'],
      ['01.03.2025', '01.03.2025', 'Kern', 'Pay', '3.289,10', 'EUR', '2.450,00'],
    ])!;
    expect(table.columns.map(({ label }) => label).slice(0, 3)).toEqual(['Day', 'Value', 'Payer']);
    expect(table.rows).toHaveLength(2);
  });

  it.each([
    [
      [
        ['Contract number', '4711'],
        ['Customer', 'Acme Ltd'],
        ['Start', '01.03.2025'],
        ['Monthly fee', '1,200.00 EUR'],
      ],
    ],
    [
      [
        ['Vertragsnummer', 'V-2031'],
        ['Mieter', 'Ina Roth'],
        ['Fläche', '84 m²'],
      ],
    ],
    [
      [
        ['E-mail', 'desk@harbour.example'],
        ['Telephone', '0471 220 815'],
        ['Director', 'Ida Holm'],
      ],
    ],
  ])('is none over a sheet of names and values: %j', (rows) => {
    const table = readTable(rows)!;
    expect(table.rows).toEqual(rows);
    expect(table.columns.map(({ label }) => label)).toEqual(['', '']);
  });

  it.each([
    ['Item', 'Q1', '100', 'closed', '12 %'],
    ['Region', '2024', '100', 'closed', '12 %'],
    ['Parameter', 'Value', '230 V', 'red', '12.03.2025'],
    ['Person', 'Team 12', 'Sales', 'IT', '14'],
  ])('is the first row over names and values of several sorts: %s and %s', (name, value, ...values) => {
    const table = readTable([[name, value], ...values.map((one, at) => [`Name ${'abc'[at]!}`, one])])!;
    expect(table.columns.map(({ label }) => label)).toEqual([name, value]);
  });

  it('is of two rows where words are merged over others, though all values are words', () => {
    const body = [
      ['Anna', 'Koch', 'Mai', 'Juni'],
      ['Bert', 'Busch', 'Juli', 'August'],
    ];
    const groups = ['Mitarbeiter', 'Mitarbeiter', 'Urlaub', 'Urlaub'];
    const table = readTable([groups, ['Vorname', 'Nachname', 'Von', 'Bis'], ...body])!;
    expect(names(table)).toEqual(['mitarbeiter_vorname', 'mitarbeiter_nachname', 'urlaub_von', 'urlaub_bis']);
    expect(table.rows).toHaveLength(2);
    const plain = readTable([groups, ['Anna', 'Ott', 'Mai', 'Juli'], ...body])!;
    expect(plain.rows).toHaveLength(3);
  });

  it('goes on with a row of units of counted things', () => {
    const table = readTable([
      ['Position', 'Preis', 'Menge'],
      ['', 'EUR', 'Stück'],
      ['A', '1,20', '5'],
      ['B', '2,40', '7'],
    ])!;
    expect(table.columns.map(({ label }) => label)).toEqual(['Position', 'Preis (EUR)', 'Menge (Stück)']);
  });

  it('goes on with the row of units below a row that the file marks', () => {
    const body = [
      ['B1', '3.5', '12'],
      ['B2', '4.0', '15.5'],
    ];
    for (const units of [
      ['', '(m)', '(kN)'],
      ['', 'm', 'kg'],
    ]) {
      const table = readTable([['Beam', 'Length', 'Load'], units, ...body], { markedRows: 1 })!;
      expect(table.columns.map(({ label }) => label)).toEqual([
        'Beam',
        'Length (m)',
        expect.stringMatching(/^Load \((?:kN|kg)\)$/),
      ]);
      expect(table.rows).toEqual([
        ['B1', 3.5, 12],
        ['B2', 4, 15.5],
      ]);
    }
    const plain = readTable(
      [
        ['Clause', 'Holds'],
        ['(a)', 'yes'],
        ['(b)', 'no'],
      ],
      { markedRows: 1 },
    )!;
    expect(plain.rows).toHaveLength(2);
  });

  it('is below what an export says of itself, a name and a value a row', () => {
    const table = readTable([
      ['Transactions', '', '', ''],
      ['Holder:', 'Miller & Sons', '', ''],
      ['Period', '2026-02-01 - 2026-02-28'],
      ['Booked', 'Payee', 'Purpose', 'Amount'],
      ['2026-02-02', 'City Works', 'Rent', '-184.00'],
      ['2026-02-27', 'Baker', 'Invoice 42', '1190.00'],
    ])!;
    expect(table.title).toBe('Transactions');
    expect(table.columns.map(({ label, type }) => [label, type])).toEqual([
      ['Booked', 'date'],
      ['Payee', 'text'],
      ['Purpose', 'text'],
      ['Amount', 'number'],
    ]);
    expect(table.rows).toHaveLength(2);
  });

  it('is not below rows that leave cells empty', () => {
    const table = readTable([
      ['Country', 'Capital', 'Language', 'Area'],
      ['Vatican', 'Vatican', '', ''],
      ['France', 'Paris', 'French', '551'],
      ['Spain', 'Madrid', 'Spanish', '506'],
    ])!;
    expect(names(table)).toEqual(['country', 'capital', 'language', 'area']);
  });

  it('may name months', () => {
    for (const months of [
      ['01.2025', '02.2025', '03.2025'],
      ['11/2025', '12/2025', '1/2026'],
      ['2025-11', '2025-12', '2026-01'],
    ]) {
      const table = readTable([
        ['Meter', ...months],
        ['M1', '0.5', '1.25', '2'],
        ['M2', '3', '4.75', '1.5'],
      ])!;
      expect(table.columns.map(({ label }) => label)).toEqual(['Meter', ...months]);
      expect(table.rows[0]).toEqual(['M1', 0.5, 1.25, 2]);
    }
  });

  it('may count days or hours', () => {
    const days = Array.from({ length: 7 }, (_, index) => String(index + 1));
    const plan = readTable([
      ['Name', ...days],
      ['Kaya', '8', '8', '', '4', '8', '', ''],
      ['Roth', '', '8', '8', '8', '6', '', '2'],
    ])!;
    expect(plan.columns.map(({ label }) => label)).toEqual(['Name', ...days]);
    expect(plan.rows).toHaveLength(2);
    const values = readTable([
      ['A', '1', '2', '3', '4', '5'],
      ['B', '1', '2', '3', '4', '5'],
    ])!;
    expect(values.rows).toHaveLength(2);
  });

  it('is above rows of totals that begin with stars', () => {
    const table = readTable([
      ['Vendor', 'Name', 'Amount'],
      ['000100', 'Miller', '1.250,00-'],
      ['000200', 'Smith', '10,40'],
      ['*', '', '1.239,60-'],
      ['**', '', '1.239,60-'],
    ])!;
    expect(table.read.map(({ isTotal }) => isTotal)).toEqual([false, false, true, true]);
    expect(table.rows[0]).toEqual(['000100', 'Miller', -1250]);
  });

  it('is none above a form, whose rows begin with names and colons', () => {
    const table = readTable([
      ['Applicant:', 'Jonas Field'],
      ['Department:', 'Purchasing'],
      ['Since:', '2019-04-01'],
    ])!;
    expect(table.rows).toHaveLength(3);
    expect(codes(table)).toContain('header_missing');
  });

  it('is none above a form in which some names lack their colon', () => {
    const form = [
      ['Name:', 'Sabine Krüger'],
      ['Days:', '12'],
      ['Rest', 'carried over'],
      ['Department', 'Purchasing'],
    ];
    expect(readTable(form)!.rows).toHaveLength(4);
    expect(readTable([['Name:', 'Value:'], ...form.slice(1)])!.rows).toHaveLength(3);
    expect(readTable([['Name:', 'Value'], ...form.slice(2)])!.rows).toHaveLength(2);
  });

  it('is none where the file says so, below a title', () => {
    const table = readTable(
      [
        ['Pump', 'Pump'],
        ['Head', '42 m'],
        ['Power', '5 kW'],
      ],
      { markedRows: 0 },
    )!;
    expect(table.title).toBe('Pump');
    expect(table.rows).toEqual([
      ['Head', '42 m'],
      ['Power', '5 kW'],
    ]);
  });

  it('may name years', () => {
    expect(
      names(
        readTable([
          ['Country', '2023', '2024'],
          ['A', '1.5', '2'],
          ['B', '3', '4'],
        ]),
      ),
    ).toEqual(['country', 'c_2023', 'c_2024']);
  });

  it('has two rows where the upper one groups columns', () => {
    const merged = readTable([
      ['Name', 'Sales', 'Sales', 'Costs', 'Costs'],
      ['Name', '2023', '2024', '2023', '2024'],
      ['A', '1', '2', '3', '4'],
    ]);
    const blank = readTable([
      ['Name', 'Sales', '', 'Costs', ''],
      ['', '2023', '2024', '2023', '2024'],
      ['A', '1', '2', '3', '4'],
    ]);
    for (const table of [merged, blank]) {
      expect(names(table)).toEqual(['name', 'sales_2023', 'sales_2024', 'costs_2023', 'costs_2024']);
      expect(table!.rows).toEqual([['A', 1, 2, 3, 4]]);
      expect(codes(table)).toContain('header_joined');
    }
  });

  it.each([
    ['years', '2024', '2025'],
    ['dates', '31.12.2024', '31.12.2025'],
  ])('may group columns by %s', (_kind, one, other) => {
    const body = [
      ['North', 'Lund', '14', '910', '17', '1105'],
      ['South', 'Oslo', '22', '1640', '21', '1590'],
    ];
    const below = ['Region', 'Office', 'Staff', 'Cost', 'Staff', 'Cost'];
    const labels = ['Region', 'Office', `${one} Staff`, `${one} Cost`, `${other} Staff`, `${other} Cost`];
    for (const above of [
      ['Region', 'Office', one, one, other, other],
      ['', '', one, '', other, ''],
    ]) {
      const table = readTable([above, below, ...body])!;
      expect(table.columns.map(({ label }) => label)).toEqual(labels);
      expect(table.rows).toHaveLength(2);
    }
  });

  it('may name dates over columns of other values', () => {
    const header = ['Account', '31.12.2023', '31.12.2024'];
    const table = readTable([header, ['Cash', '1.200', '1.350'], ['Stock', '800', '790']])!;
    expect(table.columns.map(({ label }) => label)).toEqual(header);
    const dates = readTable([
      ['Signed', '31.12.2023'],
      ['Ended', '01.02.2024'],
    ])!;
    expect(codes(dates)).toContain('header_missing');
  });

  it('is what the file marks, under a title that spans it', () => {
    const rows = [
      ['Staff 2025', 'Staff 2025', 'Staff 2025'],
      ['1', '2', '3'],
      ['4', '5', '6'],
    ];
    expect(readTable(rows, { markedRows: 2 })).toMatchObject({
      title: 'Staff 2025',
      columns: [{ label: '1' }, { label: '2' }, { label: '3' }],
    });
  });

  it('comes below a title above two columns', () => {
    const table = readTable([
      ['Sales of branches', ''],
      ['Branch', 'Sales'],
      ['Oslo', '12'],
      ['Lund', '30'],
    ])!;
    expect(table).toMatchObject({ title: 'Sales of branches', columns: [{ label: 'Branch' }, { label: 'Sales' }] });
  });

  it('is no row of negative amounts', () => {
    const table = readTable([
      ['Rent', 'Sales'],
      ['(1,200)', '(300)'],
      ['(1,100)', '500'],
    ])!;
    expect(table).toMatchObject({ columns: [{ label: 'Rent' }, { label: 'Sales' }] });
    expect(table.rows).toEqual([
      [-1200, -300],
      [-1100, 500],
    ]);
  });

  it('has a row of units', () => {
    const table = readTable([
      ['Item', 'Weight', 'Price'],
      ['', '(kg)', '[EUR]'],
      ['A', '1.5', '2'],
      ['B', '3', '4'],
    ]);
    expect(table!.columns.map(({ unit }) => unit)).toEqual([null, 'kg', 'EUR']);
  });

  it.each([
    ['without brackets', ['', '°C', 'Tsd.'], ['°C', 'Tsd.']],
    ['in some columns', ['', '', '€'], [null, '€']],
    ['of two words', ['', '°C', 'Tsd. €'], ['°C', 'Tsd. €']],
  ])('has a row of units %s', (_name, units, read) => {
    const table = readTable([['City', 'Temp.', 'Sum'], units, ['Bonn', '12,5', '330'], ['Ulm', '11,0', '126']])!;
    expect(table.columns.map(({ unit }) => unit)).toEqual([null, ...read]);
    expect(table.rows).toEqual([
      ['Bonn', 12.5, 330],
      ['Ulm', 11, 126],
    ]);
  });

  it('may name a unit of two words in brackets', () => {
    const table = readTable([
      ['Branch', 'Sales (in Mio. EUR)', 'Reach (net total)'],
      ['Oslo', '12', '3'],
      ['Lund', '30', '4'],
    ])!;
    expect(table.columns.map(({ unit }) => unit)).toEqual([null, 'Mio. EUR', null]);
  });

  it('takes no row for units where words stand below, or where the units are values', () => {
    const quantities = readTable([
      ['Quantity', 'Unit'],
      ['Length', 'm'],
      ['Mass', 'kg'],
    ])!;
    expect(quantities.rows).toHaveLength(2);
    const grades = readTable([
      ['Pupil', 'Grade'],
      ['', 'a'],
      ['Eve', 'b'],
      ['Max', 'c'],
    ])!;
    expect(grades.rows).toHaveLength(3);
  });

  it('comes below a title and the time it is of, and below remarks of a tool', () => {
    const body = [
      ['Branch', 'Sales', 'Staff'],
      ['Oslo', '12', '3'],
      ['Lund', '30', '4'],
    ];
    for (const time of ['2024', '31.12.2024']) {
      const table = readTable([['Sales of branches', '', ''], [time, '', ''], ...body])!;
      expect(table).toMatchObject({ title: `Sales of branches ${time}`, columns: [{ label: 'Branch' }, {}, {}] });
      expect(table.rows).toHaveLength(2);
    }
    const exported = readTable([['# 14 rows'], ['# 2024'], ['id', 'name'], ['1', 'a'], ['2', 'b']])!;
    expect(exported.columns.map(({ label }) => label)).toEqual(['id', 'name']);
  });

  it.each(['29 rows selected.', '(2 rows)', '2 Datensätze exportiert'])('leaves out the count below: %s', (count) => {
    const table = readTable([['id', 'text'], ['1', 'a'], ['2', 'b'], [count]])!;
    expect(table.rows).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
  });

  it('may be numbers above columns of words', () => {
    const table = readTable([
      ['1', '2'],
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect(names(table)).toEqual(['c_1', 'c_2']);
  });

  it('ends where truth values begin', () => {
    const table = readTable([
      ['', 'Class 1', 'Class 1'],
      ['', 'A', 'B'],
      ['R1', 'True', 'False'],
      ['R2', 'False', 'True'],
    ]);
    expect(names(table)).toEqual(['column_1', 'class_1_a', 'class_1_b']);
    expect(table!.rows).toHaveLength(2);
  });

  it('is below a title', () => {
    const table = readTable([
      ['Report 2024', 'Report 2024', 'Report 2024'],
      ['City', 'Area', 'Mayor'],
      ['A', '5', 'x1'],
      ['B', '6', 'y2'],
    ]);
    expect(table).toMatchObject({
      title: 'Report 2024',
      rows: [
        ['A', 5, 'x1'],
        ['B', 6, 'y2'],
      ],
    });
  });

  it('is missing where the first row holds values', () => {
    const table = readTable([
      ['1', '2.5'],
      ['2', '3.5'],
    ]);
    expect(names(table)).toEqual(['column_1', 'column_2']);
    expect(codes(table)).toEqual(['header_missing']);
    expect(table!.rows).toHaveLength(2);
  });

  it('has as many rows as the policy says', () => {
    expect(
      readTable(
        [
          ['City', 'State'],
          ['A', 'B'],
        ],
        { headerRows: 0 },
      )!.rows,
    ).toHaveLength(2);
    expect(
      names(
        readTable(
          [
            ['A', 'B'],
            ['x', 'y'],
            ['1', '2'],
          ],
          { headerRows: 2 },
        ),
      ),
    ).toEqual(['a_x', 'b_y']);
  });

  it('gives each column a name of its own that statements can use', () => {
    const table = readTable([
      ['Größe', 'Name', 'name', 'order', '', '% of all', 'Имя', 'select*'],
      ['1', 'b', 'c', 'd', 'e', '5', 'g', 'h'],
    ]);
    expect(names(table)).toEqual(['grosse', 'name', 'name_2', 'order_', 'column_5', 'of_all', 'имя', 'select_']);
    expect(codes(table)).toContain('header_duplicated');
  });
});

describe('the rows of a table', () => {
  const head = ['Region', 'Sales', 'Share'];

  it('are made even, and what was done is told with their numbers', () => {
    const table = readTable([head, ['A', '1'], ['B', '2', '30%', 'extra'], ['C', '3', '50%']]);
    expect(table!.rows).toEqual([
      ['A', 1, null, null],
      ['B', 2, 30, 'extra'],
      ['C', 3, 50, null],
    ]);
    expect(table!.repaired).toEqual(
      expect.arrayContaining([
        { code: 'short_rows', column: null, count: 1, rows: [2] },
        { code: 'long_rows', column: null, count: 1, rows: [3] },
      ]),
    );
  });

  it('say whether they sum up others', () => {
    const table = readTable([
      head,
      ['A', '1', '20%'],
      ['Totalling Ltd', '4', '80%'],
      ['Grand total', '5', '100%'],
      ['Summe', '5', ''],
    ]);
    expect(table!.read.map(({ isTotal }) => isTotal)).toEqual([false, false, true, true]);
  });

  it('that sum up others leave dates above their name dates', () => {
    for (const [name, total] of [
      ['Day', 'Total'],
      ['Buchung', 'Endsaldo'],
      ['Day', 'Closing balance'],
    ]) {
      const table = readTable([
        [name!, 'Sum'],
        ['03.03.2025', '5'],
        ['14.03.2025', '7'],
        [total!, '12'],
      ])!;
      expect(table.columns.map(({ type }) => type)).toEqual(['date', 'integer']);
      expect(table.read.map(({ isTotal }) => isTotal)).toEqual([false, false, true]);
      expect(codes(table)).not.toContain('unreadable_values');
    }
  });

  it('leave out sections, notes and headers of later pages', () => {
    const table = readTable([
      head,
      ['North', 'North', 'North'],
      ['A', '1', '2%'],
      head,
      ['B', '2', '3%'],
      ['Source: somebody', '', ''],
    ]);
    expect(table!.rows).toEqual([
      ['A', 1, 2],
      ['B', 2, 3],
    ]);
    expect(codes(table)).toEqual(expect.arrayContaining(['section_rows', 'header_repeated', 'note_rows']));
  });

  it('lose columns in which nothing is', () => {
    const table = readTable([
      ['A', '', 'B'],
      ['1', '', 'x'],
      ['2', '', 'y'],
    ]);
    expect(names(table)).toEqual(['a', 'b']);
    expect(codes(table)).toEqual(['empty_columns']);
  });

  it('end where the limits do', () => {
    const lines = [head, ...Array.from({ length: 100 }, (_, index) => ['A', String(index), 'b'])];
    const table = readTable(lines, {}, { maxColumns: 2, maxRows: 51, maxCells: 1000 });
    expect(table!.rows).toHaveLength(50);
    expect(table!.columns).toHaveLength(2);
    expect(table!.repaired).toEqual(
      expect.arrayContaining([
        { code: 'columns_left_out', column: null, count: 1, rows: [] },
        { code: 'rows_left_out', column: null, count: 50, rows: [] },
      ]),
    );
  });

  it('says which dates are the first day of a month that a cell names alone', () => {
    const table = readTable([
      ['Opened', 'City'],
      ['March 1998', 'Graz'],
      ['3 May 2007', 'Linz'],
      ['1 June 2011', 'Lyon'],
    ])!;
    expect(table.rows.map(([opened]) => opened)).toEqual(['1998-03-01', '2007-05-03', '2011-06-01']);
    expect(table.repaired).toContainEqual({ code: 'day_missing', column: 'opened', count: 1, rows: [2] });
  });

  it('takes months above columns as names of them', () => {
    const table = readTable([
      ['Region', 'March 1998', 'April 1998'],
      ['North', '1', '2'],
      ['South', '3', '4'],
    ]);
    expect(names(table)).toEqual(['region', 'march_1998', 'april_1998']);
  });

  it('are counted where none of them is within the limits any more, which makes no table', () => {
    const rules = { headerRows: 'auto', markedRows: null, types: new Map(), language: null, hasGrid: false } as const;
    const scan = new TableScan(rules, { maxColumns: 10, maxRows: 10, maxCells: 0 });
    for (let row = 1; row <= 3; row += 1) scan.add({ row, cells: ['a', '1'] });
    expect([scan.finish(), scan.rowsLeftOut]).toEqual([undefined, 3]);
  });

  it('make no table where there are none', () => {
    expect(readTable([])).toBeUndefined();
    expect(readTable([['A', 'B']], { headerRows: 1 })).toBeUndefined();
  });
});
