/** The pieces of a request's body, as a server received them: no limits, no decoding. */
export interface BodySource {
  /** Number of pieces that have arrived. */
  readonly pieces: number;
  /** Returns the next bytes; undefined at the end. Rejects if the body was cut off. */
  read(): Promise<Uint8Array | undefined>;
  /**
   * Stops receiving; a pending `read` rejects with the reason. The rest of the body stays unread,
   * and the server decides about its connection.
   */
  stop(reason: Error): void;
}

/** The source of a body that is in memory already. */
export class WholeBody implements BodySource {
  readonly pieces = 1;
  private bytes: Uint8Array | undefined;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  async read(): Promise<Uint8Array | undefined> {
    const { bytes } = this;
    this.bytes = undefined;
    return bytes;
  }

  stop(): void {
    this.bytes = undefined;
  }
}
