import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Server, type Socket } from 'node:net';
import type { SeededRandom } from '@rdf-worlds/testkit';

/** What a network does to the connections of one client. */
export type Weather =
  | 'clear'
  /** Every piece arrives late, in order. */
  | 'slow'
  /** Connections are closed in both directions; new ones as well. */
  | 'closing'
  /** Connections are reset; new ones as well. */
  | 'resetting'
  /** The server's direction is closed: the client's statements arrive, and are not answered. */
  | 'half-closed'
  /** Statements arrive; answers are lost without a sign, now and later. */
  | 'deaf'
  /** Everything is lost without a sign, now and later. */
  | 'silent'
  /**
   * Nothing arrives before the weather clears, then everything does, also of closed connections.
   */
  | 'frozen';

export const WEATHERS: readonly Weather[] = ['slow', 'closing', 'resetting', 'half-closed', 'deaf', 'silent', 'frozen'];

const LONGEST_DELAY_MS = 40;

/** A connection of the client, and the one to the server that continues it. */
class Link {
  readonly client: Socket;
  readonly server: Socket;
  /** Directions that lose all that comes, for good. */
  losesRequests = false;
  losesAnswers = false;
  readonly #proxy: FaultyProxy;
  #requests: Promise<void> = Promise.resolve();
  #answers: Promise<void> = Promise.resolve();

  constructor(proxy: FaultyProxy, client: Socket, server: Socket) {
    this.#proxy = proxy;
    this.client = client;
    this.server = server;
    // Resets are what is tested.
    for (const socket of [client, server]) socket.on('error', () => undefined);
    client.on('data', (piece) => this.#carry('requests', piece));
    server.on('data', (piece) => this.#carry('answers', piece));
    client.on('end', () => this.#over('requests', (to) => to.end()));
    server.on('end', () => this.#over('answers', (to) => to.end()));
    client.on('close', () => this.#over('requests', (to) => to.destroy()));
    server.on('close', () => this.#over('answers', (to) => to.destroy()));
  }

  #carry(direction: 'requests' | 'answers', piece: Buffer): void {
    const isRequest = direction === 'requests';
    const arrived = isRequest ? this.#requests : this.#answers;
    const weather = this.#proxy.weather;
    this.weathered(weather);
    if (isRequest ? this.losesRequests : this.losesAnswers) return;
    const over = arrived
      .then(() => this.#proxy.passage())
      .then(() => void (isRequest ? this.server : this.client).write(piece));
    if (isRequest) this.#requests = over;
    else this.#answers = over;
  }

  /** Whether what is sent is lost in a direction. */
  get isLost(): boolean {
    return this.losesRequests || this.losesAnswers;
  }

  /** The other side hears of the end after what was sent before, or never. */
  #over(direction: 'requests' | 'answers', end: (to: Socket) => void): void {
    const isRequest = direction === 'requests';
    if (isRequest ? this.losesRequests : this.losesAnswers) return;
    const arrived = isRequest ? this.#requests : this.#answers;
    void arrived.then(() => this.#proxy.passage()).then(() => end(isRequest ? this.server : this.client));
  }

  weathered(weather: Weather): void {
    if (weather === 'silent') this.losesRequests = true;
    if (weather === 'silent' || weather === 'deaf') this.losesAnswers = true;
    if (weather === 'half-closed') {
      this.losesAnswers = true;
      this.client.end();
    }
    if (weather === 'resetting') this.client.resetAndDestroy();
    if (weather === 'closing') for (const socket of [this.client, this.server]) socket.destroy();
  }
}

/** A TCP proxy in front of a server's socket, with a network of its own. */
export class FaultyProxy {
  readonly #random: SeededRandom;
  readonly #server: Server;
  readonly #clients = new Set<Socket>();
  readonly #links = new Set<Link>();
  #weather: Weather = 'clear';
  #thaw: (() => void) | undefined;
  #frozen: Promise<void> | undefined;

  private constructor(path: string, random: SeededRandom) {
    this.#random = random;
    this.#server = createServer({ allowHalfOpen: true }, (client) => {
      client.on('error', () => undefined);
      this.#clients.add(client);
      client.on('close', () => this.#clients.delete(client));
      void this.#accepted(client, path);
    });
  }

  /** Continues a connection to the server, unless its first packets are lost. */
  async #accepted(client: Socket, path: string): Promise<void> {
    await this.#frozen;
    switch (this.#weather) {
      case 'silent':
      case 'deaf':
        return;
      case 'half-closed':
        client.end();
        return;
      case 'resetting':
        client.resetAndDestroy();
        return;
      case 'closing':
        client.destroy();
        return;
      default:
    }
    if (client.destroyed) return;
    const link = new Link(this, client, dial({ path, allowHalfOpen: true }));
    this.#links.add(link);
    link.server.on('close', () => this.#links.delete(link));
  }

  /** Starts a proxy to the socket at a path. */
  static async start(path: string, random: SeededRandom): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(path, random);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get address(): { host: string; port: number } {
    return { host: '127.0.0.1', port: (this.#server.address() as AddressInfo).port };
  }

  get weather(): Weather {
    return this.#weather;
  }

  set weather(weather: Weather) {
    this.#weather = weather;
    if (weather === 'frozen')
      this.#frozen ??= new Promise((resolve) => {
        this.#thaw = resolve;
      });
    else {
      this.#thaw?.();
      this.#frozen = undefined;
    }
    for (const link of this.#links) {
      link.weathered(weather);
      // The server learns from its next packet that the client is gone.
      if (weather === 'clear' && link.client.destroyed && link.isLost) link.server.destroy();
    }
  }

  /** Resolves when a piece may arrive. */
  async passage(): Promise<void> {
    await this.#frozen;
    if (this.#weather !== 'slow') return;
    await new Promise((resolve) => setTimeout(resolve, this.#random.below(LONGEST_DELAY_MS)));
  }

  async dispose(): Promise<void> {
    this.weather = 'clear';
    for (const client of this.#clients) client.destroy();
    for (const { server } of this.#links) server.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
