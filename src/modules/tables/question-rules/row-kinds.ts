import { areSynonyms } from './header-synonyms.js';
import { inEnglish } from './languages/header-words.js';
import { headerWords } from './link-columns.js';
import type { QuestionTable } from './question-table.js';
import { stemOf, tokensOf } from './words.js';

/** What the rows of a table are called, and the headers by which that shows: a line each, two of the headers are enough. */
const KINDS = `
game match fixture play: opponent score result attendance venue referee tv stadium home away
race event round: winner driver jockey rider caller lap circuit commentator distance
vehicle car van truck: plate model fuel mileage driver registration make engine consumption
ship vessel boat ferry: captain seat speed engine built crew launched tonnage
person people employee member colleague worker man woman: name age born salary role department birthday email
player athlete: team position height weight goal point
course training class: trainer instructor participant employee start score passed
sale deal transaction: revenue amount price customer rep region closed
order purchase: customer amount price quantity delivered supplier article
invoice bill: customer amount issued due paid vat gross net
song track single: artist album chart label writer
film movie show: director actor year role genre studio
episode: season director writer title aired viewer
book title publication: author publisher isbn year pages
election vote: candidate party vote turnout seat
building bridge tower: height floor architect opened city river length
site plant branch location: city country manager area employee opened address
city town place: population country area mayor
stadium arena venue: capacity city team opened
product item article: price stock sku supplier quantity brand
ticket issue case: status priority assignee opened closed
flight trip journey departure: origin destination departure arrival carrier duration
project: budget manager deadline status client
award prize winner: year category designer nominee work
repair fault defect breakdown: asset machine device equipment problem fault defect technician mechanic damage
inspection: inspector finding defect inspected
accident incident: injured injury cause severity witness
delivery shipment: carrier recipient consignee tracking parcel delivered
booking reservation stay: guest arrival departure night
loan: borrower lent returned
`;
const ANY = new Set(
  'row record entry line item thing time occasion occurrence instance case'.split(' ').map((word) => stemOf(word)),
);

const LINES = KINDS.trim()
  .split('\n')
  .map((line) => {
    const [names, headers] = line.split(':').map((part) => part.trim().split(' ').map(stemOf));
    return { names: new Set(names), headers: headers! };
  });
const LEAST_HEADERS = 2;

/** Whether a word (by its stem) can name the rows of a table: by its title, its headers, or because any row is called so. */
export function namesRows(stem: string, table: QuestionTable): boolean {
  if (ANY.has(stem) || titleHas(stem, table)) return true;
  const heads = headStems(table);
  return isHeader(stem, heads) || isShownByHeaders(stem, heads);
}

function titleHas(stem: string, { title, name }: QuestionTable): boolean {
  return tokensOf(`${title} ${name.replaceAll('_', ' ')}`).some((own) => own.stem === stem);
}

function isHeader(stem: string, heads: readonly string[]): boolean {
  return heads.some((head) => head === stem || areSynonyms(head, stem) || isNumberOf(head, stem));
}

/** Whether a table, or what its rows are, is called by a word: by its title, or as its headers show. A header alone names no table. */
export function isCalled(stem: string, table: QuestionTable): boolean {
  return titleHas(stem, table) || isShownByHeaders(stem, headStems(table));
}

/** Whether only the headers show that a word names the rows: neither the title nor a header says it. */
export function isTakenForRows(stem: string, table: QuestionTable): boolean {
  if (ANY.has(stem) || titleHas(stem, table)) return false;
  const heads = headStems(table);
  return !isHeader(stem, heads) && isShownByHeaders(stem, heads);
}

/** Whether it shows by the headers, though none of them says it, what the rows are called: plates and mileages are of vehicles. */
export function showsRowsCalled(stem: string, table: QuestionTable): boolean {
  return namesKindsOf(stem, table) || isShownByHeaders(stem, headStems(table));
}

function headStems({ columns }: QuestionTable): string[] {
  return columns.flatMap((column) => headerWords(column).map(({ stem }) => stem));
}

function isShownByHeaders(stem: string, stems: readonly string[]): boolean {
  const heads = new Set([...stems, ...stems.flatMap(inEnglish)]);
  return LINES.some(
    ({ names, headers }) =>
      inEnglish(stem).some((name) => names.has(name)) &&
      headers.filter((head) => heads.has(head)).length >= LEAST_HEADERS,
  );
}

/** Whether each row is of a kind of what a word names: `Zimmerart` is of rooms. The rows are no rooms, so counting them counts none. */
export function namesKindsOf(stem: string, { columns }: QuestionTable): boolean {
  return columns.some((column) =>
    headerWords(column).some(({ text }) => {
      const named = /^(\p{L}{4,}?)s?(?:art|typ|klasse|kategorie|name|bezeichnung)$/u.exec(text)?.[1];
      return named !== undefined && stemOf(named) === stem;
    }),
  );
}

/** `Rechnungsnr` numbers `Rechnungen`. */
function isNumberOf(head: string, stem: string): boolean {
  const named = /^(\p{L}{4,}?)s?(?:nummer|nr|kennung|code)$/u.exec(head)?.[1];
  return named !== undefined && stem.startsWith(named) && stem.length - named.length <= 3;
}
