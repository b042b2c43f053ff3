import type { SortRule } from './answer-sort.js';

const LENGTH_UNIT = String.raw`(?:km|k?ilom[eé]t(?:er|re)s?\p{L}*|kil[oó]metros?|m|met(?:er|re)s?n?|m[eè]tres?|metros?|cm|centim[eé]t\p{L}+|zentimeter\p{L}*|mm|millim[eé]t\p{L}+|feet|foot|ft|inch(?:es)?|miles?|meilen?|yards?|nautical|pages?|seiten?|páginas?)`;
const WEIGHT_UNIT = String.raw`(?:kg|kilo\p{L}*|g|gramm?e?s?|gramos?|t|tonn?e?[ns]?|tons?|toneladas?|pounds?|lbs?|oz|ounces?|stone|pfund|zentner|livres?|libras?)`;

/** What is measured has a unit of its own. */
export const MEASURED_SORTS: readonly SortRule[] = [
  {
    sort: 'weight',
    asks: /\bhow heavy\b|\bhow much (?:does|do|did|may|can|must|should)\b.{0,60}\bweigh\b|\bwie ?(?:schwer|viel wiegt|viel wiegen)\b|\bcombien p[èe]sen?t?\b|\bcu[áa]nto pesan?\b|多重|几公斤/iu,
    holds: new RegExp(
      String.raw`(?<!\p{L})(?<!\d)(?<!\d[.,])\d[\d.,]*[\s-]?${WEIGHT_UNIT}(?!\p{L})|\bweigh|gewicht|\bwiegt|\bwiegen|\bpoids\b|\bp[èe]se|\bpesan?\b|\bpeso\b|(?<!\p{L})(?:light(?:er|est|weight)?|leicht\p{L}{0,3})(?!\p{L})|\bheav|公斤|千克|克|吨|斤`,
      'iu',
    ),
  },
  {
    sort: 'length',
    asks: /\bhow (?:tall|wide|deep)\b|\bwie (?:breit|tief)\b|\bwie lang (?:ist|sind|war|darf|muss)\b|\bquelle (?:longueur|largeur|profondeur|hauteur)\b|\bqué (?:longitud|anchura|profundidad|altura)\b/iu,
    holds: new RegExp(
      String.raw`(?<!\d)(?<!\d[.,])\d[\d.,]*[\s-]?${LENGTH_UNIT}(?!\p{L})|\d\s?[x×]\s?\d|\b(?:length|width|height|depth|tall|wide|deep)\b|länge|breite|höhe|tiefe|longueur|largeur|hauteur|profondeur|米|\d["']|(?<!\p{L})(?:minuten?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?)(?!\p{L})|(?<!\p{L})\p{L}{1,20}[\s-](?:met(?:er|re)s?|feet|foot|miles?|inches)\b`,
      'iu',
    ),
  },
  {
    sort: 'temperature',
    asks: /\bhow (?:warm|hot|cold)\b|\bwie (?:warm|kalt|heiß)(?!\p{L})|\bwhat temperature\b|\bwelche temperatur\b|\bquelle température\b|\bqué temperatura\b|多少度/iu,
    holds:
      /°|(?<!\p{L})(?:degrees?|grad|degrés?|grados?|celsius|fahrenheit)(?!\p{L})|\d\s?[cf](?!\p{L})|temperatur|température|(?<!\p{L})(?:warm|hot|cold|cool|frozen|heated|unheated|kalt|heiß|beheizt|unbeheizt|chaude?s?|froide?s?|calientes?|fr[íi][oa]s?)(?!\p{L})|度/iu,
  },
  {
    sort: 'year',
    asks: /\b(?:in )?(?:what|which) year\b|\bin welchem jahr\b|\bwelches jahr\b|\b(?:en )?quelle année\b|\b(?:en )?qué año\b|哪一?年/iu,
    holds:
      /(?<!\d)(?:1\d{3}|20\d{2})(?!\d|\s?(?:\p{Sc}|(?:eur|usd|chf|gbp|euros?|kr)(?!\p{L})))|(?<!\d)\d{2,4} ?(?:ad|bc|bce|ce|n\. ?chr|v\. ?chr)\b|['’]\d{2}\b|\b(?:this|last|next|same|first|second|third|final) year\b|jahr|century|siècle|siglo|année|(?<!\p{L})años?(?!\p{L})|年/iu,
  },
  {
    sort: 'day',
    asks: /\b(?:on )?(?:what|which) (?:date|day|days|weekday)\b|\b(?:an )?welche[mns]? (?:datum|tag|tagen|wochentag)\b|\bquel(?:le)? (?:jour|date)\b|\bqué (?:d[íi]a|fecha)\b|哪天|星期几/iu,
    holds:
      /(?<!\d)\d{1,2}[./-]\d{1,2}[./-](?:\d{2,4})?|(?<!\p{L})(?:mon|tues?|wednes|thurs?|fri|satur|sun)(?:days?)?(?!\p{L})|(?<!\p{L})(?:january|february|april|june|july|august|september|october|november|december)|(?<!\p{L})(?:march|may)\s\d|\d(?:st|nd|rd|th)?(?: of)? (?:march|may)(?!\p{L})|(?<!\p{L})(?:(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|werktag|wochenend|januar|februar|märz|mai(?!\p{L})|juni|juli|oktober|dezember)|(?<!\p{L})(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|lunes|martes|miércoles|jueves|viernes|sábado|domingo|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)(?!\p{L})|(?<!\p{L})(?:every|each|any|jede[nrs]?|chaque|cada) ?(?:day|tag|jour|día)(?!\p{L})|(?<!\p{L})(?:täglich|daily|weekdays?|weekends?|working days?)(?!\p{L})|(?:day|date) (?:of|after|before|when)|\b\d{1,2}(?:st|nd|rd|th)\b|today|tomorrow|heute|morgen|[月日号號]|星期|周[一二三四五六日末]|christmas|easter|new year|weihnacht|ostern|holiday|feiertag/iu,
  },
  {
    sort: 'percent',
    asks: /\b(?:what|which) percent(?:age)?\b|\bhow many per ?cent\b|\bwie ?viel prozent\b|\bwelcher (?:prozentsatz|anteil)\b|\bquel pourcentage\b|\bqué porcentaje\b|百分之几/iu,
    holds:
      /%|per ?cent|prozent|pour ?cent|por ?ciento|(?<!\p{L})(?:half|third|quarter|quarters|thirds|all|none|nobody|everyone|most|majority|hälfte|drittel|viertel|moitié|tiers|mitad|tercio)(?!\p{L})|\d (?:in|of|out of|von|sur|de) (?:every )?\d|百分|成|半|(?<!\d)0[.,]\d/iu,
  },
];
