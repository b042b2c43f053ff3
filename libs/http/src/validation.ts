import {
  Injectable,
  ValidationPipe,
  type ArgumentMetadata,
  type PipeTransform,
  type ValidationError,
} from '@nestjs/common';
import type { FieldProblem } from '#libs/common';
import { httpErrors } from './http.errors.js';

const TOLERANT = Symbol('tolerates unknown fields');

/** Marks a body whose unknown fields are ignored instead of refused (a superset of somebody else's protocol). */
export const TolerateUnknownFields = (): ClassDecorator => (target) => {
  Reflect.defineMetadata(TOLERANT, true, target);
};

const OPTIONS = {
  transform: true,
  whitelist: true,
  forbidUnknownValues: true,
  validationError: { target: false, value: false },
  exceptionFactory: (errors: ValidationError[]) => validationFailed(collectProblems(errors, '')),
};

/** Bodies and queries against their DTO: 422 with a pointer for every problem. */
@Injectable()
export class RequestValidationPipe implements PipeTransform {
  private readonly strict = new ValidationPipe({ ...OPTIONS, forbidNonWhitelisted: true });
  private readonly tolerant = new ValidationPipe({ ...OPTIONS, forbidNonWhitelisted: false });

  async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    // What cannot be an id in a path is simply not found.
    if (metadata.type === 'custom' || metadata.type === 'param') return value;
    const broken = findBrokenText(value, '');
    if (broken.length > 0) throw validationFailed(broken);
    if (metadata.type === 'body' && !isPlainObject(value) && isDto(metadata.metatype)) {
      if (value === undefined) throw httpErrors.malformed_json({ reason: 'it is empty' });
      throw validationFailed([{ pointer: '', code: 'is_object', detail: 'the body must be a JSON object' }]);
    }
    const pipe = metadata.metatype && Reflect.getMetadata(TOLERANT, metadata.metatype) ? this.tolerant : this.strict;
    return pipe.transform(value, metadata);
  }
}

/** 422 with the given problems; the detail repeats them, so that a reader of `detail` alone knows what to change. */
export function validationFailed(problems: readonly FieldProblem[]): Error {
  const shown = problems.slice(0, 3).map((p) => `${p.pointer || 'body'}: ${p.detail}`);
  const more = problems.length > 3 ? ` (and ${problems.length - 3} more)` : '';
  return httpErrors.validation_failed({ summary: `${shown.join('; ')}${more}.` }, { errors: problems });
}

function isDto(metatype: ArgumentMetadata['metatype']): boolean {
  return metatype !== undefined && ![String, Number, Boolean, Array, Object].includes(metatype as never);
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function collectProblems(errors: readonly ValidationError[], parent: string): FieldProblem[] {
  return errors.flatMap((error) => {
    const pointer = `${parent}/${error.property.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const own = Object.entries(error.constraints ?? {}).map(([name, detail]) => ({
      pointer,
      code: snakeCase(name),
      detail,
    }));
    return [...own, ...collectProblems(error.children ?? [], pointer)];
  });
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * Where a value of JSON holds what cannot be kept: NUL or half a surrogate pair, names of fields included, which PostgreSQL refuses;
 * numbers beyond the range of a double, which JSON.parse makes infinite; nesting deeper than 64 levels.
 */
export function findBrokenText(value: unknown, pointer: string): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const visit = (inner: unknown, at: string, depth: number): void => {
    if (typeof inner === 'string') {
      const problem = brokenText(inner);
      if (problem) problems.push({ pointer: at, code: 'well_formed_text', detail: problem });
    } else if (typeof inner === 'number' && !Number.isFinite(inner)) {
      problems.push({ pointer: at, code: 'number_range', detail: 'must be a number between -1.8e308 and 1.8e308' });
    } else if (inner !== null && typeof inner === 'object' && depth > 64) {
      problems.push({ pointer: at, code: 'max_depth', detail: 'must not be nested deeper than 64 levels' });
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
