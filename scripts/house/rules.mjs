/** What breaks a rule of the house, as places in the sources. Each rule has a fixture that breaks it in test/architecture/house.spec.ts. */
import { basename, dirname } from 'node:path';
import ts from 'typescript';
import { importsOf, inModules, walk } from './sources.mjs';

/** @typedef {import('./sources.mjs').Source} Source */

const SMALL_LINES = 25;
/** A list of words may be long in few lines. */
const SMALL_CHARACTERS = 4_000;
/** Files of one kind that one file lists: detectors, probes, settings. */
const FAMILY = 6;
/**
 * A statement, or a part of one that reads tables of its own: a subselect, a `FROM`. A condition over columns of one table is none: repositories
 * of several modules share it, as that of who sees a dataset.
 */
const SQL =
  /^\s*(WITH\s+(RECURSIVE\s+)?\w+\s+AS\b|SELECT\s|FROM\s+\S+[\s\S]*\bWHERE\b|INSERT\s+INTO\b|UPDATE\s+\S+[\s\S]*\bSET\b|DELETE\s+FROM\b)|\(\s*SELECT\s/;
/** They declare a statement; where its text comes from is not seen at the call. */
const DECLARING = new Set(['statement', 'statementFamily']);
/** They write and run statements over the tables in documents, in an engine of their own: not over those of the service. */
const TABLE_STATEMENTS = /^src\/modules\/tables\/(engine|question-rules)\//;
const SHOWN = /\b(visible_generation|visible_chunk_set_id|quarantined_at|visibleGeneration|visibleChunkSetId)\b/;
/** They write what the columns say. */
const OWNERS_OF_SHOWN = /^(documents|content|indexing)$/;
/** The table of quarantines has a column `quarantined_at` of its own, and an answer a field: here that of a document is `d.quarantined_at`. */
const QUARANTINES = { home: /^src\/modules\/governance\/quarantine\//, own: /(?<!\bd\.)\bquarantined_at\b/g };
/** Files at the top of a module beside its door and face, by module. @param {readonly Source[]} sources */
export function looseFiles(sources) {
  const faces = /\/(index|[\w-]+\.(module|events|errors))\.ts$/;
  const loose = sources.filter(({ module, room, path }) => module !== '' && room === '' && !faces.test(path));
  return countBy(loose.map(({ module }) => module));
}

/** Libs that one module alone uses: they are rooms of it. @param {readonly Source[]} sources */
export function libsOfOneModule(sources) {
  /** @type {Map<string, Set<string>>} */
  const users = new Map();
  for (const source of sources) {
    const own = /^libs\/([^/]+)\//.exec(source.path)?.[1];
    for (const path of importsOf(source)) {
      const lib = /^libs\/([^/]+)\//.exec(path)?.[1];
      if (lib === undefined || lib === own) continue;
      const user = inModules(source) ? `src/modules/${source.module}` : source.path;
      users.set(lib, (users.get(lib) ?? new Set()).add(user));
    }
  }
  return [...users].flatMap(([lib, [user, ...more]]) =>
    more.length === 0 && user.startsWith('src/modules/') ? [`libs/${lib}: ${user}`] : [],
  );
}

/** Small files without a role. @param {readonly Source[]} sources */
export function smallWithoutRole(sources) {
  return sources.filter(({ lines, hasRole }) => lines <= SMALL_LINES && !hasRole).map(({ path }) => path);
}

/**
 * Small files without a role whose only user is their neighbour: they belong to it. Left alone are those of a family, what
 * doors and Nest's modules list, and what is loaded only when it is needed. @param {readonly Source[]} sources
 */
export function smallWithOneUser(sources) {
  /** @type {Map<string, Source[]>} */
  const users = new Map();
  for (const source of sources) {
    for (const path of new Set(importsOf(source))) users.set(path, [...(users.get(path) ?? []), source]);
  }
  const neighbourOf = (/** @type {Source} */ { path }) => {
    const [user, ...others] = users.get(path) ?? [];
    if (user === undefined || others.length > 0 || dirname(user.path) !== dirname(path)) return undefined;
    return /(^|\/)index\.ts$|\.module\.ts$/.test(user.path) || isLoadedLate(path, user) ? undefined : user.path;
  };
  const families = countBy(sources.map((source) => neighbourOf(source) ?? ''));
  const listing = new Set(families.filter(([, count]) => count >= FAMILY).map(([path]) => path));
  return sources
    .filter(({ lines, text, hasRole }) => lines <= SMALL_LINES && text.length <= SMALL_CHARACTERS && !hasRole)
    .flatMap((source) => {
      const user = neighbourOf(source);
      return user === undefined || listing.has(user) ? [] : [`${source.path}: ${user}`];
    });
}

/** @param {string} path @param {Source} user */
function isLoadedLate(path, { text }) {
  return text.includes(`import('./${basename(path).replace(/\.ts$/, '.js')}')`);
}

/** Files with SQL that are no repository; migrations are their own kind. @param {readonly Source[]} sources */
export function sqlOutsideRepositories(sources) {
  const others = sources.filter(
    (source) => inModules(source) && !source.path.endsWith('.repository.ts') && !TABLE_STATEMENTS.test(source.path),
  );
  const hasSql = (/** @type {Source} */ source) =>
    declaresStatements(source) || textsOf(source).some((text) => SQL.test(text));
  return others.filter(hasSql).map(({ path }) => path);
}

/** @param {Source} source */
function declaresStatements(source) {
  if (!/\bstatement(Family)?\b/.test(source.text)) return false;
  let isFound = false;
  walk(source.tree(), (node) => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && DECLARING.has(node.expression.text)) {
      isFound = true;
    }
  });
  return isFound;
}

/** Lines that spell whether something is shown, outside of those who own it. @param {readonly Source[]} sources */
export function spelledShown(sources) {
  const others = sources.filter((source) => inModules(source) && !OWNERS_OF_SHOWN.test(source.module));
  return others.flatMap(({ path, text }) => {
    const read = QUARANTINES.home.test(path) ? text.replace(QUARANTINES.own, '') : text;
    return read
      .split('\n')
      .flatMap((line, index) => (SHOWN.test(line) && !isComment(line) ? [`${path}:${index + 1}`] : []));
  });
}

/** Pairs of rooms of one module that need each other. @param {readonly Source[]} sources */
export function mutualRooms(sources) {
  const arrows = roomArrows(sources);
  return [...arrows].filter((arrow) => {
    const [from = '', to = ''] = arrow.split(' → ');
    return from < to && arrows.has(`${to} → ${from}`);
  });
}

/** Rooms that reach themselves through others. @param {readonly Source[]} sources */
export function roomsInCircles(sources) {
  /** @type {Map<string, string[]>} */
  const next = new Map();
  for (const arrow of roomArrows(sources)) {
    const [from = '', to = ''] = arrow.split(' → ');
    next.set(from, [...(next.get(from) ?? []), to]);
  }
  return [...next.keys()].filter((room) => reaches(next, room, room)).toSorted();
}

/** @param {ReadonlyMap<string, readonly string[]>} next @param {string} from @param {string} goal */
function reaches(next, from, goal) {
  const seen = new Set();
  const open = [...(next.get(from) ?? [])];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at === goal) return true;
    if (seen.has(at)) continue;
    seen.add(at);
    open.push(...(next.get(at) ?? []));
  }
  return false;
}

/** `documents/uploads → documents/record` for every import between rooms of one module. @param {readonly Source[]} sources */
function roomArrows(sources) {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const inRooms = sources.filter(({ room }) => room !== '');
  return new Set(
    inRooms.flatMap((source) =>
      importsOf(source).flatMap((path) => {
        const target = byPath.get(path);
        if (target === undefined || target.module !== source.module || target.room === '') return [];
        return target.room === source.room ? [] : [`${source.module}/${source.room} → ${target.module}/${target.room}`];
      }),
    ),
  );
}

/**
 * Values of the strings and templates of a source, with `?` for what is put in. Those of decorators describe: an example of a field is
 * no statement. @param {Source} source
 */
function textsOf(source) {
  /** @type {string[]} */
  const texts = [];
  /** @param {ts.Node} node */
  const look = (node) => {
    if (ts.isDecorator(node)) return;
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) texts.push(node.text);
    if (ts.isTemplateExpression(node)) {
      texts.push(node.head.text + node.templateSpans.map(({ literal }) => `?${literal.text}`).join(''));
    }
    ts.forEachChild(node, look);
  };
  look(source.tree());
  return texts;
}

/** Instructions to models, whose words are measured, and samples and lists of words. */
const NO_MESSAGES = /prompts?\.ts$|samples\.ts$|\/same-statement\.ts$/;

/**
 * Messages of a source: what it says to callers, operators and in the log, as texts for `bannedWords`. Names in double quotes are those of others.
 * @param {Source} source
 */
export function messagesOf(source) {
  if (NO_MESSAGES.test(source.path)) return [];
  return textsOf(source)
    .filter((text) => text.trim().includes(' '))
    .map((text) => ({ place: source.path, text: text.replaceAll(/"[^"]*"/g, ''), isDescription: false }));
}

/** @param {string} line */
function isComment(line) {
  return /^\s*(\*|\/\/|\/\*)/.test(line);
}

/** How often each word is in a list, most frequent first. @param {readonly string[]} words */
export function countBy(words) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a);
}
