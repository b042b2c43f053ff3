/** Words and openings that texts for readers do without: docs/glossary.md says what to write instead. */

/** In any place of a text. */
const BANNED = ['anew', 'so many', 'whoever', 'nobody', 'somebody', 'stands', 'goes by', 'of late'];
/** At the beginning of the description of a field, parameter or setting. */
const OPENINGS = ['How many', 'What it', 'Its ', 'Of '];

const ANYWHERE = new RegExp(`\\b(${BANNED.join('|')})\\b`, 'giu');
const AT_THE_BEGINNING = new RegExp(`^(${OPENINGS.join('|')})`, 'u');

/**
 * @typedef {object} Text
 * @property {string} place
 * @property {string} text
 * @property {boolean} isDescription Whether it describes one value.
 */

/** What a text says in banned words, as `place: word`. @param {Text} text */
export function bannedWords({ place, text, isDescription }) {
  const words = [...text.matchAll(ANYWHERE)].map(([word]) => word.toLowerCase());
  const [opening] = (isDescription ? AT_THE_BEGINNING.exec(text) : null) ?? [];
  return [...words, ...(opening === undefined ? [] : [`${opening.trim()} …`])].map((word) => `${place}: ${word}`);
}

/** Descriptions and summaries of an OpenAPI document with their JSON pointers. @param {unknown} value @returns {Text[]} */
export function descriptionsOf(value, pointer = '') {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    const place = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const isText = typeof part === 'string' && (key === 'description' || key === 'summary');
    if (isText) return [{ place, text: part, isDescription: key === 'description' }];
    return descriptionsOf(part, place);
  });
}

/** A field that may be null says what null means; the word `null` is looked for. */
const SAYS_NULL = /\bnull\b/iu;

/**
 * Fields of an OpenAPI document's schemas, and of objects within them, that lack a description, or may be null and do not say what that means.
 * A field that is nothing but a reference needs none: the schema that it names describes its own fields. Likewise, what a referenced schema
 * allows is its own matter. @param {unknown} schemas `components.schemas` @returns {string[]} `Schema.field: what is missing`
 */
export function undescribedFields(schemas) {
  return entriesOf(schemas).flatMap(([name, schema]) => fieldsWithout(name, schema));
}

/** @param {string} place @param {unknown} schema @returns {string[]} */
function fieldsWithout(place, schema) {
  const { properties, items, allOf, oneOf, anyOf } = partsOf(schema);
  const fields = entriesOf(properties).flatMap(([name, field]) => [
    ...missingOf(`${place}.${name}`, partsOf(field)),
    ...fieldsWithout(`${place}.${name}`, field),
  ]);
  const parts = [allOf, oneOf, anyOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const within = items === undefined ? parts : [items, ...parts];
  return [...fields, ...within.flatMap((part) => fieldsWithout(place, part))];
}

/** @param {string} place @param {Record<string, unknown>} field */
function missingOf(place, field) {
  if (Object.keys(field).length === 1 && '$ref' in field) return [];
  if (typeof field.description !== 'string' || field.description.trim() === '') return [`${place}: no description`];
  return allowsNull(field) && !SAYS_NULL.test(field.description) ? [`${place}: does not say what null means`] : [];
}

/** @param {Record<string, unknown>} schema @returns {boolean} */
function allowsNull({ nullable, type, enum: values, oneOf, anyOf }) {
  const isNamed = type === 'null' || (Array.isArray(type) && type.includes('null'));
  if (nullable === true || isNamed || (Array.isArray(values) && values.includes(null))) return true;
  return [oneOf, anyOf].some((list) => Array.isArray(list) && list.some((part) => allowsNull(partsOf(part))));
}

/** @param {unknown} value @returns {Record<string, unknown>} */
function partsOf(value) {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** @param {unknown} value */
const entriesOf = (value) => Object.entries(partsOf(value));

/** A page of Markdown without its code. @param {string} place @param {string} markdown @returns {Text} */
export function proseOf(place, markdown) {
  const text = markdown
    .replaceAll(/^(```|~~~)[\s\S]*?^\1/gmu, '')
    .replaceAll(/\]\([^)]*\)/gu, ']')
    .replaceAll(/`[^`\n]*`/gu, '');
  return { place, text, isDescription: false };
}

/** Lines of a source that hold a comment, without its code. @param {{ path: string, text: string }} source @returns {Text[]} */
export function commentsOf({ path, text }) {
  return text.split('\n').flatMap((line, index) => {
    const [, whole, behind] = /^\s*(?:(\/\*.*|\*.*|\/\/.*)|.*[;,{}()\]] \/\/ (.*))$/u.exec(line) ?? [];
    const comment = (whole ?? behind ?? '').replaceAll(/`[^`]*`/gu, '');
    return comment === '' ? [] : [{ place: `${path}:${index + 1}`, text: comment, isDescription: false }];
  });
}
