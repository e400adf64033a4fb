import type { Socket } from 'node:net';
import { connectionCaller } from './connection-caller.ts';
import { FairQueue } from './fair-queue.ts';

/**
 * Short pieces of bodies received in one round of the event loop before reading stops. Node's
 * parser takes 2 microseconds for each, and a read buffer holds up to 11,000.
 */
const MAX_PIECES_A_ROUND = 2_000;
/** Pieces of one sender in such a round that do not make it take turns. */
const FREE_PIECES = 200;

/** Milliseconds between two turns, in which the event loop serves everyone else. */
const TURN_MS = 5;

/** The task queues of the process; replaced in tests. */
export interface TurnsHost {
  readonly setImmediate: (task: () => void) => void;
  readonly setTimeout: (task: () => void, ms: number) => void;
}

const PROCESS: TurnsHost = {
  setImmediate: (task) => void setImmediate(task),
  setTimeout: (task, ms) => void setTimeout(task, ms),
};

/**
 * Reads from connections in turns once their bodies come in short pieces, such as chunks of one
 * byte. Node reads every connection that has data in one round of the event loop, and parses all of
 * it. Once a round has received {@link MAX_PIECES_A_ROUND}, nothing more is read in it. Then the
 * connections of senders of more than {@link FREE_PIECES} take turns, one every {@link TURN_MS};
 * those of all other senders are read again in the next round.
 *
 * A sender is the caller of a connection's last request or, before its first one, an address.
 */
export class ReadTurns {
  private readonly host: TurnsHost;
  private readonly open = new Set<Socket>();
  /** Connections that are not read, and whether they are to be read afterwards. */
  private readonly held = new Map<Socket, boolean>();
  /** Those that this round has held. */
  private heldNow: Socket[] = [];
  /** Those whose senders take turns. */
  private readonly queue = new FairQueue<Socket>();
  private isInRound = false;
  private isTurnDue = false;
  /** Short pieces received in this round: all, and by sender. */
  private pieces = 0;
  private readonly senders = new Map<string, number>();
  /** The connection of the last piece, and how many of this round were its own in a row. */
  private last: Socket | undefined;
  private row = 0;

  constructor(host: TurnsHost = PROCESS) {
    this.host = host;
  }

  add(socket: Socket): void {
    this.open.add(socket);
    socket.once('close', () => {
      this.open.delete(socket);
      this.held.delete(socket);
    });
    // Node resumes a connection when a message wants more of its body, and behind its end.
    socket.on('resume', () => {
      if (!this.held.has(socket)) return;
      this.held.set(socket, true);
      socket.pause();
    });
  }

  /** Counts a short piece of a body. Returns false if the connection is not read any further. */
  receive(socket: Socket): boolean {
    if (socket !== this.last) this.endRow();
    this.last = socket;
    this.row++;
    this.pieces++;
    if (!this.isInRound) {
      this.isInRound = true;
      this.host.setImmediate(this.endRound);
    }
    if (this.pieces === MAX_PIECES_A_ROUND) this.hold(socket);
    return this.pieces < MAX_PIECES_A_ROUND;
  }

  private hold(current: Socket): void {
    for (const socket of this.open) {
      if (this.held.has(socket)) continue;
      // The message that is being parsed resumes its connection if it wants more.
      this.held.set(socket, socket !== current && !socket.isPaused());
      this.heldNow.push(socket);
      socket.pause();
    }
  }

  private endRow(): void {
    const { last, row, senders } = this;
    this.last = undefined;
    this.row = 0;
    if (last) senders.set(senderOf(last), (senders.get(senderOf(last)) ?? 0) + row);
  }

  private readonly endRound = (): void => {
    this.endRow();
    this.isInRound = false;
    if (this.heldNow.length > 0) this.sort();
    this.pieces = 0;
    this.senders.clear();
    if (this.queue.size > 0 && !this.isTurnDue) this.awaitTurn();
  };

  private awaitTurn(): void {
    this.isTurnDue = true;
    this.host.setTimeout(this.takeTurn, TURN_MS);
  }

  private readonly takeTurn = (): void => {
    this.isTurnDue = false;
    const next = this.queue.take();
    if (next) this.release(next);
    if (this.queue.size > 0) this.awaitTurn();
  };

  /** Queues what this round has held if its sender takes turns, and releases the rest. */
  private sort(): void {
    const { senders, queue, heldNow } = this;
    this.heldNow = [];
    const takesTurns = (sender: string) => queue.has(sender) || (senders.get(sender) ?? 0) > FREE_PIECES;
    for (const socket of heldNow) {
      const sender = senderOf(socket);
      if (takesTurns(sender)) queue.add(sender, socket);
      else this.release(socket);
    }
  }

  private release(socket: Socket): void {
    const isRead = this.held.get(socket);
    this.held.delete(socket);
    if (isRead) socket.resume();
  }
}

function senderOf(socket: Socket): string {
  return connectionCaller(socket) ?? `address ${socket.remoteAddress}`;
}
