import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Answer } from '../support/api-client.js';
import { resolveResponse, type Description, type DescribedResponse, type Operation } from './operations.js';

const DOCUMENT = 'https://example.com/openapi.json';

const FORMATS: Readonly<Record<string, RegExp | true>> = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  'uri-reference': /^\S+$/,
  date: /^\d{4}-\d\d-\d\d$/,
  uri: /^[a-z][a-z0-9+.-]*:\S+$/,
  email: /^[^@\s]+@[^@\s]+$/,
  password: true,
  binary: true,
};

/** Headers that say something of one answer, which clients read. */
const OWN_HEADERS = [
  'Accept-Ranges',
  'Allow',
  'Content-Disposition',
  'Content-Range',
  'Deprecation',
  'ETag',
  'Idempotency-Replayed',
  'Location',
  'Retry-After',
  'Set-Cookie',
  'Sunset',
  'WWW-Authenticate',
];

type Node = Record<string, unknown>;

/** Compares answers with the description: status, media type, headers, body. Fields that the description does not name count as wrong. */
export class SchemaCheck {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(private readonly description: Description) {
    for (const [name, format] of Object.entries(FORMATS)) this.ajv.addFormat(name, format);
    this.ajv.addSchema(closed(description) as Node, DOCUMENT);
  }

  /** Every point in which the answer is not one that the description allows for this operation. */
  problemsWith(operation: Operation, answer: Answer<unknown>): string[] {
    const described = operation.described.responses[String(answer.status)];
    if (described === undefined) return [`undocumented status ${answer.status}: ${JSON.stringify(answer.body)}`];
    const response = resolveResponse(this.description, described);
    return [...this.problemsOfHeaders(response, answer), ...this.problemsOfBody(response, answer)];
  }

  /** Problems of a value with a named schema; empty when it fits. */
  problemsOf(schema: object, value: unknown): string[] {
    const key = JSON.stringify(schema);
    const validate =
      this.validators.get(key) ?? this.ajv.compile(JSON.parse(key.replaceAll('"#/', `"${DOCUMENT}#/`)) as Node);
    this.validators.set(key, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      (error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
    );
  }

  private problemsOfHeaders(response: DescribedResponse, answer: Answer<unknown>): string[] {
    const described = Object.keys(response.headers ?? {});
    const unnamed = OWN_HEADERS.filter((name) => answer.headers.has(name) && !described.includes(name));
    return [...unnamed.map((name) => `undocumented header ${name}`), ...this.problemsOfNamedHeaders(response, answer)];
  }

  private problemsOfNamedHeaders(response: DescribedResponse, answer: Answer<unknown>): string[] {
    return Object.entries(response.headers ?? {}).flatMap(([name, header]) => {
      const reference = header['$ref'] as string | undefined;
      const resolved =
        reference === undefined ? header : this.description.components.headers[reference.split('/').at(-1)!]!;
      const value = answer.headers.get(name);
      if (value === null) return resolved['required'] === true ? [`header ${name} is missing`] : [];
      const schema = resolved['schema'] as Node;
      return this.problemsOf(schema, schema['type'] === 'string' ? value : Number(value)).map(
        (it) => `header ${name}: ${it}`,
      );
    });
  }

  private problemsOfBody(response: DescribedResponse, answer: Answer<unknown>): string[] {
    if (response.content === undefined) return answer.body === '' ? [] : ['a body where none is described'];
    const type = (answer.headers.get('content-type') ?? '').split(';', 1)[0]!.trim();
    const content = response.content[type] ?? response.content['*/*'];
    if (content === undefined) return [`undocumented media type "${type}"`];
    if (type === 'text/event-stream') {
      return eventsOf(String(answer.body)).flatMap((event) => this.problemsOf(content.schema, event));
    }
    return this.problemsOf(content.schema, answer.body);
  }
}

/** The fields of each event of a stream; comments are none. */
function eventsOf(stream: string): Record<string, string>[] {
  const blocks = stream.split('\n\n').map((block) => block.split('\n').filter((line) => /^[a-z]+:/.test(line)));
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => Object.fromEntries(lines.map((line) => line.split(/: ?(.*)/s, 2) as [string, string])));
}

/** The same description with every schema of named fields closed against others. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (value === null || typeof value !== 'object') return value;
  const node = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, closed(inner)]));
  const named = node['type'] === 'object' && typeof node['properties'] === 'object';
  return named && node['additionalProperties'] === undefined ? { ...node, additionalProperties: false } : node;
}
