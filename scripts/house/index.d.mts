/** Types of the rules for the specs, which are TypeScript. What each does is said where it is defined. */
export interface Source {
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  readonly isSpec: boolean;
  readonly hasRole: boolean;
  readonly module: string;
  readonly room: string;
}

export interface Text {
  readonly place: string;
  readonly text: string;
  readonly isDescription: boolean;
}

type Rule = (sources: readonly Source[]) => string[];

export const ROOT: string;
export function sourceOf(path: string, text: string): Source;
export function readSources(): Source[];

export function looseFiles(sources: readonly Source[]): [module: string, files: number][];
export const injectableWithoutRole: Rule;
export const needlessWithoutRole: Rule;
export const WITHOUT_ROLE: Readonly<Record<string, string>>;
export const unknownProviderDecorators: Rule;
export const impureWithoutRole: Rule;
export const needlessImpure: Rule;
export const IMPURE_WITHOUT_ROLE: Readonly<Record<string, string>>;
export const smallWithoutRole: Rule;
export const libsOfOneModule: Rule;
export const smallWithOneUser: Rule;
export const sqlOutsideRepositories: Rule;
export const spelledShown: Rule;
export const promisesAndCallbacks: Rule;
export const mutualRooms: Rule;
export const roomsInCircles: Rule;
export function countBy(words: readonly string[]): [word: string, count: number][];

export function bannedWords(text: Text): string[];
export function commentsOf(source: Pick<Source, 'path' | 'text'>): Text[];
export function messagesOf(source: Source): Text[];
export function descriptionsOf(value: unknown): Text[];
export function undescribedFields(schemas: unknown): string[];
export function proseOf(place: string, markdown: string): Text;

export function readMoves(list: string, files: readonly string[]): Map<string, string>;
export function mendPaths(
  path: string,
  text: string,
  moves: ReadonlyMap<string, string>,
  exists: (path: string) => boolean,
): string;
