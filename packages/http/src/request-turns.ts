import type { Socket } from 'node:net';

/** The requests of one connection. */
interface Turns {
  isBusy: boolean;
  /** Whether an answer has said that it is the last one. */
  isOver: boolean;
  readonly waiting: (() => Promise<boolean>)[];
}

/**
 * Answers the requests of a connection one after the other, and bounds how many wait. RFC 9112
 * section 9.3.2: "A server MAY process a sequence of pipelined requests in parallel if they all
 * have safe methods", which ours have not. `node:http` parses all that came, and would begin
 * everything at the same time.
 */
export class RequestTurns {
  private readonly maxWaiting: number;
  private readonly connections = new WeakMap<Socket, Turns>();

  constructor(maxWaiting: number) {
    this.maxWaiting = maxWaiting;
  }

  /**
   * Runs a request when it is its turn. Closes a connection with more that wait than allowed: "A
   * client that pipelines requests SHOULD retry unanswered requests if the connection closes before
   * it receives all of the corresponding responses".
   *
   * @param run never rejects; gives whether the connection takes further requests
   */
  take(socket: Socket, run: () => Promise<boolean>): void {
    let turns = this.connections.get(socket);
    if (!turns) this.connections.set(socket, (turns = { isBusy: false, isOver: false, waiting: [] }));
    // RFC 9112 section 9.6, of an answer with the option `close`: "The server MUST NOT process any
    // further requests received on that connection."
    if (turns.isOver) return;
    if (!turns.isBusy) this.start(socket, turns, run);
    else if (turns.waiting.length < this.maxWaiting) turns.waiting.push(run);
    else {
      turns.waiting.length = 0;
      socket.destroy();
    }
  }

  private start(socket: Socket, turns: Turns, run: () => Promise<boolean>): void {
    turns.isBusy = true;
    run().then((takesMore) => {
      if (!takesMore) {
        turns.isOver = true;
        turns.waiting.length = 0;
      }
      if (turns.waiting.length === 0) turns.isBusy = false;
      // Short requests would otherwise follow each other without a look at other connections, for
      // as long as some wait.
      else setImmediate(() => this.startNext(socket, turns));
    });
  }

  private startNext(socket: Socket, turns: Turns): void {
    turns.isBusy = false;
    // What nobody would get an answer to is not begun.
    const next = socket.destroyed ? undefined : turns.waiting.shift();
    if (next) this.start(socket, turns, next);
  }
}
