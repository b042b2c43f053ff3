import type { SortRule } from './answer-sort.js';

/** Numbers in words, as alternatives of a pattern. */
export const IN_WORDS = String.raw`half|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|ninety|hundred|several|eine?[mnrs]?|halbe[nrs]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|dreizehn|vierzehn|fünfzehn|sechzehn|siebzehn|achtzehn|neunzehn|zwanzig|dreißig|vierzig|fünfzig|sechzig|neunzig|hundert|mehrere|une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|seize|vingt|trente|quarante|cinquante|soixante|cent|plusieurs|un[ao]?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|dieciséis|veinte|treinta|cuarenta|cincuenta|sesenta|noventa|cien|vari[oa]s`;

/** A number in digits or in words of English, German, French and Spanish; part of a pattern. */
export const COUNTED = String.raw`(?:\d[\d.,]*|${IN_WORDS})`;

/** A unit of time. */
export const SPAN = String.raw`(?:seconds?|minutes?|hours?|days?|nights?|weeks?|months?|quarters?|years?|sekunden?|minuten?|stunden?|tage?n?|nächte|wochen?|monate?n?|quartale?n?|jahre?n?|secondes?|heures?|jours?|nuits?|semaines?|mois|ans?|années?|segundos?|minutos?|horas?|días?|noches?|semanas?|mes(?:es)?|años?)`;

const LENGTH_UNIT = String.raw`(?:km|k?ilom[eé]t(?:er|re)s?\p{L}*|kil[oó]metros?|m|met(?:er|re)s?n?|m[eè]tres?|metros?|cm|centim[eé]t\p{L}+|zentimeter\p{L}*|mm|millim[eé]t\p{L}+|feet|foot|ft|inch(?:es)?|miles?|meilen?|yards?|nautical|pages?|seiten?|páginas?|characters?|letters|digits|zeichen|buchstaben|caract[èe]res|lettres|letras)`;
const WEIGHT_UNIT = String.raw`(?:kg|kilo\p{L}*|g|gramm?e?s?|gramos?|t|(?:giga|mega|kilo)?tonn?e?[ns]?|(?:giga|mega|kilo)?tons?|toneladas?|pounds?|lbs?|oz|ounces?|stone|pfund|zentner|livres?|libras?)`;

/** What is measured has a unit of its own. */
export const MEASURED_SORTS: readonly SortRule[] = [
  {
    sort: 'weight',
    holds: new RegExp(
      String.raw`(?<!\p{L})(?<!\d)(?<!\d[.,])\d[\d.,]*[\s-]?${WEIGHT_UNIT}(?!\p{L})|\bweigh|gewicht|\bwiegt|\bwiegen|\bpoids\b|\bp[èe]se|\bpesan?\b|\bpeso\b|(?<!\p{L})(?:light(?:er|est|weight)?|leicht\p{L}{0,3})(?!\p{L})|\bheav|公斤|千克|克|吨|斤`,
      'iu',
    ),
  },
  {
    sort: 'length',
    holds: new RegExp(
      String.raw`(?<!\d)(?<!\d[.,])\d[\d.,]*[\s-]?${LENGTH_UNIT}(?!\p{L})|\d\s?[x×]\s?\d|\b(?:length|width|height|depth|tall|wide|deep)\b|länge|breite|höhe|tiefe|longueur|largeur|hauteur|profondeur|米|\d["']|(?<!\p{L})\p{L}{1,20}[\s-](?:met(?:er|re)s?|feet|foot|miles?|inches)\b`,
      'iu',
    ),
  },
  {
    sort: 'temperature',
    holds:
      /°|(?<!\p{L})(?:degrees?|grad|degrés?|grados?|celsius|fahrenheit)(?!\p{L})|\d\s?[cf](?!\p{L})|temperatur|température|(?<!\p{L})(?:warm|hot|cold|cool|frozen|heated|unheated|kalt|heiß|beheizt|unbeheizt|chaude?s?|froide?s?|calientes?|fr[íi][oa]s?)(?!\p{L})|度/iu,
  },
  {
    sort: 'year',
    holds:
      /(?<!\d)(?:1\d{3}|20\d{2})(?!\d|\s?(?:\p{Sc}|(?:eur|usd|chf|gbp|euros?|kr)(?!\p{L})))|(?<!\d)\d{2,4} ?(?:ad|bc|bce|ce|n\. ?chr|v\. ?chr)\b|['’]\d{2}\b|\b(?:this|last|next|same|first|second|third|final) year\b|jahr|century|siècle|siglo|année|(?<!\p{L})años?(?!\p{L})|年/iu,
  },
  {
    sort: 'day',
    holds:
      /(?<!\d)\d{1,2}[./-]\d{1,2}[./-](?:\d{2,4})?|(?<!\p{L})(?:mon|tues?|wednes|thurs?|fri|satur|sun)(?:days?)?(?!\p{L})|(?<!\p{L})(?:january|february|april|june|july|august|september|october|november|december)|(?<!\p{L})(?:march|may)\s\d|\d(?:st|nd|rd|th)?(?: of)? (?:march|may)(?!\p{L})|(?<!\p{L})(?:(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|werktag|wochenend|januar|februar|märz|mai(?!\p{L})|juni|juli|oktober|dezember)|(?<!\p{L})(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|lunes|martes|miércoles|jueves|viernes|sábado|domingo|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)(?!\p{L})|(?<!\p{L})(?:every|each|any|jede[nrs]?|chaque|cada) ?(?:day|tag|jour|día)(?!\p{L})|(?<!\p{L})(?:täglich|daily|weekdays?|weekends?|working days?)(?!\p{L})|(?:day|date) (?:of|after|before|when)|\b\d{1,2}(?:st|nd|rd|th)\b|today|tomorrow|heute|morgen|[月日号號]|星期|周[一二三四五六日末]|christmas|easter|new year|weihnacht|ostern|holiday|feiertag/iu,
  },
  {
    sort: 'percent',
    holds:
      /[%％]|per ?cent|prozent|pour ?cent|por ?ciento|(?<!\p{L})(?:half|third|quarter|quarters|thirds|all|none|nobody|everyone|most|majority|hälfte|drittel|viertel|moitié|tiers|mitad|tercio)(?!\p{L})|\d (?:in|of|out of|von|sur|de) (?:every )?\d|百分|成|半|\d比\d|(?<!\d)0[.,]\d/iu,
  },
];
