import { WorldsError } from '@rdf-worlds/core';
import type { SeededRandom } from '../seeded-random.ts';
import { SIMULATED, type SimulatedNetwork } from './simulated-network.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Time within which the holder of a reservation must notice its turn, in milliseconds. */
const NOTICE_MS = 1000;
/** Maximum polling interval, in milliseconds. */
const LOOK_MS = 100;
/** Maximum wait for a reservation, in milliseconds. */
const LONGEST_WAIT_MS = 60_000;
/** Maximum number of retries of a failed call. */
const REPEATS = 3;
/** Delay before a retry, in milliseconds. */
const REPEAT_MS = 10;

/** What the storage knows of the reservations of one namespace. */
interface Turns {
  /** Number of the reservation whose turn it is, or will be. */
  turn: number;
  /** Number of reservations that were made; the number of the next one. */
  reservations: number;
  /** Deadline of the turn, by the clock of the storage. */
  untilMs: number;
}

/** The turns at one moment. */
interface SeenTurns {
  readonly turn: number;
  readonly isOver: boolean;
}

/**
 * The reservations that the storage of a run keeps, for all processes. Each method is atomic, like
 * a statement of a database, and its clock is the one of the storage.
 */
export class SimulatedTurns {
  private readonly time: VirtualTime;
  private readonly namespaces = new Map<string, Turns>();
  /** Number of turns that their holders have noticed. */
  taken = 0;
  /** Number of turns that others ended after their deadline. */
  expired = 0;
  /** Number of appends that were held up by a turn. */
  heldUp = 0;

  constructor(time: VirtualTime) {
    this.time = time;
  }

  /** A namespace has turns from its first append on. */
  appended(namespace: string): void {
    if (!this.namespaces.has(namespace)) this.namespaces.set(namespace, { turn: 0, reservations: 0, untilMs: 0 });
  }

  /** Whether the turn of another reservation than `mine` holds up an append. */
  holdsUp(namespace: string, mine: number | undefined): boolean {
    const turns = this.namespaces.get(namespace);
    return turns !== undefined && turns.turn < turns.reservations && turns.turn !== mine && !this.isOver(turns);
  }

  /** Makes a reservation. Returns its number and the turn; undefined if there is no namespace. */
  reserve(namespace: string, forMs: number): { mine: number; turn: number } | undefined {
    const turns = this.namespaces.get(namespace);
    if (!turns) return undefined;
    if (turns.turn >= turns.reservations) this.prolong(turns, forMs);
    return { mine: turns.reservations++, turn: turns.turn };
  }

  look(namespace: string): SeenTurns {
    const turns = this.namespaces.get(namespace)!;
    return { turn: turns.turn, isOver: this.isOver(turns) };
  }

  /** The holder of a reservation has seen that its turn has come. Returns false if it is over. */
  notice(namespace: string, mine: number, forMs: number): boolean {
    const turns = this.namespaces.get(namespace)!;
    if (turns.turn !== mine) return false;
    this.prolong(turns, forMs);
    return true;
  }

  /** Ends a turn; with `onlyIfOver`, only after its deadline. */
  pass(namespace: string, turn: number, { onlyIfOver }: { readonly onlyIfOver: boolean }): void {
    const turns = this.namespaces.get(namespace)!;
    if (turns.turn !== turn || (onlyIfOver && !this.isOver(turns))) return;
    if (onlyIfOver) this.expired++;
    turns.turn++;
    this.prolong(turns, NOTICE_MS);
  }

  private isOver({ untilMs }: Turns): boolean {
    return untilMs < this.time.nowMs;
  }

  private prolong(turns: Turns, forMs: number): void {
    turns.untilMs = this.time.nowMs + forMs;
  }
}

/** The reservations of one handle of a namespace, as a driver in the process of the handle. */
export class SimulatedReservations {
  private readonly namespace: string;
  private readonly turns: SimulatedTurns;
  private readonly network: SimulatedNetwork;
  private readonly random: SeededRandom;
  /** Number of the reservation that the handle holds. */
  private held: number | undefined;

  constructor(namespace: string, turns: SimulatedTurns, network: SimulatedNetwork) {
    this.namespace = namespace;
    this.turns = turns;
    this.network = network;
    this.random = network.random;
  }

  /**
   * Returns a test that an append sends along: whether the turn of another handle holds it up when
   * it takes effect.
   */
  condition(): () => boolean {
    const { namespace, turns, held } = this;
    return () => {
      const isHeldUp = turns.holdsUp(namespace, held);
      if (isHeldUp) turns.heldUp++;
      return isHeldUp;
    };
  }

  /** See `NamespaceStorage.reserve`. */
  async reserve(forMs: number): Promise<() => Promise<void>> {
    const { namespace, turns, random } = this;
    const untilMs = this.nowMs + LONGEST_WAIT_MS;
    const reserve = () => this.call('reserve', () => turns.reserve(namespace, forMs));
    for (let made = await reserve(); made; made = await reserve()) {
      const { mine } = made;
      let { turn } = made;
      let hasTurn = turn === mine;
      while (turn < mine) {
        await this.network.noticed(namespace, LOOK_MS * (0.5 + random.next()));
        const seen = await this.call('look at the turn', () => turns.look(namespace));
        turn = seen.turn;
        if (turn >= mine) break;
        if (seen.isOver) await this.pass(seen.turn, { onlyIfOver: true });
        if (this.nowMs > untilMs) throw new WorldsError('OVERLOADED', `Reserving ${namespace} took too long.`);
      }
      if (!hasTurn) hasTurn = await this.call('notice the turn', () => turns.notice(namespace, mine, forMs));
      // Otherwise it was noticed too late.
      if (!hasTurn) continue;
      this.held = mine;
      turns.taken++;
      return async () => {
        if (this.held === mine) this.held = undefined;
        // If that fails, the turn ends at its deadline.
        await this.pass(mine, { onlyIfOver: false }).catch(() => undefined);
      };
    }
    return async () => undefined;
  }

  /**
   * Waits for the end of another handle's turn, up to a second, and as long as `isAtHead` says that
   * the append was not overtaken. Returns false if the turn still holds the append up.
   */
  async wait(isAtHead: () => Promise<boolean>): Promise<boolean> {
    const { namespace, turns, random } = this;
    const untilMs = this.nowMs + NOTICE_MS;
    while (this.nowMs < untilMs) {
      await this.network.noticed(namespace, LOOK_MS * (0.2 + random.next()));
      const look = async () => turns.holdsUp(namespace, this.held) && (await isAtHead());
      const isHeldUp = await this.call('look at the turn', look);
      if (!isHeldUp) return true;
    }
    return false;
  }

  private async pass(turn: number, condition: { readonly onlyIfOver: boolean }): Promise<void> {
    const { namespace, turns, network } = this;
    await this.call('pass the turn', () => turns.pass(namespace, turn, condition));
    network.passed(namespace);
  }

  /** Calls the storage, and again if that fails: repeating a call that took effect is harmless. */
  private async call<Result>(what: string, apply: () => Result | Promise<Result>): Promise<Result> {
    const { namespace, network } = this;
    for (let repeats = 0; ; repeats++) {
      try {
        return await network.call({ what: `${what} of ${namespace}`, apply: async () => apply() });
      } catch (error) {
        const isSimulated = error instanceof Error && error.message.includes(SIMULATED);
        if (!isSimulated || repeats === REPEATS) throw error;
        await network.noticed(namespace, REPEAT_MS);
      }
    }
  }

  private get nowMs(): number {
    return this.network.nowMs;
  }
}
