import { WorldsError } from '@rdf-worlds/core';
import { type Head, type LogRecord, type NamespaceStorage, NO_HEAD, type Storage } from '@rdf-worlds/core/plugin';
import { type FileSystem, fileStorage } from '@rdf-worlds/storage-file';
import { SeededRandom } from '@rdf-worlds/testkit';

export const NAMESPACES = ['one', 'two'] as const;

/** What the program asked a namespace for (`asks`), and what it was promised (`has`). */
export type DriverMark = { readonly namespace: string } & (
  | { readonly asks: 'append'; readonly texts: readonly string[] }
  | { readonly has: 'append'; readonly head: Head }
  | { readonly asks: 'checkpoint'; readonly position: number; readonly content: string }
  | { readonly has: 'checkpoint' }
  | { readonly asks: 'truncate'; readonly position: number }
  | { readonly has: 'truncate' }
  | { readonly asks: 'drop' }
  | { readonly has: 'drop' }
  /** What a program finds that continues after another one. Texts before `logStart` are empty. */
  | {
      readonly has: 'state';
      readonly head: Head;
      readonly logStart: number;
      readonly texts: readonly string[];
      readonly checkpoint: string | undefined;
    }
);

export async function readTexts(namespace: NamespaceStorage, after: Head): Promise<string[]> {
  const texts: string[] = [];
  for await (const { data } of namespace.read(after)) texts.push(Buffer.from(data).toString());
  return texts;
}

/** A checkpoint as `position: content`. */
export async function checkpointText(namespace: NamespaceStorage): Promise<string | undefined> {
  const checkpoint = await namespace.checkpoint();
  if (!checkpoint) return undefined;
  const texts = await Promise.all(
    checkpoint.segments.map(async (segment) => Buffer.from(await segment.read()).toString()),
  );
  return `${checkpoint.at.position}: ${texts.join(' ')}`;
}

/** What a namespace is, as a mark. */
export async function stateOf(storage: Storage, name: string): Promise<DriverMark> {
  const namespace = storage.namespace(name);
  const head = await namespace.head();
  const checkpoint = await checkpointText(namespace);
  for (let logStart = 0; ; logStart++) {
    try {
      const texts = [
        ...Array<string>(logStart).fill(''),
        ...(head.position === 0 ? [] : await readTexts(namespace, { ...head, position: logStart })),
      ];
      return { namespace: name, has: 'state', head, logStart, texts, checkpoint };
    } catch (error) {
      if (!(error instanceof WorldsError && error.code === 'TRUNCATED')) throw error;
    }
  }
}

let made = 0;
export const recordOf = (text: string): LogRecord => ({
  id: (++made).toString(16).padStart(32, '0'),
  chunks: [Buffer.from(text)],
});

const SEGMENTS_OF = ['a', 'b', 'c'];

/**
 * Appends, checkpoints, truncations, drops and openings in two namespaces at once, by chance of the
 * seed.
 */
export async function driverProgram(
  seed: number,
  fileSystem: FileSystem,
  mark: (mark: DriverMark) => void,
  { rounds = 2, steps = 3, goesOn = false, path = '/data' } = {},
): Promise<void> {
  const random = new SeededRandom(seed);
  const options = { maxLogFileBytes: random.pick([1, 500, 3000, 2 ** 24]), maxOpenFiles: random.pick([1, 256]) };
  for (let round = 0; round < rounds; round++) {
    const storage = fileStorage({ path, fileSystem, ...options });
    await storage.open();
    if (goesOn && round === 0) for (const name of NAMESPACES) mark(await stateOf(storage, name));
    await Promise.all(
      NAMESPACES.map((name) => new Actor(storage, name, new SeededRandom(random.below(1e9)), mark).work(steps)),
    );
    await storage.close();
  }
}

/** Works in one namespace. */
class Actor {
  readonly #name: string;
  readonly #namespace: NamespaceStorage;
  readonly #random: SeededRandom;
  readonly #mark: (mark: DriverMark) => void;

  constructor(storage: Storage, name: string, random: SeededRandom, mark: (mark: DriverMark) => void) {
    this.#name = name;
    this.#namespace = storage.namespace(name);
    this.#random = random;
    this.#mark = mark;
  }

  async work(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) {
      const chance = this.#random.next();
      if (chance < 0.45) await this.#burst();
      else if (chance < 0.65) await this.#checkpoint();
      else if (chance < 0.75) await Promise.all([this.#checkpoint(), this.#burst()]);
      else if (chance < 0.92) await this.#truncate();
      else await this.#drop();
    }
  }

  /** Appends that are under way together. */
  async #burst(): Promise<void> {
    let head = await this.#namespace.head();
    if (head.position === 0) head = await this.#append(NO_HEAD);
    const appends: Promise<Head>[] = [];
    for (let left = this.#random.below(5); left > 0; left--) {
      const texts = this.#texts();
      appends.push(this.#append(head, texts));
      head = { ...head, position: head.position + texts.length };
    }
    await Promise.all(appends);
  }

  #texts(): string[] {
    return Array.from({ length: 1 + this.#random.below(3) }, () => {
      const bytes = this.#random.chance(0.01) ? 1_100_000 : this.#random.pick([0, 5, 100, 1500]);
      return this.#random
        .below(1e6)
        .toString(36)
        .padEnd(bytes, this.#random.pick(['x', 'y', 'z']));
    });
  }

  async #append(expected: Head, texts = this.#texts()): Promise<Head> {
    this.#mark({ namespace: this.#name, asks: 'append', texts });
    const head = await this.#namespace.append(expected, texts.map(recordOf));
    this.#mark({ namespace: this.#name, has: 'append', head });
    return head;
  }

  async #checkpoint(): Promise<void> {
    const head = await this.#namespace.head();
    if (head.position === 0) return;
    const newest = await this.#namespace.checkpoint();
    const kept = newest?.segments.filter(() => this.#random.chance(0.5)) ?? [];
    const names = [...new Set([...kept.map(({ name }) => name), `${this.#random.pick(SEGMENTS_OF)}${head.position}`])];
    const content = names.map((name) => segmentText(name, head)).join(' ');
    this.#mark({ namespace: this.#name, asks: 'checkpoint', position: head.position, content });
    await this.#namespace.writeCheckpoint(
      head,
      names.map((name) => ({ name, write: () => [Buffer.from(segmentText(name, head))] })),
    );
    this.#mark({ namespace: this.#name, has: 'checkpoint' });
  }

  async #truncate(): Promise<void> {
    const checkpoint = await this.#namespace.checkpoint();
    if (!checkpoint) return;
    const position = this.#random.chance(0.5) ? checkpoint.at.position : this.#random.below(checkpoint.at.position + 1);
    this.#mark({ namespace: this.#name, asks: 'truncate', position });
    await this.#namespace.truncate({ ...checkpoint.at, position });
    this.#mark({ namespace: this.#name, has: 'truncate' });
  }

  async #drop(): Promise<void> {
    this.#mark({ namespace: this.#name, asks: 'drop' });
    await this.#namespace.drop();
    this.#mark({ namespace: this.#name, has: 'drop' });
  }
}

/** One name, one content: as long as the incarnation lives. */
export const segmentText = (name: string, { incarnation }: Head): string =>
  `${name} of ${incarnation}`.padEnd(700, '.');
