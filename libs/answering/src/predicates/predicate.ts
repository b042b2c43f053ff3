/** What a statement asks of a text. `phrase`: to hold these very words. `mention`: to speak of something. `claim`: anything else. */
export type StatementFrame = 'phrase' | 'mention' | 'claim';

/** A part of a predicate that only a text can decide. */
export interface SoughtStatement {
  readonly frame: StatementFrame;
  /** What is sought, without the verb that frames it. */
  readonly sought: string;
}

/** A predicate in words, taken apart. `C`: conditions over facts, as the caller reads them. */
export type Predicate<C> =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Predicate<C>[] }
  | { readonly kind: 'not'; readonly part: Predicate<C> }
  | { readonly kind: 'condition'; readonly condition: C }
  | { readonly kind: 'statement'; readonly statement: SoughtStatement };

/** Reads a clause as a condition over facts; undefined where it is none. */
export type ConditionReader<C> = (clause: string) => C | undefined;

const MAX_DEPTH = 8;
/** Clauses of a list, and places where a clause may go on, that are tried. */
const MAX_PARTS = 16;
const END = /[\s.?!;]+$/;
const QUESTION =
  /^(?:does|do|did|is|are|was|has) (?:the|this|it|each|every)(?: (?:document|file|text|row|record|entry|chunk|passage))? /i;
const LEAD =
  /^(?:(?:find|show|list|give|select|keep)(?: me)? )?(?:(?:all|any|every|only|the|this|those|a) )*(?:documents?|files?|texts?|rows?|records?|entry|entries|chunks?|passages?|items?|it)\b,? (?:(?:that|which|where|whose|who) |(?=(?:is|are|was|were|has|have|does|do|did|mentions?|contains?|names?|about|from|with|without|in|dated|written|tagged|not|never)\b|isn['’]t|aren['’]t|doesn['’]t|don['’]t))/i;
const LEAD_ELSEWHERE =
  /^(?:(?:alle|die|das|der|todos|los|el|las|la) )*(?:dokumente?|texte?|dateien?|zeilen?|documentos?|textos?|filas?)\b,? (?:die|das|welche|deren|que|cuyo|cuya) /i;
const RELATIVE = /^(?:that|which|where|whose|who) /i;

const VERB =
  "(?:is|are|was|were|has|have|had|does|do|did|can|cannot|not|never|mentions?|contains?|includes?|names?|refers?|concerns?|describes?|discusses?|covers?|says?|states?|asks?|requests?|reports?|announces?|dated|written|tagged|comes?|belongs?|shows?|gives?|without|lacks?|(?:is|are|was|were|has|have|does|do|did)n['’]t|ist|sind|hat|erwähnt|enthält|nennt|es|está|tiene|menciona|contiene)";
const JUNCTIONS = [
  { kind: 'or', pattern: new RegExp(`,? (?:or|oder|o) (?:that |which |whose )?(?=${VERB}\\b)`, 'iu') },
  {
    kind: 'and',
    pattern: new RegExp(`,? (?:and|but|und|aber|y|pero)(?: also)? (?:that |which |whose )?(?=${VERB}\\b)`, 'iu'),
  },
] as const;

const CLAUSE = new RegExp(`^${VERB}\\b`, 'iu');
const LISTS = [
  { kind: 'or', words: /,? (?:or|oder) (?:that |which |whose )?/i },
  { kind: 'and', words: /(?:,? (?:and|but|und|aber)(?: also)?|,) (?:that |which |whose )?/i },
] as const;

/** Each gives what is negated as a clause of its own. */
const NEGATIONS: readonly (readonly [RegExp, string])[] = [
  [/^(?:does|do|did)(?: not|n['’]t) (.+)$/i, '$1'],
  [/^(is|are|was|were|has|have|can|will|would|should|may|must)(?: not|n['’]t) (.+)$/i, '$1 $2'],
  [/^(?:cannot|fails? to) (.+)$/i, '$1'],
  [/^makes? no (?:mention|reference) (?:of|to) (.+)$/i, 'mentions $1'],
  [/^(mentions?|contains?|includes?|names?|has|have|gives?|shows?) (?:no|not any|neither) (.+)$/i, '$1 $2'],
  [/^(?:is |are )?(?:without|lacks?|lacking|free of|missing) (?:any |an? )?(.+)$/i, 'mentions $1'],
  [/^(?:not|never) (.+)$/i, '$1'],
  [/^no (menciona|contiene|incluye|es|está|tiene|habla|trata) (.+)$/i, '$1 $2'],
  [/^(?:ohne|sin) (.+)$/i, 'mentions $1'],
  [/^(enthält|erwähnt|nennt|hat|ist|sind) kein(?:e|en|em|er|es)? (.+)$/i, '$1 $2'],
  [/^(ist|sind|war|hat) nicht (.+)$/i, '$1 $2'],
  [/^(enthält|erwähnt|nennt) (.+) nicht$/i, '$1 $2'],
  [/^no (.+)$/i, 'mentions $1'],
];

const MENTION =
  /^(?:mention(?:s|ed|ing)?|contain(?:s|ing)?|includ(?:es?|ing)|nam(?:es?|ing)|cit(?:es?|ing)|refer(?:s|ring)? to|talks? about|speaks? (?:of|about)|erwähnt|enthält|nennt|menciona|contiene|incluye|nombra)\s+(.+)$/iu;
const WORDS_THEMSELVES =
  /^(?:the |das |la |el )?(?:exact )?(?:words?|phrase|term|text|string|expression|wort|begriff|palabra|frase)\s+(.+)$/iu;
const QUOTED = /^["“”„«»'‘’](.+)["“”«»'‘’]$/u;
const TOPIC =
  /^(?:(?:is|are|was|ist|es) )?(?:about|concern(?:s|ing)?|deals? with|dealing with|covers?|discuss(?:es)?|relat(?:es?|ed|ing) to|regard(?:s|ing)?|über|sobre|trata de|habla de)\s+(.+)$/iu;
const SAYING = /^(?:says?|states?|tells?)(?: that)?\s+(.+)$/i;
/** Where a clause may go on about something else than what is before. */
const CONNECTORS =
  /,? (?:that|which|about|with|without|mentioning|containing|concerning|regarding|for|on|from|in|by|of|to|over|between|after|before|since|dated)(?= )/gi;
const DROPPED_CONNECTOR = /^,? (?:that|which)? ?/i;
const ALTERNATIVES = /^(.+?),? (?:or|nor|oder|ni) (.+)$/iu;

/**
 * Takes a predicate apart: conditions over facts as `readCondition` knows them, negations, clauses joined by “and” and “or”, and statements
 * that a text must decide. English, with the common turns of German and Spanish. Never fails: what is not understood is a claim.
 */
export function readPredicate<C>(text: string, readCondition: ConditionReader<C>): Predicate<C> {
  return readClause(withoutLead(text.normalize('NFC').replace(/\s+/g, ' ').trim().replace(END, '')), readCondition, 0);
}

function withoutLead(text: string): string {
  const question = QUESTION.exec(text);
  if (question !== null) {
    const verb = /^(?:does|do|did) /i.test(text) ? '' : `${text.split(' ', 1)[0]!} `;
    return verb + text.slice(question[0].length);
  }
  const rest = text
    .replace(LEAD, '')
    .replace(LEAD_ELSEWHERE, '')
    .replace(RELATIVE, '')
    .replace(/^whose /i, '');
  return rest === '' ? text : rest;
}

function readClause<C>(clause: string, readCondition: ConditionReader<C>, depth: number): Predicate<C> {
  const whole = readCondition(clause);
  if (whole !== undefined) return { kind: 'condition', condition: whole };
  if (depth >= MAX_DEPTH) return toStatement(clause);
  const inner = (part: string): Predicate<C> => readClause(part.trim(), readCondition, depth + 1);
  for (const { kind, words } of LISTS) {
    const parts = clause.split(words);
    if (parts.length > 1 && parts.length <= MAX_PARTS && parts.every((part) => isClause(part, readCondition))) {
      return { kind, parts: parts.map(inner) };
    }
  }
  for (const { kind, pattern } of JUNCTIONS) {
    const found = pattern.exec(clause);
    if (found === null || found.index === 0) continue;
    const parts = [clause.slice(0, found.index), clause.slice(found.index + found[0].length)];
    return { kind, parts: parts.map(inner) };
  }
  for (const [pattern, replacement] of NEGATIONS) {
    if (pattern.test(clause)) return { kind: 'not', part: inner(clause.replace(pattern, replacement)) };
  }
  for (const found of [...clause.matchAll(CONNECTORS)].slice(0, MAX_PARTS)) {
    const condition = readCondition(clause.slice(0, found.index));
    if (condition === undefined) continue;
    const rest = clause.slice(found.index).replace(DROPPED_CONNECTOR, '');
    return { kind: 'and', parts: [{ kind: 'condition', condition }, inner(rest)] };
  }
  return toStatement(clause);
}

/** Whether something represents itself: a condition, or words with a verb in front. */
function isClause<C>(part: string, readCondition: ConditionReader<C>): boolean {
  return readCondition(part) !== undefined || CLAUSE.test(part);
}

function toStatement<C>(clause: string): Predicate<C> {
  const mentioned = MENTION.exec(clause)?.[1];
  if (mentioned !== undefined) return toMention(mentioned);
  const sought = TOPIC.exec(clause)?.[1] ?? SAYING.exec(clause)?.[1] ?? clause;
  return { kind: 'statement', statement: { frame: 'claim', sought } };
}

function toMention<C>(mentioned: string): Predicate<C> {
  const words = WORDS_THEMSELVES.exec(mentioned)?.[1];
  const quoted = QUOTED.exec(words ?? mentioned)?.[1];
  if (words !== undefined || quoted !== undefined) {
    return { kind: 'statement', statement: { frame: 'phrase', sought: quoted ?? words ?? mentioned } };
  }
  const [, one, other] = ALTERNATIVES.exec(mentioned) ?? [];
  if (one !== undefined && other !== undefined) return { kind: 'or', parts: [toMention(one), toMention(other)] };
  return { kind: 'statement', statement: { frame: 'mention', sought: mentioned } };
}
