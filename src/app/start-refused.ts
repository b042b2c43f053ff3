/** The service as it is put together cannot start. The message says why and what to change; the start prints it and nothing else. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}
