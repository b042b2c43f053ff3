import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { httpErrors, IMPORT_BODY_BYTES, readBody, SMALL_BODY_BYTES, validationFailed } from '#libs/http';
import type { IdentifiedRequest } from '#libs/tenancy';

/** Reads CSV at the routes of case sets as the field `csv` of their JSON body, beside what the query names. CSV anywhere else is 415. */
export function readCsvCaseSets(fastify: FastifyInstance, path: string, seconds: number): void {
  fastify.addContentTypeParser('text/csv', async (request: FastifyRequest & IdentifiedRequest) => {
    const { url = '' } = request.routeOptions;
    if (url !== path && !url.startsWith(`${path}/`))
      throw httpErrors.media_type_not_supported({ expected: 'application/json' });
    const declared = request.headers['content-length'];
    const length = declared === undefined ? undefined : Number(declared);
    const bytes = request.kbIdentity === undefined ? SMALL_BODY_BYTES : IMPORT_BODY_BYTES;
    const csv = await readBody(request.raw, length, { bytes, seconds });
    if (!isUtf8(csv)) throw validationFailed([{ pointer: '/csv', code: 'utf8', detail: 'the CSV must be in UTF-8' }]);
    return { ...fieldsOf(request.query), csv: csv.toString('utf8') };
  });
}

/** `dataset_ids` may be given more than once, or parted by commas. */
function fieldsOf(query: unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query ?? {}).map(([name, value]: [string, unknown]) => [
      name,
      name === 'dataset_ids' ? [value].flat().flatMap((ids) => String(ids).split(',')) : value,
    ]),
  );
}
