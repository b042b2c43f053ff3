import { SIGNS, type TablePhrases } from './table-phrases.js';

export const GERMAN: TablePhrases = {
  language: 'de',
  and: ' und ',
  or: ' oder ',
  yes: 'ja',
  no: 'nein',
  noValue: 'kein Wert',
  functions: {
    count: 'die Zahl der Zeilen',
    count_distinct: 'die Zahl der verschiedenen Werte von',
    sum: 'die Summe von',
    avg: 'der Durchschnitt von',
    min: 'der kleinste Wert von',
    max: 'der größte Wert von',
    median: 'der Median von',
  },
  leadsTo: ':',
  quote: (text) => `„${text}“`,
  inTable: (title) => `in der Tabelle ${title}`,
  where: (conditions) => ` mit ${conditions}`,
  compare: (label, op, value) => `${label} ${SIGNS[op]} ${value}`,
  between: (label, low, high) => `${label} von ${low} bis ${high}`,
  oneOf: (label, values, not) => `${label} ${not ? '≠' : '='} ${values.join(not ? ' und ≠ ' : ' oder ')}`,
  hasText: (label, text, not) => `${label} ${not ? 'ohne den Text' : 'mit dem Text'} ${text}`,
  datePart: (part, label) => `${part === 'year' ? 'Jahr' : 'Monat'} von ${label}`,
  empty: (label, not) => `${label} ${not ? 'nicht leer' : 'leer'}`,
  thanRow: (label, op, anchor) => `${label} ${op === '>' ? 'größer' : 'kleiner'} als in der Zeile mit ${anchor}`,
  order: (kind, label, descending) => {
    if (kind === 'row')
      return descending ? ', die letzte Zeile der Tabelle zuerst' : ', in der Reihenfolge der Tabelle';
    const [low, high] = kind === 'time' ? ['früheste', 'späteste'] : ['kleinste', 'größte'];
    return `, nach ${label}, der ${descending ? high : low} Wert zuerst`;
  },
  rows: (count) => (count === 1 ? '1 Zeile' : `${count} Zeilen`),
  computed: (measure, among, value) => `${measure} ${among} ist ${value}`,
  from: (rows, isExtreme) => `, ${isExtreme ? 'unter' : 'berechnet aus'} ${rows}`,
  difference: (measure, first, second, among, value) =>
    `die Differenz zwischen den Zeilen${first} und den Zeilen${second} (${measure} ${among}) ist ${value}`,
  neighbour: (labels, isNext, anchor, among) => `${labels} der Zeile ${isNext ? 'nach' : 'vor'} der${anchor} ${among}:`,
  compared: (label, among, value) => `${label} ${among}, verglichen mit ${value}:`,
  wereCompared: (rows, count) => `${rows} ${count === 1 ? 'wurde' : 'wurden'} verglichen`,
  more: (count, isAtLeast) => `; und ${isAtLeast ? 'mindestens ' : ''}${count} weitere`,
  extremeGroup: (by, measure, isGreatest, among) =>
    `${by}, für die oder den ${measure} ${among} am ${isGreatest ? 'größten' : 'kleinsten'} ist: `,
  groups: (by, measure, among, isGreatestFirst) => {
    const side = isGreatestFirst === undefined ? '' : `, der ${isGreatestFirst ? 'größte' : 'kleinste'} Wert zuerst`;
    return `${measure} je ${by} ${among}${side}: `;
  },
  cited: (count, rest) => `; ${count} dieser Zeilen ${count === 1 ? 'ist' : 'sind'} zitiert, ${rest} weitere nicht`,
};
