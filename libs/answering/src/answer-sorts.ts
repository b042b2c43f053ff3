import type { AnswerSort, SortRule } from './answer-sort.js';
import { MEASURED_SORTS } from './measured-sorts.js';

const COUNTED = String.raw`(?:\d[\d.,]*|half|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|eine?[mnrs]?|halbe[nrs]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|un[ao]?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez)`;
const SPAN = String.raw`(?:seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?|sekunden?|minuten?|stunden?|tage?n?|nächte|wochen?|monate?n?|jahre?n?|secondes?|heures?|jours?|nuits?|semaines?|mois|ans?|années?|segundos?|minutos?|horas?|días?|noches?|semanas?|mes(?:es)?|años?)`;

/** A number, in digits or in words. */
const NUMBER =
  /\p{N}|(?<!\p{L})(?:no|none|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twice|once|every|each|dozen|hundred|keine?|eine?[nrs]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|jede[nrs]?|deux|trois|quatre|cinq|sept|huit|neuf|dix|chaque|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|cada)(?!\p{L})|(?<!\p{L})(?:daily|weekly|fortnightly|monthly|quarterly|annual(?:ly)?|yearly|hourly|nightly|always|never|seldom|rarely|regularly|several|few|both|all|many|single|couple|pair|täglich\p{L}*|wöchentlich\p{L}*|monatlich\p{L}*|\p{L}*jährlich\p{L}*|stündlich\p{L}*|immer|nie|selten|regelmäßig\p{L}*|mehrere\p{L}?|beide\p{L}?|alle\p{L}?|einige\p{L}?|plusieurs|tous|toutes|quotidien\p{L}*|hebdomadaire\p{L}*|mensuel\p{L}*|annuel\p{L}*|jamais|toujours|vari[oa]s|ambos|tod[oa]s|diari[oa]\p{L}*|semanal\p{L}*|mensual\p{L}*|anual\p{L}*|siempre|nunca)(?!\p{L})|[一二两三四五六七八九十百千万每]/iu;

/** In the order in which they are tried; the first question that fits decides. */
const SORTS: readonly SortRule[] = [
  {
    sort: 'phone',
    asks: /\b(?:tele)?phone numbers?\b|\b(?:hot ?line|helpline|help ?desk|emergency|rescue) number\b|\b(?:notruf|service|hotline)nummer\b|\b(?:mobile|cell|fax|extension) numbers?\b|\bwhat number (?:do|can|should|to)\b.{0,20}\b(?:call|ring|dial)\b|\btelefonnummer|\bdurchwahl|\bunter welcher nummer|\bnum[ée]ro de t[ée]l[ée]phone|\bn[úu]mero de tel[ée]fono|电话(?:号码)?是|电话号码/iu,
    holds: /(?<![\d.])(?:\+|\(?0)?\d(?:[\s/()–-]{0,2}\d){5,}(?![\d.])/u,
  },
  {
    sort: 'mail',
    asks: /\be-?mail address|\bmail-?adresse|\badresse (?:e-?mail|[ée]lectronique)|\b(?:correo electr[óo]nico|direcci[óo]n de correo)|邮箱|电子邮件地址/iu,
    holds: /\S@\S/u,
  },
  {
    sort: 'clock',
    asks: /\bwhat time\b|\bum wie ?viel uhr|\bà quelle heure|\ba qu[ée] hora|几点/iu,
    holds:
      /(?<!\d)\d{1,2}:\d{2}(?!\d)|\d\s?(?:am|pm|a\.m\.|p\.m\.|uhr|h|hrs|o.clock)(?!\p{L})|(?<!\d)\d{1,2}\.\d{2}(?!\d)|\b(?:noon|midnight|midday|mittags?|mitternacht|midi|minuit|mediod[íi]a|medianoche)\b|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) o.clock|[点时]/iu,
  },
  {
    sort: 'age',
    asks: /\bhow old\b|\bwie alt\b|\bquel âge|\bcu[áa]ntos años tiene|多大|几岁/iu,
    holds:
      /\b(?:aged?|years? old|year-old|born|since|built|founded|established|opened|dates? (?:from|back)|jahre alt|jährige?r?n?|gegründet|gebaut|erbaut|seit|geboren|né|née|ans|años|nacid[oa])\b|岁|minimum|at least|mindestens|ago|(?:from|over|under|above|below|ab|unter|über|desde|dès)\s+\d|\d\s*\+|\d{1,3}\s+(?:years?|jahren?)\b|(?:million|millionen) (?:years|jahren?)/iu,
  },
  {
    sort: 'price',
    asks: /\bhow much (?:does|do|did|will|would|is|are|was|were|must|may|can)\b(?=.{0,200}\b(?:cost|charge|pay|fee|fare|price|rent|worth|set me back|fine|penalty|toll|deposit)\b)|\b(?:what|which)\b.{0,60}\b(?:cost|costs|price|prices|fee|fare|charge|rent)\b|\bhow expensive\b|\b(?:what|which) (?:amount|sum)\b(?! of)|\b(?:welche[mnrs]?|bis zu welchem) (?:betrag|summe)(?!\p{L})|\bquel(?:le)? (?:montant|somme)\b|\bqué (?:importe|cantidad de dinero)\b|\bwas kostet|\bwie (?:teuer|viel kostet)|\bcombien (?:coûte|coute|coûtent|faut-il payer)|\bcu[áa]nto (?:cuesta|cuestan|vale)|多少钱|什么价/iu,
    holds:
      /\p{Sc}|\b(?:kr|sek|nok|dkk|zł|pln|yen|yuan|rupees?|lira|roubles?|eur|usd|gbp|chf|euros?|dollars?|pounds?|pence|(?<!per )cents?|francs?|franken|free|gratis|kostenlos|kostenfrei|gratuit\p{L}*|gratuito\p{L}*|no cost|no charge|without charge|sin coste|not (?:be |been )?(?:reimbursed|refunded|covered|paid|compensated)|nicht (?:erstattet|übernommen|vergütet|bezahlt)|(?:pas|non) remboursée?s?|no se reembolsan?)\b|(?:by|of|at|um|von) \d[\d.,]*\s?(?:%|per ?cent|prozent)|(?<!\p{N})\d{1,4}[.,]\d{2}(?!\p{N})|元|欧|免费/iu,
  },
  ...MEASURED_SORTS,
  {
    sort: 'duration',
    asks: /\bhow long (?:before|after|do|does|did|is|are|was|were|will|can|may|must|have|has)\b|\bhow (?:early|many (?:hours|days|weeks|months|years|minutes))\b|\bhow much (?:time|notice)\b|\bwie ?(?:lange|viele (?:stunden|tage|wochen|monate|jahre|minuten))\b|\bcombien de (?:temps|jours|semaines|mois|heures|minutes)|\bcu[áa]ntos? (?:tiempo|d[íi]as|semanas|meses|horas|minutos|años)|多久|多长时间|几天|几个月/iu,
    holds: new RegExp(
      String.raw`(?<![\p{L}\p{N}])(?<!\d[.,])${COUNTED}(?:[-\s]+\p{L}+){0,2}[-\s]+${SPAN}(?!\p{L})|(?<!\d)\d+[-\s]?${SPAN}(?!\p{L})|\buntil\b|\bbis (?:zum|zur|ende)\b|[一二两三四五六七八九十\d]+\s*(?:个月|天|年|周|小时|分钟|日)`,
      'iu',
    ),
  },
  {
    sort: 'time',
    asks: /^\W*(?:and |but |so )?(?:when|what time|at what time|which (?:day|date)|on (?:which|what) (?:day|date)|wann|an welchem tag|um wie viel uhr|quand|à quelle heure|cu[áa]ndo|a qu[ée] hora)\b|什么时候|几点|何时/iu,
    holds:
      /(?<!\d)\d{1,2}:\d{2}(?!\d)|\d\s?(?:am|pm|a\.m\.|p\.m\.|uhr|h|hrs|o.clock)(?!\p{L})|(?<!\d)(?:1[89]|20)\d{2}(?!\d)|\d(?:st|nd|rd|th)\b|(?<!\d)\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|(?<!\d)\d{1,2}\.?\s(?:de\s)?(?:jan|feb|mar|mär|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz]|janv|févr|avr|juin|juil|août|ene|abr|ago|dic)\p{L}*|[年月日点时號]|(?<!\p{L})(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:january|february|march|april|june|july|august|september|october|november|december)|\b(?:daily|weekly|monthly|today|tomorrow|noon|midnight|always|montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonntags?|täglich|januar|februar|märz|mai|juni|juli|oktober|dezember|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|lunes|martes|miércoles|jueves|viernes|sábado|domingo|enero|febrero|marzo|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)\b|[一二三四五六日]月|星期|周[一二三四五六日]|after|before|once|as soon as|sobald|nach|avant|après|(?<!\p{L})(?:vor|ab|dès|lors|después|antes|tras)(?!\p{L})|[前后後]/iu,
  },
  {
    sort: 'amount',
    asks: /\bhow (?:old|tall|high|deep|wide|heavy|fast|far|often|large|big)\b|\bwie (?:viel|alt|hoch|tief|breit|schwer|schnell|weit|oft|groß)(?!\p{L})|多少|多[高大深远重快]/iu,
    holds: NUMBER,
  },
  {
    sort: 'count',
    asks: /\bhow many\b|\bwie ?viele\b|\bcombien d|\bcu[áa]nt[oa]s\b|几/iu,
    holds: NUMBER,
  },
  {
    sort: 'reason',
    asks: /(?<!\p{L})(?:why|how come|for what reason|warum|wieso|weshalb|pourquoi|por qu[ée])(?!\p{L})|为什么|為什麼|为何/iu,
    holds:
      /(?<!\p{L})(?:because|since|due to|owing to|so that|in order to|therefore|reasons?|caused?|weil|denn|wegen|aufgrund|damit|deshalb|daher|gründe?n?|parce qu|puisque?|à cause|afin|raisons?|porque|debido|ya que|para que|por eso|motivos?)(?!\p{L})|(?:^|[,;.]\s)(?:da|car)(?!\p{L})|parce qu|因为|由于|所以|以便/iu,
  },
];

/** With a number beside them they tell a price without a currency. */
const PRICE_WORDS =
  /\b(?:prices?|costs?|fees?|fares?|charges?|rates?|paid|pay)\b|preis|kosten|kostet|gebühr|entgelt|\b(?:prix|tarifs?|coûte|coût|precios?|cuesta|tarifas?)\b|[价费]/iu;
/** “Paid within 30 days” tells no price. */
const SPANS = new RegExp(String.raw`(?<![\d.,])\d+[-\s]?${SPAN}(?!\p{L})`, 'giu');
/** A year, or a date that begins with one, is no count. */
const YEARS = /(?<![\d.,])(?:1[89]|20)\d{2}(?:-\d{1,2}){0,2}(?![\d.,]\d|\d)/gu;

const OF_NUMBERS: ReadonlySet<AnswerSort> = new Set(['amount', 'count', 'phone', 'price']);
/** An amount of money, a share, a time of day and what numbers name are no count. */
const NO_COUNT =
  /\p{Sc}\s?\d[\d.,]*|(?<!\d)(?<!\d[.,])\d[\d.,]*\s?(?:\p{Sc}|(?:eur|usd|gbp|chf|euros?|dollars?|pounds?|pence|crowns?|francs?|franken)(?!\p{L})|%|per ?cent|prozent|pour ?cent|por ?ciento)|(?<!\d)\d{1,2}[:.]\d{2}(?![\d,])(?!\s?(?:million|billion))|\d{1,2}(?:st|nd|rd|th|\.)?\s(?:de\s)?(?:jan|feb|mar|mär|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz]|janv|févr|avr|juin|juil|août|ene|abr|ago|dic)\p{L}*|(?:rooms?|zones?|no\.|nr\.|number|§|article|section|raum|zimmer|gleis|platform)\s?\d+/giu;

function withoutOtherNumbers(wanted: AnswerSort, sentence: string): string {
  const plain = sentence.replace(YEARS, '');
  return wanted === 'count' ? plain.replace(NO_COUNT, ' ') : plain;
}

/** The sort of thing that a question asks for, in English, German, French, Spanish and Chinese. */
export function wantedSort(question: string): AnswerSort {
  return SORTS.find(({ asks }) => asks.test(question))?.sort ?? 'any';
}

/** Whether a sentence holds something of that sort; always for `any`. */
export function holdsSort(wanted: AnswerSort, sentence: string): boolean {
  const told = OF_NUMBERS.has(wanted) ? withoutOtherNumbers(wanted, sentence) : sentence;
  if (wanted === 'price' && PRICE_WORDS.test(told) && /\p{N}/u.test(told.replace(SPANS, ' '))) return true;
  return SORTS.find(({ sort }) => sort === wanted)?.holds.test(told) ?? true;
}

const ASKS_TOTAL =
  /\b(?:together|altogether|in total|in all|combined|sum of|total of|the total|on average|the average|average)\b|(?<!\p{L})(?:zusammen|insgesamt|durchschnittlich|im schnitt|im durchschnitt|au total|en tout|en moyenne|en total|en promedio)(?!\p{L})|总共|一共|平均/iu;
const HOLDS_TOTAL =
  /\b(?:total|totals|sum|altogether|combined|together|average|overall)\b|gesamt|summe|zusammen|insgesamt|durchschnitt|(?<!\p{L})(?:totale?s?|ensemble|moyenne|promedio|suma)(?!\p{L})|总|合计|平均/iu;

/** Whether a question asks for a sum or a mean over several. */
export function asksTotal(question: string): boolean {
  return ASKS_TOTAL.test(question);
}

/** Whether a text tells one. */
export function holdsTotal(text: string): boolean {
  return HOLDS_TOTAL.test(text);
}
