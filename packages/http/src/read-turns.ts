import type { Socket } from 'node:net';
import { connectionCaller } from './connection-caller.ts';
import { FairQueue } from './fair-queue.ts';

/**
 * Work of receiving bodies in one round of the event loop before reading stops. A piece of a body
 * is one unit, for which Node's parser takes 2 microseconds: a read buffer of chunks of one byte
 * holds up to 11,000.
 */
const MAX_WORK_A_ROUND = 1_000;
/** Copying this many bytes, from the kernel and out of the read buffer, is one unit more. */
const BYTES_A_UNIT = 4096;
/** Work for one sender in such a round that does not make it take turns. */
const FREE_WORK = 200;

/**
 * Milliseconds from one turn to the next: at least, and for each unit of work of the last round.
 * That is up to twice what a unit takes: everyone else is served for about as long as the turn
 * lasted.
 */
const MIN_TURN_MS = 5;
const TURN_MS_A_UNIT = 0.004;

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
 * Reads from connections in turns once receiving their bodies is much work: many chunks of one
 * byte, or dozens of large uploads. Node reads every connection that has data in one round of the
 * event loop, up to 2 MiB of each, and parses all of it. Once a round has done
 * {@link MAX_WORK_A_ROUND}, nothing more is read in it. Then the connections of senders of more
 * than {@link FREE_WORK} take turns, at least {@link MIN_TURN_MS} apart: as many at a time as that
 * round would have read for {@link FREE_WORK}, at least one. Those of all other senders are read
 * again in the next round.
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
  /** Connections that are read in a turn; about {@link FREE_WORK}. */
  private readATurn = 1;
  private turnMs = MIN_TURN_MS;
  private isFull = false;
  /** Work of this round: all, and by sender. */
  private work = 0;
  private readonly senders = new Map<string, number>();
  /** The connection of the last piece, and the work of this and those before it in a row. */
  private last: Socket | undefined;
  private row = 0;
  /** Number of such rows in this round. */
  private rows = 0;

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

  /**
   * Counts a piece of a body, of this length in bytes. Returns false if the connection is not read
   * any further.
   */
  receive(socket: Socket, length: number): boolean {
    const work = 1 + Math.floor(length / BYTES_A_UNIT);
    if (socket !== this.last) this.endRow();
    this.last = socket;
    this.row += work;
    this.work += work;
    if (!this.isInRound) {
      this.isInRound = true;
      this.host.setImmediate(this.endRound);
    }
    if (!this.isFull && this.work >= MAX_WORK_A_ROUND) this.hold(socket);
    return !this.isFull;
  }

  private hold(current: Socket): void {
    this.isFull = true;
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
    if (!last) return;
    this.rows++;
    const sender = senderOf(last);
    senders.set(sender, (senders.get(sender) ?? 0) + row);
  }

  private readonly endRound = (): void => {
    this.endRow();
    this.isInRound = false;
    if (this.heldNow.length > 0) this.sort();
    if (this.isFull) this.readATurn = Math.max(1, Math.floor((FREE_WORK * this.rows) / this.work));
    this.isFull = false;
    this.turnMs = Math.max(MIN_TURN_MS, this.work * TURN_MS_A_UNIT);
    this.work = this.rows = 0;
    this.senders.clear();
    if (this.queue.size > 0 && !this.isTurnDue) this.awaitTurn();
  };

  private awaitTurn(): void {
    this.isTurnDue = true;
    this.host.setTimeout(this.takeTurn, this.turnMs);
  }

  private readonly takeTurn = (): void => {
    this.isTurnDue = false;
    for (let left = Math.min(this.readATurn, this.queue.size); left > 0; left--) this.release(this.queue.take()!);
    if (this.queue.size > 0) this.awaitTurn();
  };

  /** Queues what this round has held if its sender takes turns, and releases the rest. */
  private sort(): void {
    const { senders, queue, heldNow } = this;
    this.heldNow = [];
    const takesTurns = (sender: string) => queue.has(sender) || (senders.get(sender) ?? 0) > FREE_WORK;
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
