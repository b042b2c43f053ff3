/** A value that is made when it is asked for first, and is the same for all who ask from then on; a failure is tried again by the next. */
export class Once<T> {
  private made: Promise<T> | undefined;

  constructor(private readonly make: () => Promise<T>) {}

  /** @throws what making it throws */
  read(): Promise<T> {
    this.made ??= this.make().catch((error: unknown) => {
      this.made = undefined;
      throw error;
    });
    return this.made;
  }
}
