import type { GraphVariant } from './graph-answers.js';

/** How a citation marker may go wrong in an answer. */
export const MARKER_VARIANTS = [
  'wrong',
  'doubled',
  'out_of_range',
  'split',
  'inside_character',
  'fenced',
  'none',
] as const;
export type MarkerVariant = (typeof MARKER_VARIANTS)[number];

/** What a double does with a request instead of answering as it should. */
export type Fault =
  /** An answer about the entities of a passage goes wrong; other requests are answered well. */
  | { readonly kind: 'graph'; readonly variant: GraphVariant }
  /** An error of HTTP; with `echoesKey` its words and its headers hold the key of the request. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly retryAfter?: string;
      readonly message?: string;
      readonly echoesKey?: boolean;
    }
  /** The connection ends without an answer. */
  | { readonly kind: 'drop' }
  /** Nothing is answered, and the connection stays open. */
  | { readonly kind: 'silent' }
  /** A stream ends after some pieces: as if it were complete, or with a broken connection. */
  | { readonly kind: 'cut'; readonly after: number; readonly how: 'ended' | 'broken' }
  /** A stream goes on no more after some pieces. */
  | { readonly kind: 'stall'; readonly after: number }
  /** An error in the middle of a stream, as providers write it. */
  | { readonly kind: 'stream_error'; readonly after: number; readonly message: string }
  | { readonly kind: 'malformed' }
  /** A stream that says the same again and again, whatever it was asked to stop at. */
  | { readonly kind: 'endless'; readonly text: string }
  /** The answer begins later. */
  | { readonly kind: 'slow'; readonly ms: number }
  | { readonly kind: 'wrong_dimension' }
  | { readonly kind: 'nan' }
  | { readonly kind: 'fewer' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'tool_call' }
  | { readonly kind: 'content_filter'; readonly after: number }
  | { readonly kind: 'no_usage' }
  | { readonly kind: 'markers'; readonly variant: MarkerVariant }
  /** The answer of a chat, word for word. */
  | { readonly kind: 'text'; readonly text: string };
