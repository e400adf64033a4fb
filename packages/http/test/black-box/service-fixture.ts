import { afterAll, beforeAll } from 'vitest';
import { expectSelectResults } from './answer-shapes.ts';
import type { Caller } from './callers.ts';
import { type Answered, type Asked, ask } from './exchange.ts';
import { type RunningServer, startServer } from './running-server.ts';

type Ask = (method: string, path: string, json?: unknown, more?: Partial<Asked>) => Promise<Answered>;

/** One service for the tests of a file, with worlds of their own for those that ask for them. */
export class ServiceFixture {
  server!: RunningServer;
  /** What the service's clock said last. */
  now = Date.UTC(2024, 0, 1);
  #made = 0;

  constructor() {
    beforeAll(async () => {
      this.server = await startServer({ engine: { clock: () => ++this.now } });
    });
    afterAll(() => this.server.close());
  }

  /** A name that no other test of the file has. */
  readonly freshName = (prefix: string): string => `${prefix}${++this.#made}`;

  /** A world of alpha, or of another namespace. */
  readonly freshWorld = async (data = '', namespace = 'alpha'): Promise<string> => {
    const slug = this.freshName('w');
    await this.server.engine.createWorld({ slug, namespace });
    if (data) await this.server.engine.import({ source: `${namespace}/${slug}`, data });
    return slug;
  };

  /** A namespace with worlds; only the admin may use it. */
  readonly freshNamespace = async (...slugs: string[]): Promise<string> => {
    const namespace = this.freshName('n');
    for (const slug of slugs) {
      await this.server.engine.createWorld({ slug, namespace });
      await this.server.engine.import({ source: `${namespace}/${slug}`, data: `<urn:s> <urn:p> "in ${slug}" .\n` });
    }
    return namespace;
  };

  /** All of a world, as N-Quads. */
  readonly data = async (source: string): Promise<string> =>
    new TextDecoder().decode(await this.server.engine.export({ source }));

  readonly as =
    (caller: Caller): Ask =>
    (method, path, json, more = {}) =>
      ask(this.server, { method, path, as: caller, json, ...more });

  readonly alice = this.as('alice');
  readonly admin = this.as('admin');
}

/** The values of `?o`, in order. */
export function objects(answer: Answered): string[] {
  return expectSelectResults(answer)
    .bindings.map(({ o }) => o.value)
    .sort();
}

export const ALL = 'SELECT ?o { ?s ?p ?o }';

export function base64(data: string | Uint8Array): string {
  return Buffer.from(data).toString('base64');
}
