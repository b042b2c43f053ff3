import { SIGNS, type TablePhrases } from './table-phrases.js';

export const SPANISH: TablePhrases = {
  language: 'es',
  and: ' y ',
  or: ' o ',
  yes: 'sí',
  no: 'no',
  noValue: 'ningún valor',
  functions: {
    count: 'el número de filas',
    count_distinct: 'el número de valores distintos de',
    sum: 'la suma de',
    avg: 'la media de',
    min: 'el valor mínimo de',
    max: 'el valor máximo de',
    median: 'la mediana de',
  },
  leadsTo: ':',
  quote: (text) => `«${text}»`,
  inTable: (title) => `en la tabla ${title}`,
  where: (conditions) => ` donde ${conditions}`,
  compare: (label, op, value) => `${label} ${SIGNS[op]} ${value}`,
  between: (label, low, high) => `${label} de ${low} a ${high}`,
  oneOf: (label, values, not) => `${label} ${not ? '≠' : '='} ${values.join(not ? ' y ≠ ' : ' o ')}`,
  hasText: (label, text, not) => `${label} ${not ? 'no contiene' : 'contiene'} ${text}`,
  datePart: (part, label) => `${part === 'year' ? 'el año' : 'el mes'} de ${label}`,
  empty: (label, not) => `${label} ${not ? 'no está vacío' : 'está vacío'}`,
  thanRow: (label, op, anchor) => `${label} es ${op === '>' ? 'mayor' : 'menor'} que en la fila donde ${anchor}`,
  order: (kind, label, descending) => {
    if (kind === 'row') return descending ? ', empezando por la última fila' : ', en el orden de la tabla';
    const [low, high] = kind === 'time' ? ['más antiguo', 'más reciente'] : ['menor', 'mayor'];
    return `, por ${label}, empezando por el valor ${descending ? high : low}`;
  },
  rows: (count) => (count === 1 ? '1 fila' : `${count} filas`),
  computed: (measure, among, value) => `${measure} ${among} es ${value}`,
  from: (rows, isExtreme) => `, ${isExtreme ? 'entre' : 'a partir de'} ${rows}`,
  difference: (measure, first, second, among, value) =>
    `la diferencia entre las filas${first} y las filas${second} (${measure} ${among}) es ${value}`,
  neighbour: (labels, isNext, anchor, among) =>
    `${labels} de la fila ${isNext ? 'después' : 'antes'} de la${anchor} ${among}:`,
  compared: (label, among, value) => `${label} ${among}, comparado con ${value}:`,
  wereCompared: (rows, count) => `se ${count === 1 ? 'comparó' : 'compararon'} ${rows}`,
  more: (count, isAtLeast) => `; y ${isAtLeast ? 'al menos ' : ''}${count} más`,
  extremeGroup: (by, measure, isGreatest, among) =>
    `${by} con el valor ${isGreatest ? 'mayor' : 'menor'} (${measure} ${among}): `,
  groups: (by, measure, among, isGreatestFirst) => {
    const side = isGreatestFirst === undefined ? '' : `, empezando por el valor ${isGreatestFirst ? 'mayor' : 'menor'}`;
    return `${measure} por cada ${by} ${among}${side}: `;
  },
  cited: (count, rest) => `; ${count} de estas filas ${count === 1 ? 'está citada' : 'están citadas'}, ${rest} más no`,
};
