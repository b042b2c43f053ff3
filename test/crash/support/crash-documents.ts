import { createHash } from 'node:crypto';

/** A file whose first sentence is nowhere else. */
export interface CrashDocument {
  readonly name: string;
  readonly content: string;
  /** The first sentence, and as a query what finds it. */
  readonly sentence: string;
}

const SYLLABLES = ['ba', 'ce', 'di', 'fo', 'gu', 'la', 'me', 'ni', 'po', 'ru', 'sa', 'te', 'vi', 'xo', 'zu', 'ka'];
const WORDS = (
  'harbour ledger signal copper meadow archive lantern bridge current engine notice valley window report garden station ' +
  'measure winter supply paper journey keeper market timber channel record island wheel season number'
).split(' ');
const WORDS_PER_SENTENCE = 12;
const SENTENCES_PER_PARAGRAPH = 6;

/** The same name and size always give the same text. */
export function crashDocument(name: string, bytes: number): CrashDocument {
  const sentence = `The ${inventedWord(name)} keeper of ${inventedWord(`${name}/place`)} counts the lamps at dusk.`;
  const random = generator(name);
  const paragraphs = [sentence];
  for (let size = sentence.length; size < bytes; size += paragraphs.at(-1)!.length + 2) {
    paragraphs.push(Array.from({ length: SENTENCES_PER_PARAGRAPH }, () => makeSentence(random)).join(' '));
  }
  return { name: `${name}.txt`, content: `${paragraphs.join('\n\n')}\n`, sentence };
}

function makeSentence(random: () => number): string {
  const words = Array.from({ length: WORDS_PER_SENTENCE }, () => WORDS[Math.floor(random() * WORDS.length)]!);
  return `${words.join(' ')} ${Math.floor(random() * 100_000)}.`;
}

/** A word that no other seed has. */
function inventedWord(seed: string): string {
  const hash = createHash('sha256').update(seed).digest('hex');
  return Array.from(hash.slice(0, 7), (digit) => SYLLABLES[parseInt(digit, 16)]!).join('');
}

/** Numbers from 0 to 1 that repeat themselves for the same seed (mulberry32). */
export function generator(seed: string): () => number {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0);
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
