import type { SortRule } from './answer-sort.js';

const LENGTH_UNIT = String.raw`(?:km|k?ilom[eé]t(?:er|re)s?\p{L}*|kil[oó]metros?|m|met(?:er|re)s?n?|m[eè]tres?|metros?|cm|centim[eé]t\p{L}+|zentimeter\p{L}*|mm|millim[eé]t\p{L}+|feet|foot|ft|inch(?:es)?|miles?|meilen?|yards?|nautical|pages?|seiten?|páginas?)`;
const WEIGHT_UNIT = String.raw`(?:kg|kilo\p{L}*|g|gramm?e?s?|gramos?|t|tonn?e?[ns]?|tons?|toneladas?|pounds?|lbs?|oz|ounces?|stone|pfund|zentner|livres?|libras?)`;

/** What is measured has a unit of its own. */
export const MEASURED_SORTS: readonly SortRule[] = [
  {
    sort: 'weight',
    asks: /\bhow heavy\b|\bhow much (?:does|do|did|may|can|must|should)\b.{0,60}\bweigh\b|\bwie ?(?:schwer|viel wiegt|viel wiegen)\b|\bcombien p[èe]sen?t?\b|\bcu[áa]nto pesan?\b|多重|几公斤/iu,
    holds: new RegExp(
      String.raw`(?<![\p{L}])\d[\d.,]*[\s-]?${WEIGHT_UNIT}(?!\p{L})|\bweigh|\bweight|gewicht|\bwiegt|\bwiegen|\bpoids\b|\bp[èe]se|\bpesa|\bpeso\b|light|leicht|heav|公斤|千克|克|吨|斤`,
      'iu',
    ),
  },
  {
    sort: 'length',
    asks: /\bhow (?:tall|wide|deep)\b|\bwie (?:breit|tief)\b|\bwie lang (?:ist|sind|war|darf|muss)\b|\bquelle (?:longueur|largeur|profondeur|hauteur)\b|\bqué (?:longitud|anchura|profundidad|altura)\b/iu,
    holds: new RegExp(
      String.raw`\d[\d.,]*[\s-]?${LENGTH_UNIT}(?!\p{L})|\d\s?[x×]\s?\d|\b(?:length|width|height|depth|tall|wide|deep)\b|länge|breite|höhe|tiefe|longueur|largeur|hauteur|profondeur|米|\d["']|(?:minuten?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?)(?!\p{L})|\p{L}+[\s-](?:met(?:er|re)s?|feet|foot|miles?|inches)\b`,
      'iu',
    ),
  },
  {
    sort: 'temperature',
    asks: /\bhow (?:warm|hot|cold)\b|\bwie (?:warm|kalt|heiß)(?!\p{L})|\bwhat temperature\b|\bwelche temperatur\b|\bquelle température\b|\bqué temperatura\b|多少度/iu,
    holds:
      /°|\bdegrees?\b|\bgrad\b|\bdegrés?\b|\bgrados?\b|temperatur|température|\b(?:warm|hot|cold|cool|frozen|heated|unheated|kalt|heiß|beheizt|unbeheizt)\b|度/iu,
  },
  {
    sort: 'year',
    asks: /\b(?:in )?(?:what|which) year\b|\bin welchem jahr\b|\bwelches jahr\b|\b(?:en )?quelle année\b|\b(?:en )?qué año\b|哪一?年/iu,
    holds:
      /(?<!\d)(?:1\d{3}|20\d{2})(?!\d)|(?<!\d)\d{2,4} ?(?:ad|bc|bce|ce|n\. ?chr|v\. ?chr)\b|['’]\d{2}\b|\b(?:this|last|next|same|first|second|third|final) year\b|jahr|century|siècle|siglo|année|año|年/iu,
  },
  {
    sort: 'day',
    asks: /\b(?:on )?(?:what|which) (?:date|day|days|weekday)\b|\b(?:an )?welche[mns]? (?:datum|tag|tagen|wochentag)\b|\bquel(?:le)? (?:jour|date)\b|\bqué (?:d[íi]a|fecha)\b|哪天|星期几/iu,
    holds:
      /(?<!\d)\d{1,2}[./-]\d{1,2}[./-](?:\d{2,4})?|(?<!\p{L})(?:mon|tues?|wednes|thurs?|fri|satur|sun)(?:days?)?(?!\p{L})|(?<!\p{L})(?:january|february|march|april|may|june|july|august|september|october|november|december)|(?<!\p{L})(?:(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|werktag|wochenend|januar|februar|märz|mai|juni|juli|oktober|dezember)|(?<!\p{L})(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|lunes|martes|miércoles|jueves|viernes|sábado|domingo|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)|(?:every|each|any|jede[nrs]?|täglich|daily|weekdays?|weekends?|working days?|chaque|cada) ?(?:day|tag|jour|día)?|(?:day|date) (?:of|after|before|when)|\b\d{1,2}(?:st|nd|rd|th)\b|today|tomorrow|heute|morgen|[月日号號]|星期|周[一二三四五六日末]|christmas|easter|new year|weihnacht|ostern|holiday|feiertag/iu,
  },
  {
    sort: 'percent',
    asks: /\b(?:what|which) percent(?:age)?\b|\bhow many per ?cent\b|\bwie ?viel prozent\b|\bwelcher (?:prozentsatz|anteil)\b|\bquel pourcentage\b|\bqué porcentaje\b|百分之几/iu,
    holds:
      /%|per ?cent|prozent|pour ?cent|por ?ciento|\b(?:half|third|quarter|quarters|thirds|all|none|nobody|everyone|most|majority|hälfte|drittel|viertel|moitié|tiers|mitad|tercio)\b|\d (?:in|of|out of|von|sur|de) (?:every )?\d|百分|成|半|\d\.\d/iu,
  },
];
