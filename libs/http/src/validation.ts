import { Injectable, ValidationPipe, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { validate, type ValidationError, type ValidatorOptions } from 'class-validator';
import type { FieldProblem } from '#libs/common';
import { shapeOf, type DtoClass } from './dto-shape.js';
import { httpErrors } from './http.errors.js';
import { findUnknownFields, toDto } from './to-dto.js';

/** Most objects and lists within each other in a request. */
export const JSON_DEPTH_MAX = 32;

const TOLERANT = Symbol('tolerates unknown fields');

/**
 * Marks a body whose unknown fields are ignored instead of refused, since it is a superset of another product's protocol. `exceptIn` names the
 * fields that this service adds, within which unknown fields are refused.
 */
export const TolerateUnknownFields =
  (exceptIn: readonly string[] = []): ClassDecorator =>
  (target) => {
    Reflect.defineMetadata(TOLERANT, exceptIn, target);
  };

const OPTIONAL = Symbol('may be left out');

/** Marks a body that may be omitted and is then an empty object. */
export const OptionalBody = (): ClassDecorator => (target) => {
  Reflect.defineMetadata(OPTIONAL, true, target);
};

const RULES: ValidatorOptions = { forbidUnknownValues: true, validationError: { target: false, value: false } };

/** Bodies and queries against their DTO: 422 with a pointer for every problem. */
@Injectable()
export class RequestValidationPipe implements PipeTransform {
  /** For single values, which have no DTO. */
  private readonly values = new ValidationPipe({ transform: true });

  async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    // What cannot be an id in a path is simply not found.
    if (metadata.type === 'custom' || metadata.type === 'param') return value;
    const broken = findBrokenText(value, '');
    if (broken.length > 0) throw validationFailed(broken);
    const { metatype } = metadata;
    if (!isDto(metatype)) return this.values.transform(value, metadata);
    if (value === undefined && Reflect.getMetadata(OPTIONAL, metatype) === true) return this.transform({}, metadata);
    if (metadata.type === 'body' && !isPlainObject(value)) {
      if (value === undefined) throw httpErrors.malformed_json({ reason: 'it is empty' });
      throw validationFailed([{ pointer: '', code: 'is_object', detail: 'the body must be a JSON object' }]);
    }
    const isQuery = metadata.type === 'query';
    const unknown = isQuery ? refusedParameters(metatype, value as object) : refusedFields(metatype, value);
    const dto = toDto(metatype, value) as object;
    const collect = isQuery ? collectQueryProblems : collectProblems;
    const problems = [...unknown, ...collect(await validate(dto, RULES), value, '')];
    if (problems.length > 0) throw validationFailed(problems);
    return dto;
  }
}

/** 422 with the given problems; `detail` repeats the first of them, so that it alone says what to change. */
export function validationFailed(problems: readonly FieldProblem[]): Error {
  const shown = problems.slice(0, 3).map(sentenceOf);
  const more = problems.length > 3 ? ` (and ${problems.length - 3} more)` : '';
  return httpErrors.validation_failed({ summary: `${shown.join('; ')}${more}.` }, { errors: problems });
}

/** Where and what; the place alone where it is a field that the detail begins with. */
function sentenceOf({ pointer, detail }: FieldProblem): string {
  const text = detail.replace(/\.$/, '');
  return text.startsWith(`${pointer.slice(1)} `) ? text : `${pointer || 'body'}: ${text}`;
}

function isDto(metatype: ArgumentMetadata['metatype']): metatype is DtoClass {
  return metatype !== undefined && ![String, Number, Boolean, Array, Object].includes(metatype as never);
}

/** Problems for unknown fields, except for those that a body ignores. */
function refusedFields(metatype: DtoClass, value: unknown): FieldProblem[] {
  const strict = Reflect.getMetadata(TOLERANT, metatype) as readonly string[] | undefined;
  if (strict?.length === 0) return [];
  const unknown = findUnknownFields(metatype, value);
  return strict === undefined
    ? unknown
    : unknown.filter(({ pointer }) => strict.some((field) => pointer.startsWith(`/${field}/`)));
}

/** Parameters that the class of a query does not know; none where it tolerates them. */
function refusedParameters(metatype: DtoClass, query: object): FieldProblem[] {
  const isTolerant = Reflect.hasMetadata(TOLERANT, metatype);
  return isTolerant ? [] : unknownParameters(Object.keys(query), [...shapeOf(metatype).keys()]);
}

/** A problem for each name of a query that is not among those of its route, which it tells. */
export function unknownParameters(sent: readonly string[], declared: readonly string[]): FieldProblem[] {
  const known = declared.length === 0 ? 'no parameters' : declared.toSorted().join(', ');
  return sent
    .filter((name) => !declared.includes(name))
    .map((name) => ({
      pointer: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      code: 'whitelist_validation',
      detail: `${name || 'a parameter without a name'} is not a parameter of this route, which takes ${known}`,
    }));
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function collectProblems(errors: readonly ValidationError[], sent: unknown, parent: string): FieldProblem[] {
  return errors.flatMap(({ property, constraints = {}, children = [] }) => {
    // A list in a list that is checked as an object has no name of its own.
    if ((property as string | undefined) === undefined) {
      return Object.entries(constraints).map(([name, detail]) => ({ pointer: parent, code: snakeCase(name), detail }));
    }
    const pointer = `${parent}/${property.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!hasField(sent, property)) return [{ pointer, code: 'required', detail: `${property} is missing` }];
    const own = withoutConsequences(constraints, sent[property]).map(([name, detail]) => ({
      pointer,
      code: snakeCase(name),
      detail,
    }));
    return [...own, ...collectProblems(children, sent[property], pointer)];
  });
}

/** Which fields of a query are given more often than once although they are no lists, and all other problems. */
function collectQueryProblems(errors: readonly ValidationError[], sent: unknown, parent: string): FieldProblem[] {
  return errors.flatMap((error) => {
    const { property, constraints = {} } = error;
    const isRepeated = hasField(sent, property) && Array.isArray(sent[property]);
    const isOfLists = Object.entries(constraints).some(
      ([name, detail]) => name.startsWith('array') || isOfEach(detail),
    );
    return isRepeated && !isOfLists
      ? [{ pointer: `${parent}/${property}`, code: 'is_single', detail: `${property} must be sent once` }]
      : collectProblems([error], sent, parent);
  });
}

/** Rules that say of which type a value is. */
const TYPES = new Set(['isInt', 'isNumber', 'isString', 'isBoolean', 'isArray']);

/** A value of another type breaks the bounds of its field too, but only its type is to be changed. */
function withoutConsequences(constraints: Readonly<Record<string, string>>, sent: unknown): [string, string][] {
  const broken = Object.entries(constraints);
  // Digits too many for a number of a query, and numbers with a fraction, are measured.
  if (typeof sent === 'number' || (typeof sent === 'string' && /^-?\d{16,}$/.test(sent))) return broken;
  const type = broken.find(([name, detail]) => TYPES.has(name) && !isOfEach(detail));
  return type === undefined ? broken : [type];
}

/** Whether a rule is about the values of a list, as class-validator words it. */
function isOfEach(detail: string): boolean {
  return detail.startsWith('each value in ');
}

/** A field that is missing breaks each of its rules, but only one thing is to be done about it. */
function hasField(sent: unknown, name: string): sent is Readonly<Record<string, unknown>> {
  return typeof sent === 'object' && sent !== null && Object.hasOwn(sent, name);
}

/** `isInt` is `is_int`, and `isRFC3339` is `is_rfc3339`. */
function snakeCase(name: string): string {
  const parted = name.replace(/([a-z\d])([A-Z])/g, '$1_$2').replace(/([A-Z])([A-Z][a-z])/g, '$1_$2');
  return parted.toLowerCase();
}

/**
 * Problems of a JSON value that cannot be stored: NUL or half of a surrogate pair in texts and names of fields, which PostgreSQL refuses; numbers
 * beyond the range of a double, which JSON.parse makes infinite; nesting deeper than 32 levels.
 */
export function findBrokenText(value: unknown, pointer: string): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const visit = (inner: unknown, at: string, depth: number): void => {
    if (typeof inner === 'string') {
      const problem = brokenText(inner);
      if (problem) problems.push({ pointer: at, code: 'well_formed_text', detail: problem });
    } else if (typeof inner === 'number' && !Number.isFinite(inner)) {
      problems.push({ pointer: at, code: 'number_range', detail: 'must be a number between -1.8e308 and 1.8e308' });
    } else if (inner !== null && typeof inner === 'object' && depth >= JSON_DEPTH_MAX) {
      problems.push({
        pointer: at,
        code: 'max_depth',
        detail: `must not be nested deeper than ${JSON_DEPTH_MAX} levels`,
      });
    } else if (Array.isArray(inner)) {
      inner.forEach((item, index) => visit(item, `${at}/${index}`, depth + 1));
    } else if (inner !== null && typeof inner === 'object') {
      for (const [key, item] of Object.entries(inner)) {
        if (brokenText(key))
          problems.push({ pointer: at, code: 'well_formed_text', detail: 'a field name is not well-formed text' });
        visit(item, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth + 1);
      }
    }
  };
  visit(value, pointer, 0);
  return problems;
}

/** Why a text cannot be kept, or undefined. */
export function brokenText(text: string): string | undefined {
  if (text.includes('\u0000')) return 'must not contain NUL characters (U+0000)';
  if (!text.isWellFormed()) return 'must be well-formed Unicode (half of a surrogate pair found)';
  return undefined;
}
