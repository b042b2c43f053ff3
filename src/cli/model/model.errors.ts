/** Why a model cannot be installed or removed. The message says what to change. */
export class ModelError extends Error {
  /** What was downloaded so far is good: another run goes on from there. */
  readonly resumable: boolean;

  constructor(message: string, options?: ErrorOptions & { readonly resumable?: boolean }) {
    super(message, options);
    this.name = 'ModelError';
    this.resumable = options?.resumable ?? false;
  }
}
