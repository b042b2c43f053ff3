import { isEverydayWord } from '#libs/answering';
import {
  askForDefinition,
  isSubject,
  listOf,
  openGap,
  tidy,
  withCapital,
  withoutCapital,
  words,
  type Gap,
  type MadeQuestion,
} from './question-rules.js';

const NUMBERS = 'two|three|four|five|six|seven|eight|nine|ten|eleven|twelve';
const UNITS = 'seconds?|minutes?|hours?|days?|weeks?|months?|quarters?|years?';
const MONTHS =
  '(?:January|February|March|April|May|June|July|August|September|October|November|December)(?: \\d{1,2})?(?:,? \\d{4})?';
const DATES = `(?:\\d{1,2} )?${MONTHS}|(?:1[5-9]|20)\\d\\d|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?`;
const CLOCK = '(?:\\d{1,2}:\\d\\d|\\d{1,2} ?o’clock|\\d{1,2} ?(?:a\\.m|p\\.m|am|pm))';
const BODIES =
  '(?:[\\p{L}-]+ ){0,2}(?!further |other |another |number |order )(?:workshop|department|office|board|committee|council|team|company|head|court|staff|police|doctor|[\\p{L}-]{3,}(?:ers?|ors?|ists?|ians?|ants?))';
/** Not the noun of `£500 grants`, which is what is spoken of. */
const BEHIND_AMOUNT =
  /^(?:$|[^\p{L}]|(?:an?|per|each|every|plus|minus|with|without|for|in|on|at|from|of|by|to|as|if|when|while|before|after|until|since|during|within|under|over|through|including|excluding|inclusive|exclusive|net|gross|only|altogether|daily|weekly|monthly|quarterly|yearly|annually|more|less|and|or)(?!\p{L}))/u;

/** What is counted, with an adjective: `business days` in one piece, and no adjective without its noun. */
const COUNTED = `(?:(?:[\\p{Ll}-]+ )?(?:${UNITS})(?!\\p{L})|(?:[\\p{Ll}-]+ )??(?:[\\p{Ll}-]{2,}s|people|percent|children)(?!\\p{L}))`;
/** `bar`, `km` and other words without a plural, where no noun can follow. */
const MEASURE =
  '(?:[\\p{Ll}-]+(?=$|[^\\p{L}\\s-]| (?:an?|per|each|every|of|in|on|at|from|by|to|with|without|after|before|for|and|or|if|when|during) ))';

const GAPS: readonly Gap[] = [
  { pattern: words(`because .+`), ask: 'why' },
  { pattern: words(`in order to .+`), ask: 'for what purpose' },
  {
    pattern: words(
      `(?:every|each) (?:other |second |{N} )?(?:${UNITS})|(?:once|twice|{N} times) (?:a|an|per|every|each) (?:${UNITS})`,
      NUMBERS,
    ),
    ask: 'how often',
  },
  { pattern: words('daily|weekly|monthly|quarterly|yearly|annually'), ask: 'how often' },
  { pattern: words(`since (?:${DATES})`), ask: 'since when' },
  { pattern: words(`until (?:${DATES}|${CLOCK})`), ask: 'until when' },
  { pattern: words(`at ${CLOCK}`), ask: 'at what time' },
  { pattern: words(`(?:on|in|before|after) (?:the )?(?:${DATES})`), ask: 'when' },
  { pattern: words('[£$€]{N}(?: (?:thousand|million|billion))?', NUMBERS), ask: 'how much', follows: BEHIND_AMOUNT },
  {
    pattern: words(`(at|within|after|for|up to|below|above) {N} (${COUNTED}|${MEASURE})`, NUMBERS),
    ask: '$1 how many $2',
  },
  {
    pattern: words(`by (?:the|a|an|our|its) ${BODIES}(?: of (?:the |an? )?[\\p{L}-]+)?(?: \\p{Lu}[\\p{L}.-]*)*`),
    ask: 'by whom',
  },
  { pattern: words(`{N} (${COUNTED})`, NUMBERS), ask: 'how many $1' },
  { pattern: words('(?:in|at|near) \\p{Lu}\\p{Ll}+(?: \\p{Lu}\\p{Ll}+){0,2}$'), ask: 'where' },
];

const HELPERS = /^([^,;:()"]{3,120}?) (is|are|was|were|can|could|must|may|might|should|will|would|shall) (.{3,})$/u;
/** Verbs that are asked for with do: in the third person, and the plurals that are no nouns. */
const SINGULAR =
  'has costs takes lasts contains begins starts ends weighs opens closes applies requires includes receives pays needs uses covers holds measures runs works produces belongs consists depends grows reaches supports provides offers allows expires';
const PLURAL =
  'have cost take last contain begin start end weigh open close apply require include receive pay need use cover hold measure run work produce belong consist depend grow reach support provide offer allow expire';
const UNMISTAKABLE = 'have|contain|require|include|receive|need|begin|consist|belong|apply|pay';
const BASES = new Map(SINGULAR.split(' ').map((form, index) => [form, PLURAL.split(' ')[index]!]));
const VERBS = new RegExp(`^([^,;:()"]{3,120}?) (${[...BASES.keys()].join('|')}|${UNMISTAKABLE}) (.{3,})$`, 'u');

const NOT_FIRST = listOf(
  'it this that these those he she they we you i there here if when while although because however but and or so then thus such in on at for to from by with after before as since until during under over according its his her their what how why who where which please see note not also only another both one some north south east west today unlike like besides main key next current primary biggest latest starting beginning effective following owing due depending given having being thanks upon between among across despite within without throughout through towards per regarding concerning once unless last',
);
/** A determiner behind a noun begins another one: what is in front of it says when, and is no subject (“Last Monday the hall”). */
const SECOND_NOUN =
  /(?<=[\p{L}\p{N}])(?<! (?:of|in|on|at|for|to|from|by|with|and|or|over|under|between|all|both|half|near|above|below|behind|before|after|against|through|within|into|about|around|than|via|inside|outside|during|beside|beyond|along|across|without|towards?|upon|as|like|until|including|per)) (?:the|our|their|his|her|its|this|these|those) /u;
const NOT_WITHIN =
  / (?:that|which|who|whom|whose|when|if|because|where|not|and then) | (?:and|or|of|to|the|a|an|with|for|in) $/u;
const NOT_REMAINING =
  / (?:that|which|who|whom|whose|when|if|because|where|but|while|although|than|more|to (?=$)|and (?:is|are|was|were|can|cannot|could|must|may|might|should|will|would|does|do|has|have|not|\p{Ll}+s \d+)) | (?:and|or|to|of|the|a|an|about|than|of of|up) $/u;
const LOWERED = listOf('the a an every each all any no most many several our your up');

/** “The pump is serviced every 500 hours” → “How often is the pump serviced?” */
export function askInEnglish(sentence: string): MadeQuestion | undefined {
  const helped = HELPERS.exec(sentence);
  const [, head = '', verb = '', rest = ''] = helped ?? VERBS.exec(sentence) ?? [];
  if (verb === '' || !isSubject(head, NOT_FIRST, NOT_WITHIN) || SECOND_NOUN.test(` ${head.toLowerCase()} `))
    return undefined;
  const subject = withoutCapital(head, LOWERED, isEverydayWord);
  if ((verb === 'is' || verb === 'are') && /^(?:an?|the) /u.test(rest)) {
    const asked = /^\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)+$/u.test(subject) ? 'Who or what' : 'What';
    return askForDefinition(`${asked} ${verb} ${subject}?`, rest);
  }
  const opened = openGap(rest, GAPS, NOT_REMAINING);
  if (opened === undefined) return undefined;
  const base = BASES.get(verb);
  const core =
    helped === null
      ? `${base === undefined ? 'do' : 'does'} ${subject} ${base ?? verb} ${opened.remainder}`
      : `${verb} ${subject} ${opened.remainder}`;
  return { question: `${withCapital(opened.ask)} ${tidy(core)}?`, answer: opened.answer };
}
