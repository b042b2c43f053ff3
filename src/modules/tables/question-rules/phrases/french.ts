import { SIGNS, type TablePhrases } from './table-phrases.js';

export const FRENCH: TablePhrases = {
  language: 'fr',
  and: ' et ',
  or: ' ou ',
  yes: 'oui',
  no: 'non',
  noValue: 'aucune valeur',
  functions: {
    count: 'le nombre de lignes',
    count_distinct: 'le nombre de valeurs différentes de',
    sum: 'la somme de',
    avg: 'la moyenne de',
    min: 'la plus petite valeur de',
    max: 'la plus grande valeur de',
    median: 'la médiane de',
  },
  leadsTo: ' :',
  quote: (text) => `« ${text} »`,
  inTable: (title) => `dans le tableau ${title}`,
  where: (conditions) => ` où ${conditions}`,
  compare: (label, op, value) => `${label} ${SIGNS[op]} ${value}`,
  between: (label, low, high) => `${label} de ${low} à ${high}`,
  oneOf: (label, values, not) => `${label} ${not ? '≠' : '='} ${values.join(not ? ' et ≠ ' : ' ou ')}`,
  hasText: (label, text, not) => `${label} ${not ? 'ne contient pas' : 'contient'} ${text}`,
  datePart: (part, label) => `${part === 'year' ? "l'année" : 'le mois'} de ${label}`,
  empty: (label, not) => `${label} ${not ? "n'est pas vide" : 'est vide'}`,
  thanRow: (label, op, anchor) =>
    `${label} est ${op === '>' ? 'plus grand' : 'plus petit'} que dans la ligne où ${anchor}`,
  order: (kind, label, descending) => {
    if (kind === 'row') return descending ? ', en commençant par la dernière ligne' : ", dans l'ordre du tableau";
    const [low, high] = kind === 'time' ? ['ancienne', 'récente'] : ['petite', 'grande'];
    return `, par ${label}, en commençant par la valeur la plus ${descending ? high : low}`;
  },
  rows: (count) => (count === 1 ? '1 ligne' : `${count} lignes`),
  computed: (measure, among, value) => `${measure} ${among} est ${value}`,
  from: (rows, isExtreme) => `, ${isExtreme ? 'parmi' : 'sur'} ${rows}`,
  difference: (measure, first, second, among, value) =>
    `la différence entre les lignes${first} et les lignes${second} (${measure} ${among}) est ${value}`,
  neighbour: (labels, isNext, anchor, among) =>
    `${labels} de la ligne ${isNext ? 'après' : 'avant'} celle${anchor} ${among} :`,
  compared: (label, among, value) => `${label} ${among}, par rapport à ${value} :`,
  wereCompared: (rows, count) => `${rows} ${count === 1 ? 'a été comparée' : 'ont été comparées'}`,
  more: (count, isAtLeast) => `; et ${isAtLeast ? 'au moins ' : ''}${count} de plus`,
  extremeGroup: (by, measure, isGreatest, among) =>
    `${by} pour lequel ou laquelle ${measure} ${among} est ${isGreatest ? 'maximal' : 'minimal'} : `,
  groups: (by, measure, among, isGreatestFirst) => {
    const side =
      isGreatestFirst === undefined
        ? ''
        : `, en commençant par la valeur la plus ${isGreatestFirst ? 'grande' : 'petite'}`;
    return `${measure} pour chaque ${by} ${among}${side} : `;
  },
  cited: (count, rest) => `; ${count} de ces lignes ${count === 1 ? 'est citée' : 'sont citées'}, ${rest} autres non`,
};
