/** What one cue of a transcript says, turn by turn. */
export interface CuePart {
  readonly text: string;
  /** Undefined: no one is named, so anyone who spoke before goes on. */
  readonly speaker?: string;
  /** Another person speaks, named or not. */
  readonly isTurn: boolean;
}

const MAX_SPEAKER_UNITS = 60;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
  quot: '"',
  apos: "'",
  lrm: '',
  rlm: '',
};
/** `MAYA LINDQVIST:`, `Tomas Reyes (Finance):` before what someone says: words that begin with capitals, without a sentence before. */
const NAMED =
  /^(\p{Lu}[\p{L}\p{M}\p{N}.'’()-]*(?: (?:\p{Lu}|\(|\d|de |van |von |der |da |di |du |la |le |al-)[\p{L}\p{M}\p{N}.'’()-]*){0,5})\s?: +(?=\S)/u;

/** Reads the lines of a cue: tags and styles go, names of speakers are told apart. */
export function readCue(lines: readonly string[]): CuePart[] {
  const parts: CuePart[] = [];
  for (const line of lines) {
    for (const part of partsOf(line)) {
      const last = parts.at(-1);
      if (last === undefined || part.isTurn) parts.push(part);
      else parts[parts.length - 1] = { ...last, text: `${last.text} ${part.text}` };
    }
  }
  return parts;
}

function* partsOf(line: string): Generator<CuePart> {
  // Voices of WebVTT: each opens a turn, closed or not.
  for (const [at, piece] of line.split(/<v(?=[\s.>])/i).entries()) {
    const close = piece.indexOf('>');
    const voice = at > 0 && close >= 0 ? nameOf(piece.slice(0, close)) : undefined;
    const text = plain(at > 0 && close >= 0 ? piece.slice(close + 1) : piece);
    if (text === '') continue;
    if (voice === undefined) yield ofText(text);
    else yield { text, isTurn: true, ...(voice !== '' && { speaker: voice }) };
  }
}

/** `.loud Maya` of `<v.loud Maya>`. */
function nameOf(annotation: string): string {
  return plain(annotation.replace(/^\.\S*/, '')).slice(0, MAX_SPEAKER_UNITS);
}

function ofText(text: string): CuePart {
  const turn = /^(?:>>|[-–—])\s*/.exec(text);
  const words = turn === null ? text : text.slice(turn[0].length);
  const name = NAMED.exec(words);
  if (name === null || name[1]!.length > MAX_SPEAKER_UNITS) return { text: words, isTurn: turn !== null };
  return { text: words.slice(name[0].length), speaker: name[1]!, isTurn: true };
}

/** Words without tags, places on the picture and entities. */
function plain(text: string): string {
  return text
    .replace(/<\/?[a-z\d][^<>]{0,200}>/gi, '')
    .replace(/\{\\[^{}]{0,60}\}/g, '')
    .replace(/&([a-z]{2,5});/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replace(/\s+/g, ' ')
    .trim();
}
