import { countTokens } from '#libs/text';
import { HashingEmbedder } from '../../builtin/hashing-embedder.js';
import { LexicalReranker } from '../../builtin/lexical-reranker.js';
import { NOT_ANSWERED } from '../../prompt/source-prompt.js';
import { MARKER_VARIANTS, type MarkerVariant } from './fault.js';

export interface DoubleSource {
  readonly number: number;
  readonly text: string;
}

const embedder = new HashingEmbedder();
const reranker = new LexicalReranker();

/** Vectors that are near where texts share words, of any length; not of length 1, as those of some providers are not. */
export async function embedAsDouble(texts: readonly string[], dimensions: number): Promise<number[][]> {
  const { vectors } = await embedder.embed(texts, 'document');
  return vectors.map((vector) => {
    const folded = new Array<number>(dimensions).fill(0);
    vector.forEach((value, at) => (folded[at % dimensions]! += 3 * value));
    return folded;
  });
}

/** A score from 0 to 1 for each document, in their order. */
export async function rerankAsDouble(query: string, documents: readonly string[]): Promise<number[]> {
  const named = documents.map((text, at) => ({ id: String(at), text }));
  const ranked = (await reranker.rerank(query, named)).documents;
  return named.map(({ id }) => ranked.find((one) => one.id === id)!.score);
}

export function tokensOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + countTokens(text), 0);
}

/** The first sentence of the source that shares most words with the question, cited; the refusing word where none shares any. */
export async function answerAsDouble(
  question: string,
  sources: readonly DoubleSource[],
): Promise<{ readonly text: string; readonly number: number } | undefined> {
  const scores = await rerankAsDouble(
    question,
    sources.map(({ text }) => text),
  );
  const best = sources.map((source, at) => ({ source, score: scores[at]! })).sort((a, b) => b.score - a.score)[0];
  if (best === undefined || best.score === 0) return undefined;
  const { number, text } = best.source;
  return { number, text: (/^[\s\S]*?[.!?。](?=\s|$)/u.exec(text)?.[0] ?? text).trim() };
}

export const REFUSAL = NOT_ANSWERED;

/** The answer with its marker, well or as a variant says. */
export function withMarker(text: string, number: number, sources: number, variant: MarkerVariant | undefined): string {
  const right = `[${number}]`;
  switch (variant) {
    case 'wrong':
      return `${text} [${(number % Math.max(2, sources)) + 1}]`;
    case 'doubled':
      return `${text} ${right}${right}${right}`;
    case 'out_of_range':
      return `${text} [${sources + 7}] [0] ${right}`;
    case 'inside_character':
      return `${text} ä🚀 ${right}`;
    case 'fenced':
      return `\`\`\`\n${text} ${right}\n\`\`\``;
    case 'none':
      return text;
    default:
      return `${text} ${right}`;
  }
}

/** Each seed has its own answer: four of five are right, the fifth is one of the variants in turn. */
export function variantOfSeed(seed: number): MarkerVariant | undefined {
  return seed % 5 === 0 ? MARKER_VARIANTS[Math.floor(seed / 5) % MARKER_VARIANTS.length] : undefined;
}

/** Words with the space before them, each a token of the double; `split` takes markers apart. */
export function piecesOf(text: string, variant: MarkerVariant | undefined): string[] {
  const words = text.match(/\s*\S+|\s+$/gu) ?? [];
  if (variant !== 'split') return words;
  return words.flatMap((word) => (/\[\d+\]/.test(word) ? [...word] : [word]));
}
