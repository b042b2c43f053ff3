import { Readable, Writable } from 'node:stream';
import type { Connection, Submittable } from 'pg';

/** What a connection can do beside what its types say. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/** Rows are handed on in pieces of about this size, in bytes. */
const PIECE_BYTES = 64 * 1024;

/** The bytes of a `COPY … TO STDOUT`. Give it to `client.query` and read it to its end; then `rows` is their number. */
export class CopyOut extends Readable implements Submittable {
  rows = 0;
  private connection: Connection | undefined;
  private gathered: Buffer[] = [];
  private gatheredBytes = 0;

  constructor(private readonly sql: string) {
    super();
  }

  submit(connection: Connection): void {
    this.connection = connection;
    connection.query(this.sql);
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    // The protocol's reader uses its memory again.
    this.gathered.push(Buffer.from(chunk));
    this.gatheredBytes += chunk.length;
    if (this.gatheredBytes >= PIECE_BYTES && !this.handOn()) this.connection?.stream.pause();
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.rows = Number(text.split(' ').at(-1));
  }

  handleReadyForQuery(): void {
    if (this.destroyed) return;
    this.handOn();
    this.push(null);
  }

  handleError(error: Error): void {
    this.destroy(error);
  }

  override _read(): void {
    this.connection?.stream.resume();
  }

  /** The rest of the rows still comes, and is dropped. */
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.connection?.stream.resume();
    done(error);
  }

  private handOn(): boolean {
    const piece = Buffer.concat(this.gathered);
    this.gathered = [];
    this.gatheredBytes = 0;
    return this.destroyed || piece.length === 0 || this.push(piece);
  }
}

/** Takes the bytes of a `COPY … FROM STDIN`. Give it to `client.query` and write into it; it finishes when the server has all rows. */
export class CopyIn extends Writable implements Submittable {
  private connection: CopyConnection | undefined;
  private isAwaited = false;
  private waiting: (() => void) | undefined;
  private finished: (() => void) | undefined;

  constructor(private readonly sql: string) {
    super();
  }

  submit(connection: Connection): void {
    this.connection = connection as CopyConnection;
    connection.query(this.sql);
  }

  handleCopyInResponse(): void {
    if (this.destroyed) {
      this.connection?.sendCopyFail('The rows could not be read');
      return;
    }
    this.isAwaited = true;
    this.waiting?.();
    this.waiting = undefined;
  }

  handleCommandComplete(): void {
    this.isAwaited = false;
  }

  handleReadyForQuery(): void {
    this.finished?.();
  }

  handleError(error: Error): void {
    this.isAwaited = false;
    this.destroy(error);
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.whenAwaited((connection) => {
      connection.sendCopyFromChunk(chunk);
      if (connection.stream.writableNeedDrain) connection.stream.once('drain', done);
      else done();
    });
  }

  override _final(done: () => void): void {
    this.whenAwaited((connection) => {
      this.finished = done;
      connection.endCopyFrom();
    });
  }

  /** The server forgets the rows that it has. */
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (this.isAwaited) this.connection?.sendCopyFail('The rows could not be read');
    this.isAwaited = false;
    done(error);
  }

  private whenAwaited(work: (connection: CopyConnection) => void): void {
    const run = (): void => {
      if (this.connection !== undefined) work(this.connection);
    };
    if (this.isAwaited) run();
    else this.waiting = run;
  }
}
