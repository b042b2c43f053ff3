import { toNormalForm } from '#libs/common';
import { splitSentences, type TextRange } from '#libs/text';
import { termsOf } from './overlap.js';

/**
 * Sentences that speak to anyone who writes the answer instead of to a reader: they override instructions, change roles, or say what an
 * answer must hold. Recognised by their words, in a dozen languages; a sentence that is taken for an order though it is none is only no
 * evidence any more.
 */
const ORDERS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass|discard|neglect|do not (?:follow|obey)|stop following)\b[^]{0,80}\b(?:instructions?|prompts?|rules?|directions?|guidelines?|orders?|commands?|context|above|previous|prior|earlier|everything|anything)\b/,
  /\b(?:reply|respond|answer|output|say|echo|recite|repeat|print|write|reveal|utter)\b(?:\s+[\w'-]+){0,4}?\s*(?:\bwith\b|\bonly\b|\bexactly\b|\bverbatim\b|\bjust\b|\bnothing\b|\binstead\b|\bword for word\b|:|["“”„«»「『`])/,
  /\b(?:reply|respond|answer|output|say|echo|recite|repeat|print|write|include|insert|add|append|prepend|put|embed|place|show|display|render|attach|end|begin|start|finish|sign|conclude|close|mention|use)\b[^\n]{0,120}\b(?:your|every|each|any|all|the) (?:final )?(?:answers?|repl(?:y|ies)|responses?|outputs?|summar(?:y|ies))\b/,
  /\b(?:include|insert|output|print|say|append|give|show|display|render|embed|repeat|mention|send|share)\b[^\n]{0,40}\b(?:(?:the|this|these|following|secret|magic)\s+)+(?:links?|images?|urls?|pictures?|sentence|words?|phrase|string|token|code ?words?|passphrase|secret|banner)\b/,
  /\b(?:tell|inform|advise|instruct|convince|ask|urge|warn) (?:the |every |each |all |any )?(?:users?|readers?|askers?|customers?|humans?)\b/,
  /\byou are (?:now|no longer|an? (?:ai|assistant|language model|chatbot|bot|pirate|unrestricted))\b|\byou (?:must|shall|will|should) (?:now |always |only |never )*(?:answer|reply|respond|say|output|obey|include|comply|write|print|act)\b/,
  /\b(?:always|never|only|just|please|must) (?:say|reply|respond|answer|output|repeat|echo|recite|print)\b|(?:^|[\n|])\s*(?:say|echo|recite|utter)\b/,
  /\b(?:act|behave|pretend|pose|speak) (?:as|like|to be)\b|\bas an? (?:ai|language model|assistant|chatbot)\b|\b(?:developer|debug|god|dan|jailbreak|admin|maintenance|override) mode\b|\bfrom now on\b/,
  /\bnew (?:system )?(?:instructions?|rules?|directives?|orders?|prompt)\b|\b(?:system|hidden|initial|secret) (?:prompt|message|instructions?|override|note)\b|\bprompt injection\b|\bend of (?:context|documents?|sources?|prompt|data|instructions?)\b/,
  /\b(?:important|attention|note|notice|instructions?|message|hint|reminder|memo|directive|request)s? (?:to|for) (?:the |any |all |every )*(?:ai|assistants?|models?|llms?|chatbots?|language models?|bots?|agents?|summari[sz]ers?|answering)\b/,
  /\b(?:ai|assistants?|language models?|llms?|chatbots?|gpt|summari[sz]ers?)\b[^]{0,40}\b(?:must|should|shall|are to|is to|please|reading|processing|summari[sz]ing|have to|has to|needs? to|answers?|says?|repl(?:y|ies))\b/,
  /\b(?:your|every|each|any|all) (?:final )?(?:answers?|repl(?:y|ies)|responses?|outputs?) (?:must|should|shall|has to|have to|ends?|begins?|starts?)\b|\b(?:your|every|the only|the right) (?:final )?answers? (?:is|are)\b/,
  /<?\|[a-z]+_[a-z]+\|>?|<\|[^|>]{1,40}\|>|\[\/?inst\]|<<\/?sys>>|<\/?(?:system|assistant|developer|user|instructions?|prompt|context|sources?|documents?)\b[^>]{0,80}>|(?:^|\n)\s*#{1,6}\s*(?:system|instructions?|assistant|new task)\b|-{3,}\s*(?:end|begin)\b/,
  /(?:^|[\n\s"'(])(?:system|assistant|developer)\s*:\s*(?=.{0,120}\b(?:you|your|ignore|must|always|answer|reply|respond|say|never|output|print|confirmed|sure|okay|of course)\b)|(?:^|[\n|])\s*(?:assistant|ai)\s*:/,
  /\b(?:ignorier\w*|vergiss|vergesst|missachte\w*|übergehe|ignore[zr]?|oublie[zr]?|ignora|olvida|olvide|dimentica|negeer|vergeet|esqueça|zignoruj|yoksay)\b[^]{0,80}(?:anweisung|regel|instru|consigne|règle|regla|regra|istruz|regol|aufforderung|vorgabe|polece|talimat)/,
  /\b(?:antworte|antwortet|schreibe?|sage?|gib|réponds|répondez|écris|écrivez|dis|responde|escribe|rispondi|scrivi|antwoord|zeg|responda|escreva|odpowiedz|yanıtla)\b[^\n]{0,50}(?:\bnur\b|\bgenau\b|\bmit\b|ausschlie(?:ß|ss)lich|exakt|seulement|uniquement|exactement|\bavec\b|\bsolo\b|únicamente|exactamente|\bcon\b|solamente|esattamente|alleen|precies|apenas|somente|\bcom\b|tylko|sadece|["“„«:])/,
  /(?:игнорируй|забудь|не обращай|отмени)[^]{0,80}(?:инструкц|правил|указан|команд)|(?:ответь|отвечай|напиши|скажи|выведи)[^\n]{0,40}(?:только|ровно|точно|словом|:|«|")/,
  /(?:忽略|无视|無視|忘记|忘記|不要理会)[^。]{0,30}(?:指令|指示|规则|規則|提示|说明|要求)|(?:请|請|只|必须|務必|务必|仅)[^。]{0,6}(?:回答|回复|回覆|输出|輸出|说|說)/,
  /(?:指示|命令|ルール|プロンプト)[^。]{0,20}(?:無視|忘れ)|(?:と|とだけ|だけを?)(?:答え|回答し|出力し|返答し|言っ)|(?:무시하|잊어)[^]{0,20}|(?:지시|명령|규칙)[^]{0,20}무시|(?:라고|만) (?:답|대답|출력)/,
];

const COMMENT = /<!--[^]*?(?:-->|$)/g;
/** A sentence that goes on in the next one: what is ordered is there. */
const GOES_ON = /[:：,，;\-–—]\s*["'“„«「『`]*$|[^.!?。！？"'”»」』`)\]]$/u;
/** A line that a sentence goes on behind; not one that is too long for a line. */
const UNFINISHED = /^[^]{1,400}[^.!?。！？|]$/u;
/** A line that the sentence of the one before it goes on in. */
const CONTINUES = /^\s*\p{Ll}/u;
/** Lines that are read together with the one before them. */
const MOST_LINES = 2;
const ADDRESS = /!?\[[^\]\n]*\]\([^)\s]*\)|\b[a-z]+:\/\/\S+|<[a-z][^>\n]*>/giu;
/** An order's own words may follow it in a sentence of so few content words. */
const FEW_WORDS = 3;

/** A text as evidence: the same length and offsets, with spaces where orders are. */
export interface EvidenceText {
  readonly evidence: string;
  /** What was taken out. */
  readonly orders: string;
  /** The text ends in an order, so that its words may be in what follows in the document. */
  readonly endsInOrder: boolean;
}

/**
 * Takes the orders to anyone who writes the answer out of a source: what a document demands is no evidence for what an answer says.
 * @param followsOrder the text goes on behind one that ended in an order.
 */
export function withoutOrders(text: string, followsOrder = false): EvidenceText {
  const ranges: TextRange[] = [...text.matchAll(COMMENT)].map(({ index, 0: match }) => ({
    start: index,
    end: index + match.length,
  }));
  let [isDemanded, isFirst] = [followsOrder, followsOrder];
  const sentences = splitSentences(text);
  const parts = sentences.map(({ start, end }) => text.slice(start, end));
  const ordered = orderedOf(parts);
  for (const [at, range] of sentences.entries()) {
    const sentence = parts[at]!;
    const isOrder = ordered.has(at);
    const isFollowing = isDemanded && (isFirst || hasFewWords(sentence));
    if (isOrder || isFollowing) ranges.push(range);
    const goesOn = GOES_ON.test(sentence.trim());
    isDemanded = isOrder ? goesOn || sentence.length < 200 : isFollowing && !isFirst && goesOn;
    isFirst = false;
  }
  let evidence = text;
  for (const { start, end } of ranges)
    evidence = evidence.slice(0, start) + text.slice(start, end).replace(/[^\n]/g, ' ') + evidence.slice(end);
  return {
    evidence,
    orders: ranges.map(({ start, end }) => text.slice(start, end)).join('\n'),
    endsInOrder: isDemanded,
  };
}

/**
 * Which sentences are orders, or lines of one: files of fixed pages break a sentence over lines that are read as paragraphs of their own, so
 * that no line alone is an order.
 */
function orderedOf(parts: readonly string[]): ReadonlySet<number> {
  const ordered = new Set(parts.flatMap((part, at) => (isOrderTo(part) ? [at] : [])));
  const alone = new Set(ordered);
  for (let from = 0; from < parts.length; from += 1) {
    let joined = parts[from]!.trim();
    for (let at = from + 1; at < parts.length && at <= from + MOST_LINES && UNFINISHED.test(joined); at += 1) {
      const isBegun = alone.has(at) && !CONTINUES.test(parts[at]!);
      if (alone.has(at - 1) || isBegun) break;
      joined += ` ${parts[at]!.trim()}`;
      if (!isOrderTo(joined)) continue;
      for (let line = from; line <= at; line += 1) ordered.add(line);
      break;
    }
  }
  return ordered;
}

/** Whether a sentence gives an order to anyone who writes the answer. */
export function isOrderTo(sentence: string): boolean {
  const shown = toNormalForm(sentence.replace(/\p{Cf}/gu, plainTag), 'NFKC').toLowerCase();
  return ORDERS.some((order) => order.test(shown));
}

/** Tag characters (U+E0000) spell ASCII that no one sees; other format characters are nothing. */
function plainTag(character: string): string {
  const code = character.codePointAt(0)! - 0xe0000;
  return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : '';
}

function hasFewWords(sentence: string): boolean {
  const words = termsOf(sentence.replace(ADDRESS, ' ')).filter((term) => term.isContent);
  return words.reduce((sum, { sort }) => sum + (sort === 'gram' ? 0.5 : 1), 0) <= FEW_WORDS;
}
