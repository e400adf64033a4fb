import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { connectionCaller, setConnectionCaller } from './connection-caller.ts';
import { RequestStarts } from './request-starts.ts';

/** The pipelined requests of one connection. */
interface Turns {
  isBusy: boolean;
  /** True once an answer has closed the connection. */
  isOver: boolean;
  readonly waiting: WaitingRequest[];
  /** What the last answered request sent as credentials. */
  credentials: string;
}

interface WaitingRequest {
  readonly credentials: string;
  readonly run: RunRequest;
}

/** What became of a request. */
export interface Answered {
  /** True if the connection accepts further requests. */
  readonly takesMore: boolean;
  /** The name of the authenticated caller. */
  readonly caller: string | undefined;
}

/** Never rejects. */
export type RunRequest = () => Promise<Answered>;

/**
 * Answers the requests of a connection sequentially and limits how many wait. RFC 9112 section
 * 9.3.2 permits parallel processing only for safe methods: "A server MAY process a sequence of
 * pipelined requests in parallel if they all have safe methods". `node:http` would start all parsed
 * requests concurrently.
 */
export class RequestTurns {
  private readonly maxWaiting: number;
  private readonly starts = new RequestStarts();
  private readonly connections = new WeakMap<Socket, Turns>();

  constructor(maxWaiting: number) {
    this.maxWaiting = maxWaiting;
  }

  /**
   * Runs a request when its turn comes. Closes a connection with too many waiting requests: "A
   * client that pipelines requests SHOULD retry unanswered requests if the connection closes before
   * it receives all of the corresponding responses".
   */
  take(message: Pick<IncomingMessage, 'socket' | 'headers' | 'destroy'>, run: RunRequest): void {
    const { socket, headers } = message;
    let turns = this.connections.get(socket);
    if (!turns) this.connections.set(socket, (turns = newTurns()));
    // RFC 9112 section 9.6, about an answer with the option `close`: "The server MUST NOT process
    // any further requests received on that connection."
    if (turns.isOver) {
      // Node would destroy each of thousands with an error of its own, and format its stack.
      if (socket.destroyed) message.destroy();
      return;
    }
    const request = { credentials: headers.authorization ?? '', run };
    if (!turns.isBusy) this.start(socket, turns, request);
    else if (turns.waiting.length < this.maxWaiting) turns.waiting.push(request);
    else {
      turns.isOver = true;
      turns.waiting.length = 0;
      socket.destroy();
      message.destroy();
    }
  }

  private start(socket: Socket, turns: Turns, request: WaitingRequest): void {
    turns.isBusy = true;
    const { credentials } = request;
    const caller = turns.credentials === credentials ? connectionCaller(socket) : undefined;
    this.starts.start({ credentials, caller }, () => {
      // Requests of a closed connection are not started.
      if (!socket.destroyed) this.run(socket, turns, request);
    });
  }

  private run(socket: Socket, turns: Turns, { credentials, run }: WaitingRequest): void {
    run().then(({ takesMore, caller }) => {
      setConnectionCaller(socket, caller);
      turns.credentials = credentials;
      if (!takesMore) {
        turns.isOver = true;
        turns.waiting.length = 0;
      }
      if (turns.waiting.length === 0) turns.isBusy = false;
      // Lets other connections run between pipelined requests, which short ones would otherwise
      // starve.
      else setImmediate(() => this.startNext(socket, turns));
    });
  }

  private startNext(socket: Socket, turns: Turns): void {
    turns.isBusy = false;
    const next = turns.waiting.shift();
    if (next) this.start(socket, turns, next);
  }
}

function newTurns(): Turns {
  return { isBusy: false, isOver: false, waiting: [], credentials: '' };
}
