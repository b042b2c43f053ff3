import { holdsAnswer } from './answer-hints.js';
import type { AnswerSort, SortRule } from './answer-sort.js';
import { COUNTED, IN_WORDS, MEASURED_SORTS, SPAN } from './measured-sorts.js';
import { ROLE } from './roles.js';

/** A number, in digits or in words. */
const NUMBER =
  /\p{N}|(?<!\p{L})(?:no|none|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twice|once|every|each|dozen|hundred|keine?|eine?[nrs]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|jede[nrs]?|deux|trois|quatre|cinq|sept|huit|neuf|dix|chaque|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|cada)(?!\p{L})|(?<!\p{L})(?:daily|weekly|fortnightly|monthly|quarterly|annual(?:ly)?|yearly|hourly|nightly|always|never|seldom|rarely|regularly|several|few|both|all|many|single|couple|pair|täglich\p{L}*|wöchentlich\p{L}*|monatlich\p{L}*|\p{L}*jährlich\p{L}*|stündlich\p{L}*|immer|nie|selten|regelmäßig\p{L}*|mehrere\p{L}?|beide\p{L}?|alle\p{L}?|einige\p{L}?|plusieurs|tous|toutes|quotidien\p{L}*|hebdomadaire\p{L}*|mensuel\p{L}*|annuel\p{L}*|jamais|toujours|vari[oa]s|ambos|tod[oa]s|diari[oa]\p{L}*|semanal\p{L}*|mensual\p{L}*|anual\p{L}*|siempre|nunca)(?!\p{L})|[一二两三四五六七八九十百千万每]/iu;

/** “At nine”, “between ten and five”, “um acht”: no unit follows. */
const HOUR_WORDS = String.raw`(?<!\p{L})(?:at|from|until|till|between|before|after|by|um|ab|bis|gegen|zwischen) (?:half past |quarter (?:past|to) |halb )?(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)(?=\W*$|[,.;:)]| (?:and|to|till|until|in|on|at|o|und|bis|am|or|oder)(?!\p{L}))`;
/** From one time of day to another: how long something lasts. */
const HOURS = String.raw`(?<!\p{L})(?:from|von|de|desde)\s(?:las\s)?\d{1,2}(?:[.:]\d{2})?\s?(?:am|pm|uhr|h|heures?|horas?)?\s?(?:to|till|until|bis|à|a|hasta)\s(?:las\s)?\d{1,2}(?:[.:]\d{2}|\s?(?:am|pm|uhr|h|heures?|horas?)(?!\p{L}))`;
/** A time of day that is told by another: “forty minutes before closing”. */
const RELATIVE = String.raw`(?<!\p{L})${COUNTED}[\s-]+(?:seconds?|minutes?|hours?|minuten?|stunden?|minutos?|horas?|heures?)\s+(?:before|after|prior|ahead|vor|nach|avant|après|antes|después)(?!\p{L})`;
/** A month, also as a part of a German word: “Juliwochen”. */
const MONTHS_DE = String.raw`(?<!\p{L})(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|sommer|winter|herbst|frühjahr|oster|pfingst|weihnachts?)(?:woche|wochen|tage|tagen|hälfte|ferien|anfang|ende|monate?n?|feiertage?n?)(?!\p{L})`;

/** “From the fourth consecutive day”, „ab dem dritten Krankheitstag“, « le troisième jour ». */
const NTH_DAY = String.raw`(?<!\p{L})(?:(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last) (?:\p{L}{1,20} )?(?:day|week|month|quarter|year)|(?:ersten?|zweiten?|dritten?|vierten?|fünften?|sechsten?|siebte?n?|achten?|neunten?|zehnten?|letzten?|(?<!\d)\d{1,2}\.) (?:\p{L}{1,20} )?\p{L}{0,20}(?:tage?s?|woche|monate?s?|quartale?s?|jahre?s?)|(?:premi(?:er|ère)|\p{L}{4,}ième|dernière?|(?<!\d)\d{1,2}e) (?:jour|semaine|mois|trimestre|année)|(?:primer|primera|segund[oa]|tercer|tercera|cuart[oa]|quint[oa]|últim[oa]) (?:día|semana|mes|trimestre|año))s?(?!\p{L})`;

/** What a number of a telephone is called inside of a house; in Spanish also what an annex is called. */
const EXTENSION = String.raw`(?<!\p{L})(?:extension|ext\.|durchwahl|apparat|poste|extensión|(?<=(?<!\p{L})tel(?:\.|[ée]f\p{L}{0,8})[^.\n]{0,40})anexo|分机)`;
/** “Ten working days”. */
const OF_DAYS = '(?:working|business|calendar|more|further|additional|weitere)';

const SORTS: readonly SortRule[] = [
  {
    sort: 'phone',
    holds: new RegExp(
      String.raw`(?<![\d.])(?:\+|\(?0)?\d(?:[\s/()–-]{0,2}\d){5,}(?![\d.])|${EXTENSION}[\s:]*\d{2,5}(?!\d)(?!(?:[-\s]+${OF_DAYS})?[-\s]?${SPAN}(?!\p{L}))`,
      'iu',
    ),
  },
  {
    sort: 'mail',
    holds: /\S@\S/u,
  },
  {
    sort: 'clock',
    holds: new RegExp(
      String.raw`(?<!\d)\d{1,2}:\d{2}(?!\d)|\d\s?(?:am|pm|a\.m\.|p\.m\.|uhr|h|hrs|heures?|horas?|o.clock)(?!\p{L})|(?<!\d)\d{1,2}\.\d{2}(?!\d)|(?<!\p{L})(?:noon|midnight|midday|mittags?|mitternacht|midi|minuit|mediod[íi]a|medianoche|dawn|dusk|sunrise|sunset)(?!\p{L})|24/7|rund um die uhr|(?<![\p{N}.,:/-])\d{1,2}\s?(?:[-–]|to|bis|[àa])\s?\d{1,2}(?![\p{N}.,/%-])|[点时]|${HOUR_WORDS}|${RELATIVE}`,
      'iu',
    ),
  },
  {
    sort: 'age',
    holds:
      /\b(?:aged?|years? old|year-old|born|since|built|founded|established|opened|dates? (?:from|back)|jahre alt|jährige?r?n?|gegründet|gebaut|erbaut|seit|geboren|né|née|ans|años|nacid[oa])\b|岁|minimum|at least|mindestens|ago|(?:from|over|under|above|below|ab|unter|über|desde|dès)\s+\d|\d\s*\+|\d{1,3}\s+(?:years?|jahren?)\b|(?:million|millionen) (?:years|jahren?)|(?<!\p{L})(?:twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|twenty-one|zwölf|vierzehn|fünfzehn|sechzehn|siebzehn|achtzehn|douze|quatorze|quinze|seize|dix-huit|doce|catorce|quince|dieciséis|dieciocho|majority|volljährig\p{L}*|majeure?s?|mayor(?:es)? de edad|adults?|erwachsene?n?)(?!\p{L})/iu,
  },
  {
    sort: 'price',
    holds:
      /\p{Sc}|\b(?:kr|sek|nok|dkk|zł|pln|yen|yuan|rupees?|lira|roubles?|eur|usd|gbp|chf|euros?|dollars?|pounds?|pence|(?<!per )cents?|francs?|franken|free(?! (?:of (?!charge|cost|fees?)|from))|gratis|kostenlos|kostenfrei|gratuit\p{L}*|gratuito\p{L}*|no cost|no charge|without charge|sin coste|not (?:be |been )?(?:reimbursed|refunded|covered|paid|compensated)|nicht (?:erstattet|übernommen|vergütet|bezahlt)|(?:pas|non) remboursée?s?|no se reembolsan?)\b|(?<=(?:\d|hundred|thousand|hundert|tausend)\s?)(?:pfund|kronen|crowns)(?!\p{L})|(?:by|of|at|um|von) \d[\d.,]*\s?(?:%|per ?cent|prozent)|(?<!\p{N}|\p{N}[.,])\d{1,4}(?:[.,]\d{3})?[.,]\d{2}(?!\p{N}|[.,]\p{N})|元|欧|免费/iu,
  },
  ...MEASURED_SORTS,
  {
    sort: 'duration',
    holds: new RegExp(
      String.raw`(?<![\p{L}\p{N}])(?<!\d[.,])${COUNTED}(?:[-\s]+\p{L}+){0,2}[-\s]+${SPAN}(?!\p{L})|(?<!\d)\d+[-\s]?${SPAN}(?!\p{L})|${HOURS}|\buntil\b|\bbis (?:zum|zur|ende)\b|[一二两三四五六七八九十\d]+\s*(?:个月|天|年|周|小时|分钟|日)`,
      'iu',
    ),
  },
  {
    sort: 'time',
    holds: new RegExp(
      String.raw`(?<!\d)\d{1,2}:\d{2}(?!\d)|\d\s?(?:am|pm|a\.m\.|p\.m\.|uhr|h|hrs|o.clock)(?!\p{L})|(?<!\d)(?:1[89]|20)\d{2}(?!\d)|\d(?:st|nd|rd|th)\b|(?<!\d)\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|(?<!\d)\d{1,2}\.?\s(?:de\s)?(?:jan|feb|mar|mär|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz]|janv|févr|avr|juin|juil|août|ene|abr|ago|dic)\p{L}*|[年月日点时號]|(?<!\p{L})(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:january|february|march|april|june|july|august|september|october|november|december)|\b(?:daily|weekly|monthly|today|tomorrow|noon|midnight|always|montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonntags?|täglich|januar|februar|märz|mai|juni|juli|oktober|dezember|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|lunes|martes|miércoles|jueves|viernes|sábado|domingo|enero|febrero|marzo|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)\b|[一二三四五六日]月|星期|周[一二三四五六日]|after|before|once|as soon as|sobald|nach|avant|après|(?<!\p{L})(?:vor|ab|dès|lors|después|antes|tras)(?!\p{L})|[前后後]|${MONTHS_DE}|${HOUR_WORDS}|${NTH_DAY}|(?<!\p{L})(?:immediately|at once|straight away|soon|sofort|umgehend|unverzüglich|selben tag|same day|immédiatement|inmediatamente|christmas|easter|weekdays?|weekends?|wochenende\p{L}*|werktags?|ferien|feiertage?n?)(?!\p{L})`,
      'iu',
    ),
  },
  {
    sort: 'place',
    holds:
      /(?<!\p{L})(?:in|at|on|near|behind|beside|under|above|below|opposite|between|next to|inside|outside|into|onto|to|from|via|through)\s+(?:the|an?|our|your|its|this|each|every|room|building|hall)\s(?!(?:(?:following|next|last|first|second|same|whole)\s)?(?:morning|afternoon|evening|week|weekend|month|year|season|day|end|beginning|start|time|case|event|condition|request|basis|cost|rate|price|company|time being|latest|night)s?(?!\p{L}))|(?<!\p{L})(?:upstairs|downstairs|online|intranet|website|portal|basement|cellar|attic|lobby|reception|street|road|avenue|room|floor|hall|entrance|counter|desk|locker|shelf|drawer|cupboard|cabinet|garage|yard|courtyard|shed|safe|keller|untergeschoss|erdgeschoss|obergeschoss|dachboden|empfang|eingang|raum|zimmer|halle|schrank|regal|schublade|spind|hof|garten|straße|weg|platz|schalter|büro|gebäude|parkplatz|salle|bureau|bâtiment|étage|rue|accueil|guichet|entrée|sous-sol|armoire|cave|cour|sala|oficina|edificio|planta|calle|recepción|mostrador|entrada|sótano|armario|taquillas?|patio)(?!\p{L})|(?<!\p{L})(?:(?:neben|hinter|gegenüber|unter|vor|an|auf|in)\s+(?:der|dem|den|einem|einer|unserem|unserer)|im|am|beim)\s+(?!(?:\p{L}+tag|mittwoch|morgen|abend|nächsten|letzten|ersten|folgenden|selben|gleichen|anfang|ende|beginn|jahr|monat|woche|fall|falle|regelfall|durchschnitt|voraus|\p{L}*zeit|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|sommer|winter|herbst|frühjahr)(?!\p{L}))\p{L}|(?<!\p{L})(?:dans|sur|sous|chez|derrière|devant|à côté de|en face|près)\s+(?:le|la|les|l['’]|un|une|du|de)|(?<!\p{L})(?:en|junto|frente|detrás|debajo|delante|dentro)\s+(?:el|la|los|las|un|una|a|de|al|del)(?!\p{L})|[在处室楼层街路号馆厅]/iu,
  },
  {
    sort: 'code',
    holds:
      /\p{N}|(?<!\p{L})(?:forms?|formular\p{L}*|vordruck\p{L}*|formulaires?|formularios?|impresos?|codes?|passwords?|kennw\p{L}+|passw\p{L}+|contraseñas?)(?!\p{L})|表|码|号/iu,
  },
  {
    sort: 'amount',
    holds: NUMBER,
  },
  {
    sort: 'count',
    holds: NUMBER,
  },
  {
    sort: 'reason',
    holds:
      /(?<!\p{L})(?:because|since|due to|owing to|so that|in order to|therefore|reasons?|caused?|weil|denn|wegen|aufgrund|damit|deshalb|daher|gründe?n?|parce qu|puisque?|à cause|afin|raisons?|porque|debido|ya que|para que|por eso|motivos?)(?!\p{L})|(?:^|[,;.]\s)(?:da|car)(?!\p{L})|parce qu|因为|由于|所以|以便/iu,
  },
];

/** Money told as a multiple of another sum: “three months' rent”, „drei Kaltmieten“, « deux mois de loyer ». */
const IN_RENTS = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,])(?:\d{1,3}|${IN_WORDS})[-\s]{1,3}(?:(?:months?['’]?s?|month['’]s|mois de|meses de|monthly)\s+)?(?:(?:net|gross|cold|basic|full)\s+)?(?:rents?|pay|salar(?:y|ies)|wages|\p{L}*mieten|\p{L}*gehälter|\p{L}*löhne|loyers?|salaires?|alquiler(?:es)?|mensualidad(?:es)?|sueldos?|salarios?)(?!\p{L})`,
  'iu',
);
/** With a number beside them they tell a price without a currency. */
const PRICE_WORDS =
  /(?<!\p{L})(?:prices?|costs?|fees?|fares?|charges?|rates?|paid|pay|prix|tarifs?|coûte|coût|precios?|cuesta|tarifas?)(?!\p{L})|preis|kosten|kostet|gebühr|entgelt|[价费]/iu;
/** “Paid within 30 days” tells no price. */
const SPANS = new RegExp(String.raw`(?<![\d.,])\d+[-\s]?${SPAN}(?!\p{L})`, 'giu');
/** A year, or a date that begins with one, is no count. */
const YEARS = /(?<![\d.,])(?:1[89]|20)\d{2}(?:-\d{1,2}){0,2}(?![\d.,]\d|\d)/gu;

const OF_NUMBERS: ReadonlySet<AnswerSort> = new Set(['amount', 'count', 'phone', 'price']);
/** “17 to 21 May”, “lundi 19 au vendredi 23 octobre”: the day that begins a span of days is no count. */
const FIRST_DAYS =
  /(?<![\d.,:])\d{1,2}(?:st|nd|rd|th|\.)?(?=\s?(?:[-–]|to|till|until|and|bis(?: zum)?|und|au|et|al|y|a)\s?(?:(?:the|dem|den|le|el)\s)?(?:\p{L}{4,12},?\s)?\d{1,2}(?:st|nd|rd|th|\.)?\s(?:of\s|de\s)?(?:jan|feb|mar|mär|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz]|janv|févr|avr|juin|juil|août|ene|abr|ago|dic))/giu;
/** An amount of money, a share, a time of day and what numbers name are no count. */
const NO_COUNT =
  /\p{Sc}\s?\d[\d.,]*|(?<!\d)(?<!\d[.,])\d[\d.,]*\s?(?:\p{Sc}|(?:eur|usd|gbp|chf|euros?|dollars?|pounds?|pence|crowns?|francs?|franken)(?!\p{L})|%|per ?cent|prozent|pour ?cent|por ?ciento)|(?<!\d)\d{1,2}[:.]\d{2}(?![\d,])(?!\s?(?:million|billion))|\d{1,2}(?:st|nd|rd|th|\.)?\s(?:de\s)?(?:jan|feb|mar|mär|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz]|janv|févr|avr|juin|juil|août|ene|abr|ago|dic)\p{L}*|(?:rooms?|zones?|years?|grades?|class|no\.|nr\.|number|§|article|section|page|bus|raum|zimmer|gleis|platform|klasse|seite|linie)\s?\d+/giu;

function withoutOtherNumbers(wanted: AnswerSort, sentence: string): string {
  const plain = sentence.replace(YEARS, '');
  return wanted === 'count' ? plain.replace(FIRST_DAYS, ' ').replace(NO_COUNT, ' ') : plain;
}

/** What may stand in the place of another sort. */
const AS_WELL: Partial<Record<AnswerSort, readonly AnswerSort[]>> = {
  contact: ['phone', 'mail'],
  extent: ['length', 'duration'],
  moment: ['duration', 'clock', 'time'],
};

/** Told without any sign that could be looked for. */
const UNMARKED: ReadonlySet<AnswerSort> = new Set(['place', 'code', 'any']);

/** A column of a row is shown, too, where it holds what is asked for. */
export const COLUMN_SORTS: readonly AnswerSort[] = ['price', 'duration', 'time', 'clock', 'phone', 'mail'];

/** Whether what holds nothing of a sort is less of an answer for it. */
export function isMarked(sort: AnswerSort): boolean {
  return !UNMARKED.has(sort);
}

/** Whether a sentence holds something of that sort; always for `any`. */
export function holdsSort(wanted: AnswerSort, sentence: string): boolean {
  const others = AS_WELL[wanted];
  if (others?.some((other) => holdsSort(other, sentence)) === true) return true;
  if (wanted === 'contact') return holdsAnswer('person', sentence) || ROLE.test(sentence);
  if (others !== undefined) return false;
  const told = OF_NUMBERS.has(wanted) ? withoutOtherNumbers(wanted, sentence) : sentence;
  if (wanted === 'price' && IN_RENTS.test(told)) return true;
  if (wanted === 'price' && PRICE_WORDS.test(told) && /\p{N}/u.test(told.replace(SPANS, ' '))) return true;
  return SORTS.find(({ sort }) => sort === wanted)?.holds.test(told) ?? true;
}

/** What both a question for a sum or a mean says and a text that tells one. */
const TOTAL = String.raw`(?<!\p{L})(?:together|altogether|in total|in all(?!\s\p{L})|combined|sum of|total of|the total|on average|average|zusammen|insgesamt|durchschnittlich|im schnitt|im durchschnitt|au total|en tout|en moyenne|en total|en promedio)(?!\p{L})|总共|一共|平均`;
const ASKS_TOTAL = new RegExp(TOTAL, 'iu');
const HOLDS_TOTAL = new RegExp(
  String.raw`${TOTAL}|\b(?:total|totals|sum|overall)\b|gesamt|summe|zusammen|durchschnitt|(?<!\p{L})(?:totale?s?|ensemble|moyenne|promedio|suma)(?!\p{L})|总|合计`,
  'iu',
);
/** Of one of several: what each has, or what one costs a night. */
const EACH =
  /(?<!\p{L})(?:each|every|per|apiece|je|jeweils|pro|jede[mnrs]?|chaque|chacune?|cada|an? (?:hour|day|night|week|month|year|person|head)|par (?:heure|jour|nuit|semaine|mois|an|personne)|por (?:hora|día|noche|semana|mes|año|persona))(?!\p{L})|[每各]/iu;

/** Whether a question asks for a sum or a mean over several. */
export function asksTotal(question: string): boolean {
  return ASKS_TOTAL.test(question);
}

/** Whether a text tells one. */
export function holdsTotal(text: string): boolean {
  return HOLDS_TOTAL.test(text);
}

/** Whether a text tells something of one of several only: what each has is not what all have together. */
export function tellsOfEach(text: string): boolean {
  return EACH.test(text) && !holdsTotal(text);
}
