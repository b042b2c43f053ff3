/** What sort of thing a question asks for, as far as its words tell. */
export type AnswerKind = 'number' | 'date' | 'person' | 'any';

/** Question words in many languages; the first that fits decides. */
const ASKS: readonly (readonly [AnswerKind, RegExp])[] = [
  [
    'date',
    /\bwhen\b|\b(?:what|which) (?:year|date|day|month|decade|century)|\bwann\b|welche[mnrs]? (?:jahr|datum|tag|monat)|\bquand\b|quelle (?:ann[ée]e|date)|cu[áa]ndo|qu[ée] (?:año|fecha|d[íi]a)|\bquando\b|que ano|che anno|\bwanneer\b|\bnär\b|\bnår\b|\bkiedy\b|\bkdy\b|ne zaman|когда|како[мй] (?:году|год|день)|коли|何时|何時|什么时候|什麼時候|哪年|哪一年|哪天|いつ|何年|언제|몇 년|เมื่อใด|เมื่อไร|เมื่อไหร่|ปีใด|ปีไหน|ปีอะไร|متى|कब/iu,
  ],
  [
    'number',
    /\bhow (?:many|much|long|old|far|tall|high|large|big|fast|often|deep|wide|heavy)\b|\b(?:what|which) (?:percentage|percent|number|amount|share)|\bwie ?(?:viele?r?n?|hoch|lange?|alt|weit|groß|oft|schwer|tief|schnell)\b|\bcombien\b|cu[áa]nt[oa]s?|\bquant[oaie]s?\b|\bhoeveel\b|hur (?:många|mycket|stor)|hvor (?:mange|meget|mye|stor)|\bile\b|\bkolik\b|\bkaç\b|kuinka mon|сколько|скільки|колко|多少|几[个個年天人岁次]|幾[個年天人次]|いくつ|いくら|何[人個回歳本台]|どのくらい|どれくらい|몇|얼마|เท่าไร|เท่าใด|เท่าไหร่|กี่|จำนวน|\bكم\b|कितन/iu,
  ],
  [
    'person',
    /\bwho(?:m|se)?\b|\bwe[rmn]\b|\bwessen\b|\bqui\b|qui[ée]n(?:es)?\b|\bchi\b|\bquem\b|\bwie (?:is|was|heeft)\b|\bvem\b|\bhvem\b|\bkto\b|\bkdo\b|\bkim\b|(?<!\p{L})(?:кто|кого|кем|кому|хто|кой)(?!\p{L})|谁|誰|누가|누구|ใคร/iu,
  ],
];

const DATE =
  /(?<!\d)(?:1\d{3}|20\d{2})(?!\d)|\d{1,4}\s?[年月日]|(?<!\d)\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{1,2}\.? \p{L}{3,}|\p{L}{3,} \d{1,2}(?:,|\b)|พ\.ศ|ค\.ศ|century|jahrhundert|siècle|siglo|век|世纪|世紀|ศตวรรษ/iu;
const NUMBER =
  /\p{N}|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|hundreds?|thousands?|millions?|billions?|half|third|quarter|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|hundert|tausend|deux|trois|quatre|cinq|sept|huit|neuf|dix|cent|mille|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|cien|mil)\b|(?<!\p{L})(?:дв[аеу]|три|трех|трёх|четыр|пят|шест|сем|восем|девят|десят|сто|тысяч|миллион|половин)|[一二两兩三四五六七八九十百千万億亿]|สอง|สาม|สี่|ห้า|หก|เจ็ด|แปด|เก้า|สิบ|ร้อย|พัน|ล้าน/iu;
/** A capitalised word that does not open the sentence; scripts without case have no such hint. */
const NAME = /(?<=[\p{Ll}\p{N},;)”"»]\s|\(|„|“|«)\p{Lu}\p{Ll}+/u;
/** What is capitalised and is no name of a person. */
const NO_NAME =
  /(?<!\p{L})(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december|room|floor|zone|building|section|chapter|article|table|figure|hall|level|platform|gate|street|road|avenue|unit|appendix|annex)(?!\p{L})/giu;

/** The sort of thing that a question asks for. */
export function expectedAnswer(question: string): AnswerKind {
  return ASKS.find(([, pattern]) => pattern.test(question))?.[0] ?? 'any';
}

/** Whether a sentence holds something of that sort; always true for `any`. */
export function holdsAnswer(kind: AnswerKind, sentence: string): boolean {
  switch (kind) {
    case 'date':
      return DATE.test(sentence);
    case 'number':
      return NUMBER.test(sentence);
    case 'person':
      return NAME.test(sentence.replace(NO_NAME, ' ')) || !/\p{Lu}|\p{Ll}/u.test(sentence);
    case 'any':
      return true;
  }
}

/** Questions whose answer has several parts. */
const LISTS =
  /\b(?:list|name|give me|show me) (?:all|the|every|some)\b|\bwhat are\b(?! (?:the|your|our|their|its) (?:\p{L}+ )?(?:opening|office|business|visiting|consulting|surgery|closing) (?:hours|times))|\bwhich (?:\p{L}+ ){0,2}\p{L}{3,}s (?:are|do|can|may|must|need|have|were|should|will|did)\b|\bwhat (?:\p{L}+ ){0,1}\p{L}{3,}s (?:are|do|can|may|must|need|have|were|should|will|did)\b|\bsteps?\b|\bwelche (?:\p{L}+ ){0,2}\p{L}{3,}(?:en|er|s|e) (?:gibt|sind|werden|haben|können|müssen|dürfen|sollen|braucht)|\bnenne|\bzähle|\bschritte\b|\bquel(?:le)?s (?:sont(?! (?:les|vos|nos) horaires)|(?!horaires)\p{L}+s)\b|\bcu[áa]les\b|\bqu[ée] \p{L}+s (?:hay|son|tiene|puede)|哪些|列出|どれ|何と何/iu;

/** Whether a question asks for several things, which two sentences need not hold. */
export function asksForList(question: string): boolean {
  return LISTS.test(question);
}

const SECOND_QUESTION =
  /(?<!\p{L})(?:and|or|und|oder|et|ou|y|e|o)\s+(?:(?:to|by|from|for|in|at|von|bei|mit|für|à|de|a|con)\s+)?(?:who|whom|whose|what|which|when|where|how|why|wer|wen|wem|was|welche\p{L}?|wann|wo|wie|warum|qui|que|quoi|quel\p{L}*|quand|où|comment|combien|pourquoi|qui[ée]n|qu[ée]|cu[áa]l|cu[áa]ndo|d[óo]nde|c[óo]mo|cu[áa]nto\p{L}?)(?!\p{L})|[?？].+[?？]/iu;

/** “And what does it cost?” goes on from what was said before, and asks one thing. */
const GOING_ON = /^[^\p{L}\p{N}]*(?:and|or|but|so|und|oder|aber|et|ou|mais|y|e|o|pero)\s+/iu;

/** Whether a message asks two things at once. */
export function asksTwice(question: string): boolean {
  return SECOND_QUESTION.test(question.replace(GOING_ON, ''));
}

/** Words that ask for any attribute: `what is the name of`, `the number of`. */
const OF_ANY =
  /^(?:name|names|kind|sort|type|purpose|difference|reason|meaning|state|status|number|amount|value|sum|total|average|maximum|minimum|name[ns]?|art|zweck|unterschied|grund|zahl|anzahl|summe|wert|nom|type|but|nombre|montant|valeur|tipo|nombre|número|importe|valor)$/iu;
const ASKED_LAST = [
  /(?<!\p{L})what(?:['’]s| is| are| was| were) the ((?:\p{Ll}[\p{L}-]* ){0,2}?\p{Ll}[\p{L}-]*) (?:of|for|in|at) /iu,
  /(?<!\p{L})(?:[Ww]ie hoch|[Ww]as|[Ww]elches?) (?:ist|sind|war|waren) (?:der|die|das) ((?:\p{Ll}\p{L}* ){0,2}?\p{Lu}[\p{L}-]*) (?:der|des|von|vom|für|in|im|am|bei) /u,
] as const;
/** In these the noun comes first. */
const ASKED_FIRST = [
  /(?<!\p{L})quel(?:le)?s? (?:est|sont|était) (?:le |la |les |l['’])(\p{Ll}[\p{L}-]*)(?: \p{Ll}+)? (?:de|du|des|d['’]|pour|à|en) ?/iu,
  /(?<!\p{L})cuál(?:es)? (?:es|son|era) (?:el|la|los|las) (\p{Ll}[\p{L}-]*)(?: \p{Ll}+)? (?:de|del|para|en) /iu,
] as const;

/** What a question asks of something: the *rent* of a house. Undefined where it is asked in another way, or for a name, a number or a kind. */
export function askedAttribute(question: string): string | undefined {
  const last = ASKED_LAST.map((pattern) => pattern.exec(question)?.[1]?.split(' ').at(-1)).find(
    (noun) => noun !== undefined,
  );
  const noun = last ?? ASKED_FIRST.map((pattern) => pattern.exec(question)?.[1]).find((one) => one !== undefined);
  return noun === undefined || OF_ANY.test(noun) ? undefined : noun;
}

/** Begins a question or a clause of it: a *can* elsewhere may be part of a condition. */
export const CLAUSE_BEGINS = String.raw`(?:^|[,;:.!?¿¡—–])[\s"'“«¿¡(]{0,8}(?:(?:and|but|so|und|aber|et|mais|y|pero) )?`;
const ASKS_PERMISSION = new RegExp(
  String.raw`${CLAUSE_BEGINS}(?:(?:can|could|may|might) (?:i|we|you|one|my|our|a|an|the|\p{L}+s)|am i (?:\p{L}+ )?(?:allowed|permitted)|(?:is|are) (?:\p{L}+ ){1,4}(?:allowed|permitted|forbidden|possible|ok(?:ay)?|fine)|(?:darf|dürfen|kann|können) (?:ich|wir|man|mein\p{L}*|unser\p{L}*|der|die|das)|ist es (?:\p{L}+ )?(?:erlaubt|gestattet|verboten)|(?:est-ce qu(?:e |['’]))?(?:on peut|je peux|nous pouvons)|peut-on|puis-je|pouvons-nous|a-t-on le droit|est-il (?:permis|interdit|possible)|puedo|podemos|se puede\p{L}*|est[áa] (?:permitido|prohibido))(?!\p{L})|可以|能不能|能否|允许`,
  'iu',
);
/** The month is no “may”. */
const RULES =
  /(?<!\p{L})(?:(?<!(?:\d|\d\.|in|of|from|until|till|by|since|during|before|after|early|late|mid|each|every|last|next|this)[\s-])may(?! \d)(?: not| never| only)?(?= )|(?:must|can)(?: not| never| only)?(?= )|cannot|allowed|permitted|forbidden|prohibited|banned|admitted|accepted|not (?:be )?(?:possible|wanted)|welcome|darf|dürfen|erlaubt|gestattet|zulässig|verboten|untersagt|unzulässig|nicht möglich|interdit\p{L}*|permis\p{L}*|autorisé\p{L}*|défendu\p{L}*|(?:ne )?(?:peut|peuvent|doit|doivent)|prohibid[oa]s?|permitid[oa]s?|se permiten?|admiten?|no se (?:puede|permite|admite)\p{L}*|puede[ns]?)(?!\p{L})|不得|禁止|可以|允许|不许/iu;

/** Whether a question asks if something may be done. */
export function asksWhetherAllowed(question: string): boolean {
  return ASKS_PERMISSION.test(question);
}

/** Whether a statement allows or forbids something. */
export function saysWhetherAllowed(statement: string): boolean {
  return RULES.test(statement);
}
