import { wordForms } from '#libs/ranking';
import { foldText } from './overlap.js';
import type { QuestionProfile } from './question-profile.js';

/** A term of the question that a text holds less than this far is lacking. */
const HELD = 0.4;

/** Words of a script without spaces are looked for as they are. */
const HAN = /^\p{Script=Han}+$/u;

/** Words that exclude each other, and what means the same as either; each side of a line. */
const OPPOSITES = `
start starts started starting begin begins began begun : end ends ended ending finish finished
arrival arrive arrives arriving arrived : departure depart departs departing departed
early earliest : late latest
raise raised rise risen increase increased : lower lowered fallen decrease decreased reduce reduced
buy buys bought purchase : sell sells sold
import imports imported : export exports exported
summer : winter
morning : evening afternoon
weekday weekdays : weekend weekends
boy boys male men man gentlemen : girl girls female women woman ladies
indoor : outdoor
north northern : south southern
east eastern : west western
income revenue : expenditure expenses
profit surplus : loss deficit
hot warm : cold
employer : employee
landlord : tenant
teacher : pupil student
senior : junior
domestic : foreign international
fulltime : parttime
new newer newest : old older oldest former
toddler toddlers : schoolchild schoolchildren school-age
puppy puppies : kitten kittens
beginnt beginn anfang anfangen start : endet ende enden schluss
ankunft ankommen : abfahrt abreise abfahren
fruh fruher fruhe fruhschicht : spat spate spater spatschicht
erhoht erhohung anhebung : gesenkt senkung ermassigung
kauft kauf gekauft : verkauft verkauf
sommer : winter
morgens vormittags vormittag : abends nachmittags abend nachmittag
wochentag wochentags werktags montag freitag : wochenende wochenenden
junge jungen manner herren : madchen frauen damen
innen drinnen hallenbad innenbecken : aussen draussen freibad aussenbecken
nord norden nordlich : sud suden sudlich
ost osten ostlich : west westen westlich
einnahmen : ausgaben
gewinn uberschuss : verlust fehlbetrag
vollzeit vollzeitig : teilzeit teilzeitig
ganztags ganztagig ganztagige ganztagigen ganztagiger ganztagiges : halbtags halbtagig halbtagige halbtagigen halbtagiger halbtagiges
arbeitgeber : arbeitnehmer
vermieter vermieterin : mieter mieterin
lehrer : schuler
neu neue neuen neuem neuer neues : alt alte alten altem alter altes fruhere fruheren ehemalige ehemaligen
arrivee : depart
nouveau nouvelle nouveaux nouvelles : ancien ancienne anciens anciennes vieux vieille vieilles
nuevo nueva nuevos nuevas : antiguo antigua antiguos antiguas viejo vieja viejos viejas
plein complet : partiel
matin : soir
debut commence : finit termine
achat acheter : vente vendre
hommes : femmes
garcons : filles
proprietaire bailleur : locataire
llegada : salida
completo completa : parcial
verano : invierno
comienza comienzo : termina
compra comprar : venta vender
hombres : mujeres
ninos : ninas
arrendador : arrendatario
全职 : 兼职
上午 : 下午 晚上
夏季 : 冬季
进口 : 出口
收入 : 支出
`;

const SIDES = new Map<string, readonly (readonly string[])[]>();
for (const line of OPPOSITES.trim().split('\n')) {
  const [one, other] = line.split(' : ').map((side) => side.split(' ').map((word) => wordForms(foldText(word)).stem));
  for (const [own, against] of [
    [one!, other!],
    [other!, one!],
  ] as const)
    for (const word of own) SIDES.set(word, [...(SIDES.get(word) ?? []), against]);
}

/** Whether a text tells of the opposite of what the question names, and not of that itself: when the late round begins, where the early one is told. */
export function isOpposite({ terms }: QuestionProfile, held: readonly number[], text: string): boolean {
  const lacking = terms.flatMap(({ form }, at) => (held[at]! < HELD ? (SIDES.get(wordForms(form).stem) ?? []) : []));
  if (lacking.length === 0) return false;
  const told = new Set([...text.matchAll(/[\p{L}\p{M}]+/gu)].map(([word]) => wordForms(foldText(word)).stem));
  return lacking.some((against) => against.some((word) => told.has(word) || (HAN.test(word) && text.includes(word))));
}

/** A span of time is counted from something on: “how many days after”. */
const COUNTS = String.raw`(?<!\p{L})(?:how (?:many \p{L}+|long|soon)|wie (?:viele? \p{L}+|lange)|combien de \p{L}+|cu[áa]nt[oa]s? \p{L}+)\s`;
const AFTER = String.raw`(?:after|following|later|nach|danach|später|après|después|tras)(?!\p{L})`;
const BEFORE = String.raw`(?:before|ahead|prior|in advance|beforehand|earlier|vor|davor|vorher|im voraus|zuvor|avant|(?:à|a) l['’]avance|antes|de antelación)(?!\p{L})`;
const WORD = String.raw`(?<!\p{L})`;

const ASKS_AFTER = new RegExp(COUNTS + AFTER, 'iu');
const ASKS_BEFORE = new RegExp(COUNTS + BEFORE, 'iu');
const TELLS_AFTER = new RegExp(
  `${WORD}${AFTER}|${WORD}(?:within|innerhalb|binnen|dans les|sous|dentro de|en un plazo)(?!\\p{L})`,
  'iu',
);
const TELLS_BEFORE = new RegExp(WORD + BEFORE, 'iu');

/** Whether a statement counts the time before something where a question asks for the time after it, or the other way round. */
export function tellsOtherDirection(question: string, own: string): boolean {
  const [isAfter, isBefore] = [TELLS_AFTER.test(own), TELLS_BEFORE.test(own)];
  return (ASKS_AFTER.test(question) && isBefore && !isAfter) || (ASKS_BEFORE.test(question) && isAfter && !isBefore);
}
