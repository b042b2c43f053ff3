import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureGrounding, resolveCitations } from './citations.js';
import { answerExtractively } from './answer-extractively.js';

const source = (number: number, text: string, score = 1) => ({ number, text, score });

describe('answerExtractively', () => {
  it.each([
    [
      'When was the tower opened?',
      'The tower stands in Paris. It was opened to the public in March 1889. The tower is made of iron.',
      '1889',
    ],
    [
      'How many visitors come each year?',
      'Visitors like the view. About seven million visitors come each year. Tickets are sold out.',
      'seven million',
    ],
    [
      'Wie hoch ist die Kündigungsgebühr?',
      'Die Gebühr wird jährlich angepasst. Bei Kündigung fällt eine Gebühr von 25 Euro an. Anträge sind schriftlich.',
      '25 Euro',
    ],
    [
      'Сколько стоит билет?',
      'Билеты продаются в кассе. Стоимость билета составляет 300 рублей. Касса закрыта в понедельник.',
      '300 рублей',
    ],
    ['铁塔有多高？', '铁塔位于巴黎。铁塔高度为330米。它由铁制成。', '330米'],
    [
      '塔の高さはどのくらいですか？',
      '塔はパリにあります。塔の高さは330メートルです。鉄でできています。',
      '330メートル',
    ],
    [
      'Who designed the library?',
      'The library has three floors. It was designed by Ada Palme in two years. The library is open daily.',
      'Ada Palme',
    ],
  ])('answers “%s”', (question, text, expected) => {
    const result = answerExtractively(question, [source(1, 'Nothing of the kind is said here.'), source(2, text)]);
    expect(result?.answer).toContain(expected);
    expect(result?.used).toEqual([2]);
    expect(result?.answer).toMatch(/ \[2\]$/);
  });

  it('quotes the row that is named after what is asked about, not rows that mention it', () => {
    const addons = 'Add-on | Price | For plans\nMore space | 25 EUR | Basic, Large\nOwn address | 60 EUR | Large';
    const plans = 'Plan | Price | Users\nBasic | 6.50 EUR | 3\nLarge | 19.00 EUR | 50';
    const result = answerExtractively('What does Large cost?', [source(1, addons), source(2, plans, 0.9)]);
    expect(result?.used).toEqual([2]);
    expect(result?.answer).toContain('19.00 EUR');
  });

  it('quotes what holds a word of the matter, not what holds the name of the house alone', () => {
    const notes = 'The rents of Mill House rise by 3.1 % on 1 July 2026.';
    const handbook = 'The laundry room in the basement is open from 6:30 to 21:00.';
    const sources = [source(1, notes), { ...source(2, handbook, 0.9), title: 'Handbook of Mill House' }];
    expect(answerExtractively('When does the laundry at Mill House close?', sources)?.used[0]).toBe(2);
  });

  it('quotes the sentence beside the best one where that one alone holds the time', () => {
    const rules = 'The cabin is let to members for their visitors. Arrival is from 3 pm.\n\nThe shed closes at 6 pm.';
    const answer = answerExtractively('From when on can my visitor use the cabin?', [source(1, rules)])?.answer;
    expect(answer).toBe('The cabin is let to members for their visitors. [1] Arrival is from 3 pm. [1]');
  });

  it('quotes the line that is labelled with who is asked about, and none of another label', () => {
    const lines =
      'Staff and networks\n\nGardeners: every second Wednesday\nCrew network: ask the helpdesk\nVisitor network: password "harbour-7"';
    const garden = 'In the garden, grills may be used until 21:30.';
    const ask = (question: string): string | undefined =>
      answerExtractively(question, [source(1, garden), source(2, lines)])?.answer;
    expect(ask('When is the gardener there?')).toContain('second Wednesday');
    expect(ask('When is the gardener there?')).not.toContain('grills');
    expect(ask('What is the password of the crew network?')).not.toContain('harbour-7');
  });

  it('looks below a heading for what it is asked of it, in words that do not name it again', () => {
    const page = 'Office\n\nMonday to Friday, 8 am to 4 pm.\n\nPool\n\nDaily from 9 am to 6 pm. Sign up at the office.';
    const result = answerExtractively('What are the opening hours of the office?', [source(1, page)]);
    expect(result?.answer).toBe('Monday to Friday, 8 am to 4 pm. [1]');
  });

  it('adds no sentence that has another word of the question and not its subject', () => {
    const texts = [
      source(1, 'Cats need the written consent of the landlord.'),
      source(2, 'Keep quiet from ten to six.'),
    ];
    expect(answerExtractively('May I keep cats?', texts)?.answer).toBe(
      'Cats need the written consent of the landlord. [1]',
    );
  });

  it('takes no days of a date for a count, and no name with a number', () => {
    const trip =
      'Year 6 goes to Carrick Fell from Monday 17 to Friday 21 May 2027. There are 28 places at Carrick Fell.';
    const result = answerExtractively('How many children can go to Carrick Fell?', [source(1, trip)]);
    expect(result?.answer).toBe('There are 28 places at Carrick Fell. [1]');
  });

  it('quotes what follows a question of the text, and no label that only repeats the question', () => {
    const faq =
      'How do I get back a lost item?\nThe desk keeps it for a month.\n\nIs there parking?\nYes, behind the hall.';
    expect(answerExtractively('Who has my lost item?', [source(1, faq)])?.answer).toBe(
      'The desk keeps it for a month. [1]',
    );
    const minutes = '4. Roof. Water comes in above the hall. Mr Black has asked three firms.';
    expect(answerExtractively('Who mends the roof?', [source(1, minutes)])).toBeNull();
  });

  const FARES = `Category | Route | Single EUR | Return EUR
Adult | Westport - Larn | 21.00 | 37.00
Child | Westport - Larn | 10.00 | 17.50
Bicycle | Westport - Larn | 6.00 | 10.50
Bicycle | Larn - Holt | 4.00 | 7.00`;

  it('quotes the row that fits best alone, with the price that is asked for, and nothing that holds none', () => {
    const texts = [source(1, 'Ferries between Westport and Larn take bicycles.'), source(2, FARES)];
    const result = answerExtractively('What does a bike cost from Westport to Larn?', texts);
    expect(result?.answer).toBe('Category: Bicycle; Route: Westport - Larn; Single EUR: 6.00; Return EUR: 10.50. [2]');
  });

  it.each([
    [
      'Wie viele Rollen Akustikvlies dunkelrot sind auf Lager?',
      'Artikelnr | Artikel | Lagerplatz | Bestand | Einheit\nA-17 | Akustikvlies hellgrau | R-02 | 312 | Rollen\nA-18 | Akustikvlies dunkelrot | R-03 | 47 | Rollen',
      'Bestand: 47',
    ],
    [
      'How many navy ceramic mugs are on the shelf?',
      'SKU | Item | Shelf | Quantity\nK-101 | Ceramic mug white | B2 | 640\nK-102 | Ceramic mug navy | B3 | 85',
      'Quantity: 85',
    ],
    [
      'Combien de plaques de feutre bordeaux sont à cet emplacement ?',
      'Référence | Désignation | Emplacement | Quantité\nF-31 | Feutre gris | A4 | 230\nF-32 | Feutre bordeaux | A5 | 66',
      'Quantité: 66',
    ],
    [
      '¿Cuántas cajas de baldosa verde hay en esta ubicación?',
      'Código | Artículo | Ubicación | Existencias\nP-11 | Baldosa blanca | N1 | 950\nP-12 | Baldosa verde | N2 | 72',
      'Existencias: 72',
    ],
  ])('tells the number that is asked for, whatever its column is called: %s', (question, table, told) => {
    expect(answerExtractively(question, [source(1, table)])?.answer).toContain(told);
  });

  it('tells no other number where the question names the column of one', () => {
    const table = 'Hall | Seats | Rent EUR\nBlue hall | 120 | 400\nRed hall | 80 | 250';
    const answer = answerExtractively('How many seats does the blue hall have?', [source(1, table)])?.answer;
    expect(answer).toBe('Hall: Blue hall; Seats: 120. [1]');
  });

  it('quotes rows that fit equally well', () => {
    const result = answerExtractively('What does a bicycle cost?', [source(1, FARES)]);
    expect(result?.answer).toContain('Westport - Larn');
    expect(result?.answer).toContain('Larn - Holt');
    expect(result?.answer).not.toMatch(/Adult|Child/);
  });

  it('begins with the sentence that answers, wherever it is', () => {
    const text =
      'The pool in Holt has a café. Swimming caps for the pool are lent at the desk. The pool in Holt opens at 7:30.';
    expect(answerExtractively('When does the pool in Holt open?', [source(1, text)])?.answer).toMatch(
      /^The pool in Holt opens at 7:30\. \[1\]/,
    );
  });

  it.each([
    ['Which rooms does the hall have?', 2],
    ['Which rooms are in the hall?', 4],
    ['List all rooms of the hall.', 4],
  ])('holds to two sentences, and to four where a list is asked for: %s', (question, most) => {
    const rooms = ['kitchen', 'studio', 'library', 'cellar', 'attic'];
    const text = rooms.map((room) => `The ${room} is one of the rooms of the hall.`).join(' ');
    const quoted = answerExtractively(question, [source(1, text)])?.answer.match(/\[1\]/g);
    expect(quoted).toHaveLength(most);
  });

  it('returns null when no content word of the question is found', () => {
    expect(
      answerExtractively('What is the boiling point of tungsten?', [source(1, 'What is the colour of the sky?')]),
    ).toBeNull();
    expect(answerExtractively('Why?', [source(1, 'Because.')])).toBeNull();
    expect(answerExtractively('Anything at all?', [])).toBeNull();
  });

  it('refuses a weak overlap when a coverage is asked for', () => {
    const sources = [source(1, 'The boiling kettle is red.')];
    expect(answerExtractively('What is the boiling point of tungsten?', sources)?.coverage).toBeLessThan(0.5);
    expect(answerExtractively('What is the boiling point of tungsten?', sources, { minCoverage: 0.5 })).toBeNull();
  });

  it('leaves out Markdown marks, line breaks and the source’s own markers', () => {
    const text = '## Fees\n\n- The yearly fee [3] is\n  25 euros.\n- Other things are free.';
    expect(answerExtractively('How much is the yearly fee?', [source(1, text)], { maxSentences: 1 })?.answer).toBe(
      'The yearly fee is 25 euros. [1]',
    );
  });

  it('does not quote nearly the same sentence twice', () => {
    const result = answerExtractively('When was the tower opened?', [
      source(1, 'The tower was opened in 1889.'),
      source(2, 'The tower was opened in 1889!'),
    ]);
    expect(result?.used).toEqual([1]);
  });

  it('does not take a question for an answer where something says as much', () => {
    const mails = [
      {
        ...source(1, 'Can we move the opening of the branch from 3 March to 17 March?'),
        title: 'Opening of the branch',
      },
      {
        ...source(2, 'The final opening date is 7 April, since the builder is late.'),
        title: 'Re: Opening of the branch',
      },
    ];
    expect(answerExtractively('When is the opening of the branch?', mails)?.used).toEqual([2]);
    expect(answerExtractively('When is the opening of the branch?', mails.slice(0, 1))?.used).toEqual([1]);
  });

  it('quotes a second source for the part of the question that the first leaves open', () => {
    const result = answerExtractively('How tall is the tower and who painted the bridge?', [
      source(4, 'The tower is 330 metres tall.'),
      source(9, 'The bridge was painted by Ada Palme.'),
    ]);
    expect(result?.used.toSorted()).toEqual([4, 9]);
  });

  it('finds what is said in other everyday words', () => {
    const text = 'Badges are blue. A lost access badge must be reported to the desk at once. Visitors wear a badge.';
    const result = answerExtractively('What happens if I lose my badge?', [source(1, text)], { maxSentences: 1 });
    expect(result?.answer).toBe('A lost access badge must be reported to the desk at once. [1]');
  });

  it.each([
    '| Plan | Price | Seats |\n| --- | --- | --- |\n| Basic | 10 euros | 3 |\n| Team | 45 euros | 20 |',
    'Plan | Price | Seats\nBasic | 10 euros | 3\nTeam | 45 euros | 20',
  ])('answers from a table with the cell and its headers: %s', (table) => {
    const given = [source(1, `Our plans.\n\n${table}\n\nPrices change yearly.`)];
    const result = answerExtractively('What is the price of the Team plan?', given, { maxSentences: 1 });
    expect(result?.answer).toBe('Plan: Team; Price: 45 euros. [1]');
    expect(measureGrounding(result!.answer, given)).toMatchObject({ status: 'supported', score: 1 });
    const [citation] = resolveCitations(
      result!.answer,
      given.map((one) => ({ ...one, start: 0 })),
    ).citations;
    expect(citation!.citedText.replaceAll('|', ' ').trim()).toMatch(/^Team\s+45 euros\s+20$/);
  });

  it('quotes both of two sentences that contradict each other', () => {
    const result = answerExtractively('How long is the notice period?', [
      source(1, 'The notice period is three months. Holidays are paid.'),
      source(2, 'The notice period is 6 weeks. Lunch is free.'),
    ]);
    expect(result?.answer).toContain('three months. [1]');
    expect(result?.answer).toContain('6 weeks. [2]');
  });

  it.each([
    [
      'Smoking is allowed on the terrace.',
      'Smoking is not allowed on the terrace.',
      'Is smoking allowed on the terrace?',
    ],
    [
      'Employees may work from home two days a week.',
      'Employees may work from home three days a week.',
      'How many days a week may I work from home?',
    ],
    ['Das Tor ist am Montag offen.', 'Das Tor ist am Dienstag offen.', 'Wann ist das Tor offen?'],
    ['The desk is led by Ada Lind.', 'The desk is led by Bo Lind.', 'Who leads the desk?'],
    ['露台上允许吸烟。', '露台上不允许吸烟。', '露台上允许吸烟吗？'],
  ])('quotes both of %j and %j, in either order', (one, other, question) => {
    for (const [first, second] of [
      [one, other],
      [other, one],
    ] as const) {
      const { answer } = answerExtractively(question, [source(1, first), source(2, second)])!;
      expect(answer).toContain(`${first} [1]`);
      expect(answer).toContain(`${second} [2]`);
    }
  });

  it('quotes a restatement once', () => {
    const sources = [
      source(1, 'Invoices are paid within 20 days.'),
      source(2, 'All invoices are paid within twenty days of receipt.'),
    ];
    expect(answerExtractively('When are invoices paid?', sources)?.used).toHaveLength(1);
  });

  it.each([
    [
      'From what age may children use the slide?',
      'So far children from 8 could use the slide. From 18 May the minimum age is 10.',
      /from 8.*minimum age is 10/,
    ],
    ['Was kostet ein Leihrad?', 'Bisher kostete ein Leihrad 4 Euro. Ab Mai sind es 4,50 Euro.', /4 Euro.*4,50 Euro/],
    [
      'À partir de quel âge peut-on nager ?',
      'Jusqu’ici on pouvait nager à partir de 8 ans. Dorénavant il faut avoir 10 ans.',
      /8 ans.*10 ans/,
    ],
  ])('tells what was so far with what holds now: %s', (question, text, wanted) => {
    expect(answerExtractively(question, [source(1, text)])?.answer).toMatch(wanted);
  });

  it.each([
    [
      'Until when can bookings be cancelled free of charge?',
      [
        'For new bookings the period for free cancellation is 21 days. This replaces the 14 days of the guide.',
        'Bookings can be cancelled free of charge up to 14 days before.',
      ],
      /21 days\. \[1\] This replaces the 14 days/,
      /up to 14 days/,
    ],
    [
      'Bis wann ist eine Buchung kostenlos zu stornieren?',
      [
        'Eine Buchung ist bis 21 Tage vorher kostenlos zu stornieren. Das ersetzt die 14 Tage von früher.',
        'Eine Buchung ist bis 14 Tage vorher kostenlos zu stornieren.',
      ],
      /21 Tage.*ersetzt die 14 Tage/,
      /bis 14 Tage/,
    ],
  ])('leaves out what another statement says to be replaced: %s', (question, texts, wanted, gone) => {
    const sources = texts.map((text, at) => source(at + 1, text));
    const answer = answerExtractively(question, sources)?.answer;
    expect(answer).toMatch(wanted);
    expect(answer).not.toMatch(gone);
  });

  it('takes “es wird” for no replacement', () => {
    const sources = [
      source(1, 'Ein Paket wird im Lager 14 Tage aufbewahrt.'),
      source(2, 'Das Lager nimmt ein Paket an. Es wird 14 Tage aufbewahrt.'),
    ];
    expect(answerExtractively('Wie lange wird ein Paket im Lager aufbewahrt?', sources)?.answer).toMatch(
      /^Ein Paket wird im Lager 14 Tage aufbewahrt/,
    );
  });

  it('keeps what has the same figures and another matter', () => {
    const sources = [
      source(1, 'Parcels are kept for 14 days.'),
      source(2, 'Free cancellation ends 21 days before. This replaces the 14 days of the guide.'),
    ];
    expect(answerExtractively('How long are parcels kept?', sources)?.answer).toMatch(/^Parcels are kept for 14 days/);
  });

  it('says that the newer of two dated statements replaces the older, whichever comes first', () => {
    const older = 'Employees may work from home two days a week. Valid from 1 January 2022.';
    const newer = 'Employees may work from home three days a week. Valid from 1 March 2025.';
    const question = 'How many days a week may I work from home?';
    const wanted =
      /^Employees may work from home three days a week\. \[\d\] This replaces the older statement \(1 January 2022\): Employees may work from home two/;
    for (const texts of [
      [older, newer],
      [newer, older],
    ] as const) {
      const sources = texts.map((text, index) => source(index + 1, text));
      const { answer } = answerExtractively(question, sources)!;
      expect(answer).toMatch(wanted);
      expect(measureGrounding(answer, sources).status).toBe('supported');
    }
  });

  it('looks past the day from which each of them holds', () => {
    const older = 'Notice of 10 January 2024. The allowance abroad is 44 euros from 1 February 2024.';
    const newer = 'Notice of 3 June 2026. The allowance abroad rises to 52 euros from 1 July 2026.';
    const found = answerExtractively('What is the allowance abroad?', [source(1, older), source(2, newer)]);
    expect(found?.answer).toMatch(/^The allowance abroad rises to 52 euros.* \[2\] This replaces the older statement/);
    const seasons = ['The pool opens at 9 in February.', 'The pool opens at 7 in July.'];
    const both = answerExtractively('When does the pool open?', [
      source(1, `Notice of 10 January 2024. ${seasons[0]}`),
      source(2, `Notice of 3 June 2025. ${seasons[1]}`),
    ]);
    expect(both?.answer).not.toContain('replaces');
  });

  it('quotes no title beside an answer', () => {
    const text = 'Sauna and pool\n\nThe sauna is open daily from 4 to 9.30 pm. The pool is open from 7 am.';
    const answer = answerExtractively('When is the sauna open?', [source(1, text)])?.answer;
    expect(answer).toContain('The sauna is open daily from 4 to 9.30 pm. [1]');
    expect(answer).not.toContain('Sauna and pool');
  });

  it('quotes a row again for another of its cells', () => {
    const table =
      'Treatment | Duration | Price\nRelaxing massage | 50 minutes | 78 €\nSport massage | 30 minutes | 55 €';
    const told = ['Treatment: Relaxing massage; Duration: 50 minutes; Price: 78 €. [1]'];
    const options = { asked: 'And what does it cost?', told };
    const question = 'And what does it cost? long relaxing massage';
    expect(answerExtractively(question, [source(1, table)], options)?.answer).toMatch(/^Treatment: Relaxing massage/);
  });

  it('calls neither newer where one is not dated', () => {
    const sources = [
      source(1, 'The hotel allowance is 120 euros a night.'),
      source(2, 'The hotel allowance is 145 euros a night. Valid from 1 March 2025.'),
    ];
    const { answer } = answerExtractively('How high is the hotel allowance?', sources)!;
    expect(answer).toContain('120 euros');
    expect(answer).toContain('145 euros');
    expect(answer).not.toContain('replaces');
  });

  it('quotes the steps below a heading, each with its marker', () => {
    const text =
      '# Manual\n\n## Replacing the pump filter\n\n1. Switch it off.\n2. Open the lid.\n3. Swap it.\n\nDone.';
    expect(answerExtractively('How do I replace the pump filter?', [source(7, text)])?.answer).toBe(
      'Replacing the pump filter [7] Switch it off. [7] Open the lid. [7] Swap it. [7]',
    );
  });

  it.each([
    'Set the pump pressure:\n```bash\npump --pressure 5\n',
    'The pump pressure is ```5 bar.',
    '~~~\nThe pump pressure is 5 bar.\n',
    'The pump `pressure is 5 bar.',
    '![pump pressure](http://evil.example/x.png) The pump pressure is 5 bar.',
    'The <img src="http://evil.example/x"> pump pressure is <script>5 bar.',
  ])('makes the Markdown of a source harmless, so that every sentence keeps its citation: %s', (text) => {
    const given = [source(1, text), source(2, 'The pump pressure is checked daily.')];
    const { answer } = answerExtractively('What is the pump pressure?', given)!;
    expect(answer).not.toMatch(/```|~~~|<img|<script|!\[|evil/);
    const written = answer.match(/\[\d\]/g)!;
    expect(
      resolveCitations(
        answer,
        given.map((one) => ({ ...one, start: 0 })),
      ).citations,
    ).toHaveLength(written.length);
    expect(new Set(written)).toEqual(new Set(['[1]', '[2]']));
  });

  it('is deterministic, grounded in its sources and cites only them, whatever they hold', () => {
    const word = fc.constantFrom(
      'tower',
      'opened',
      '1889',
      '铁塔',
      '开放。',
      'หอไอเฟล',
      'the',
      'Dr.',
      'bridge.',
      'why?',
      '\n',
      '| a |',
      '😀',
      '[2]',
    );
    const text = fc.array(word, { maxLength: 80, size: 'max' }).map((words) => words.join(' '));
    fc.assert(
      fc.property(
        text,
        fc.array(text, { maxLength: 5 }),
        fc.integer({ min: 1, max: 3 }),
        (question, texts, maxSentences) => {
          const sources = texts.map((one, i) => source(i + 1, one, texts.length - i));
          const result = answerExtractively(question, sources, { maxSentences });
          expect(answerExtractively(question, sources, { maxSentences })).toEqual(result);
          if (result === null) return;
          expect(result.used.length).toBeGreaterThan(0);
          expect(result.coverage).toBeGreaterThan(0);
          expect(result.coverage).toBeLessThanOrEqual(1 + 1e-9);
          for (const number of result.used) expect(result.answer).toContain(`[${number}]`);
          expect(measureGrounding(result.answer, sources).status).not.toBe('unsupported');
        },
      ),
      { numRuns: 200 },
    );
  }, 120_000);

  describe('over mails that quote each other', () => {
    const settled = { number: 1, score: 1, text: 'From: Tomas\n\nThen it is settled: go-live is on 24 March, 06:00.' };
    const changed = {
      number: 2,
      score: 1,
      text: 'From: Maya\n\nChange of plan: the vendor is late, so the final go-live date is 7 April.\n\nQuoted: On 7 Feb 2025, Tomas wrote\n\nThen it is settled: go-live is on 24 March, 06:00.',
    };

    it('quotes a sentence under the mail that said it first', () => {
      for (const sources of [
        [settled, changed],
        [changed, settled],
      ]) {
        const { answer } = answerExtractively('When was the go-live settled?', sources, { maxSentences: 1 })!;
        expect(answer).toBe('Then it is settled: go-live is on 24 March, 06:00. [1]');
      }
    });

    it('quotes it under the mail that quotes it where the other is absent', () => {
      const quoting = {
        ...changed,
        text: 'Settled: go-live is on 24 March, 06:00.',
        title: 'mail5.eml\nRe: x\nQuoted: Tomas wrote',
      };
      const { answer } = answerExtractively('When was the go-live settled?', [quoting])!;
      expect(answer).toContain('24 March');
    });

    it('leads with what the sender says', () => {
      const { answer } = answerExtractively('What is the go-live date?', [changed], { maxSentences: 1 })!;
      expect(answer).toContain('7 April');
    });
  });
});
