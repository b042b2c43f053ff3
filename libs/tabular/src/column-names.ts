/** Words that a statement cannot use as a name without quotation marks. */
const RESERVED = new Set(
  `all analyse analyze and anti any array as asc asof asymmetric at between bigint binary bit boolean both case cast char character check
  coalesce collate collation column columns concurrently constraint create cross dec decimal default deferrable desc describe distinct do
  else end except exists extract false fetch float for foreign freeze from full generated glob group grouping_id having ilike in initially
  inner inout int integer intersect interval into is isnull join lambda lateral leading left like limit map national natural nchar none not
  notnull null nullif numeric offset on only or order out outer overlaps overlay pivot pivot_longer pivot_wider placing position positional
  precision primary qualify real references returning right row select semi session_user setof show similar smallint some struct substring summarize
  symmetric table tablesample then time timestamp to trailing treat trim true try_cast unique union unnest unpivot user using values varchar
  variadic verbose when where window with xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot
  xmlserialize xmltable`.split(/\s+/),
);
const MAX_NAME = 60;
const SPELLED = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['ø', 'o'],
  ['œ', 'oe'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ı', 'i'],
]);
const SIGNS = new Map([
  ['%', ' percent '],
  ['#', ' number '],
  ['&', ' and '],
  ['€', ' eur '],
  ['£', ' gbp '],
  ['$', ' usd '],
]);

/**
 * A name for statements: lower case, letters, digits and underscores, beginning with a letter, no reserved word, at most 60 characters.
 * Latin letters lose their accents, other scripts stay. Empty when nothing of the label is left.
 */
export function identifierOf(label: string): string {
  const spelled = label
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[ßæøœłđðþı]/g, (letter) => SPELLED.get(letter)!)
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFD')
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFC');
  const words = /[\p{L}\p{N}]/u.test(spelled) ? spelled : spelled.replace(/[%#&€£$]/g, (sign) => SIGNS.get(sign)!);
  const name = shortened(
    words
      .replace(/['’]/g, '')
      .replace(/[^\p{L}\p{M}\p{Nd}]+/gu, '_')
      .replace(/^_+|_+$/g, ''),
  );
  if (name === '') return '';
  const begun = /^\p{L}/u.test(name) ? name : `c_${name}`;
  return RESERVED.has(begun) ? `${begun}_` : begun;
}

/** Names for the columns of a table, each once: `column_2` where a label gives none, `name_2` for the second of a name. */
export function columnNames(labels: readonly string[]): string[] {
  const wanted = labels.map((label, index) => identifierOf(label) || `column_${index + 1}`);
  const taken = new Set<string>();
  return wanted.map((name) => {
    let unique = name;
    for (let nth = 2; taken.has(unique); nth += 1) unique = `${name.replace(/_$/, '')}_${nth}`;
    taken.add(unique);
    return unique;
  });
}

function shortened(name: string): string {
  return [...name].slice(0, MAX_NAME).join('').replace(/_+$/, '');
}
