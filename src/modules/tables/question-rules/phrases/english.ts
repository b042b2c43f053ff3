import type { TablePhrases } from './table-phrases.js';

const OPS = {
  '=': 'is',
  '<>': 'is not',
  '>': 'is above',
  '>=': 'is at least',
  '<': 'is below',
  '<=': 'is at most',
} as const;

export const ENGLISH: TablePhrases = {
  language: 'en',
  and: ' and ',
  or: ' or ',
  yes: 'yes',
  no: 'no',
  noValue: 'no value',
  functions: {
    count: 'the number of rows',
    count_distinct: 'the number of different values of',
    sum: 'the sum of',
    avg: 'the average of',
    min: 'the least value of',
    max: 'the greatest value of',
    median: 'the median of',
  },
  leadsTo: ' is',
  quote: (text) => `“${text}”`,
  inTable: (title) => `in the table ${title}`,
  where: (conditions) => ` where ${conditions}`,
  compare: (label, op, value) => `${label} ${OPS[op]} ${value}`,
  between: (label, low, high) => `${label} is from ${low} to ${high}`,
  oneOf: (label, values, not) => `${label} is ${not ? 'not ' : ''}${values.join(not ? ' nor ' : ' or ')}`,
  hasText: (label, text, not) => `${label} ${not ? 'does not contain' : 'contains'} ${text}`,
  datePart: (part, label) => `the ${part} of ${label}`,
  empty: (label, not) => `${label} is ${not ? 'not ' : ''}empty`,
  thanRow: (label, op, anchor) => `${label} ${OPS[op]} that of the row where ${anchor}`,
  order: (kind, label, descending) => {
    if (kind === 'row') return descending ? ', the last row of the table first' : ', in the order of the table';
    const [low, high] = kind === 'time' ? ['earliest', 'latest'] : ['least', 'greatest'];
    return `, by ${label}, the ${descending ? high : low} first`;
  },
  rows: (count) => (count === 1 ? '1 row' : `${count} rows`),
  computed: (measure, among, value) => `${measure} ${among} is ${value}`,
  from: (rows, isExtreme) => `, ${isExtreme ? 'among' : 'computed from'} ${rows}`,
  difference: (measure, first, second, among, value) =>
    `the difference of ${measure} between the rows${first} and the rows${second} ${among} is ${value}`,
  neighbour: (labels, isNext, anchor, among) =>
    `${labels} of the row ${isNext ? 'after' : 'before'} the one${anchor} ${among} is`,
  compared: (label, among, value) => `${label} ${among} compared with ${value}:`,
  wereCompared: (rows, count) => `${rows} ${count === 1 ? 'was' : 'were'} compared`,
  more: (count, isAtLeast) => `; and ${isAtLeast ? 'at least ' : ''}${count} more`,
  extremeGroup: (by, measure, isGreatest, among) =>
    `${by} with the ${isGreatest ? 'greatest' : 'least'} ${measure.replace(/^the /, '')} ${among}: `,
  groups: (by, measure, among, isGreatestFirst) => {
    const side = isGreatestFirst === undefined ? '' : `, the ${isGreatestFirst ? 'greatest' : 'least'} first`;
    return `${measure} for each ${by} ${among}${side}: `;
  },
  cited: (count, rest) => `; ${count} of these rows ${count === 1 ? 'is' : 'are'} cited and ${rest} more are not`,
};
