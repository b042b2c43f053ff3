/** Everything that a client is answered, as it comes over the wire: status, headers and body. */
export class Overheard {
  readonly texts: string[] = [];
  private readonly waiting: Promise<unknown>[] = [];
  private readonly original = globalThis.fetch;

  start(url: string): void {
    globalThis.fetch = async (input, init) => {
      const response = await this.original(input, init);
      if (!response.url.startsWith(url)) return response;
      this.texts.push(`${response.url} ${response.status} ${JSON.stringify([...response.headers])}`);
      const body = response.clone().text();
      this.waiting.push(body.then((text) => this.texts.push(text)));
      return response;
    };
  }

  async stop(): Promise<void> {
    globalThis.fetch = this.original;
    await Promise.all(this.waiting);
  }
}
