import { Slicer } from '../../contracts/slicer.ts';
import type { NamespaceStorage, Segment } from '../../contracts/storage.ts';
import type { TermId } from '../../contracts/term-source.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import type { TermTable } from '../../quads/term-table.ts';
import type { KeptVectors } from '../../search/kept-vectors.ts';
import { type ThinnedVectors, thinVectors } from './compact-vectors.ts';
import { decodeState, decodeVectors, encodeVectors, type VectorSegment } from './segments.ts';

/** The vectors that a checkpoint writes. Call `written` once it is complete. */
export interface VectorContents {
  readonly vectors: readonly VectorSegment[];
  readonly segments: readonly Segment[];
  readonly written: () => void;
}

/** Memory of a vector in addition to its components. */
const VECTOR_OVERHEAD = 128;

interface Made {
  readonly embedder: string;
  readonly dimensions: number;
  readonly literals: readonly TermId[];
  readonly vectors: readonly Float32Array[];
}

/**
 * The vectors that an embedder computed for the literals of a namespace. They are not part of
 * commits: a checkpoint writes the new ones, and after a crash unsaved vectors are computed again.
 * Stored vectors are read when the first search needs them.
 */
export class StoredVectors implements KeptVectors {
  private readonly namespace: string;
  private readonly storage: NamespaceStorage;
  private readonly onMade: (bytes: number) => void;
  private kept: readonly VectorSegment[];
  private made: Made[] = [];
  private opened: { readonly embedder: string; readonly dimensions: number } | undefined;
  private found = new Map<TermId, Float32Array>();
  /** Buffers of the vectors in `found`. */
  private foundIn: readonly Float32Array[] = [];
  /**
   * Segments without the vectors of freed literals, by the name of the original, until a checkpoint
   * contains them.
   */
  private thinned = new Map<string, ThinnedVectors>();

  /** @param onMade called with the number of bytes that were added to the next checkpoint */
  constructor(
    namespace: string,
    storage: NamespaceStorage,
    kept: readonly VectorSegment[],
    onMade: (bytes: number) => void,
  ) {
    this.namespace = namespace;
    this.storage = storage;
    this.kept = kept;
    this.onMade = onMade;
  }

  /** Whether there are vectors for the next checkpoint. */
  get isUnsaved(): boolean {
    return this.made.length > 0 || this.thinned.size > 0;
  }

  /** Memory of the vectors that were read but not taken, and of those not yet saved. */
  get byteLength(): number {
    let total = this.found.size * VECTOR_OVERHEAD;
    for (const { byteLength } of this.foundIn) total += byteLength;
    for (const { literals, dimensions } of this.made) total += literals.length * (4 * dimensions + VECTOR_OVERHEAD);
    return total;
  }

  async open(embedder: string, dimensions: number): Promise<void> {
    if (this.opened?.embedder === embedder && this.opened.dimensions === dimensions) return;
    const names = new Set(
      this.kept.filter((one) => one.embedder === embedder && one.dimensions === dimensions).map(({ name }) => name),
    );
    const found = new Map<TermId, Float32Array>();
    const checkpoint = names.size > 0 ? await this.storage.checkpoint() : undefined;
    const foundIn: Float32Array[] = [];
    const slicer = new Slicer();
    for (const segment of checkpoint?.segments ?? []) {
      if (!names.has(segment.name)) continue;
      const where = `the namespace ${this.namespace}, ${segment.name}`;
      const { literals, values } = await slicer.run(decodeVectors(await segment.read(), dimensions, where));
      foundIn.push(values);
      literals.forEach((literal, i) => {
        found.set(literal, values.subarray(i * dimensions, (i + 1) * dimensions));
      });
    }
    this.found = found;
    this.foundIn = foundIn;
    this.opened = { embedder, dimensions };
  }

  take(literal: TermId): Float32Array | undefined {
    const vector = this.found.get(literal);
    this.found.delete(literal);
    if (this.found.size === 0) this.foundIn = [];
    return vector;
  }

  keep(literals: readonly TermId[], vectors: readonly Float32Array[]): void {
    if (!this.opened) throw new Error('Vectors are kept of an embedder that was opened.');
    // Copied, because an embedder may reuse its arrays.
    this.made.push({ ...this.opened, literals, vectors: vectors.map((vector) => vector.slice()) });
    this.onMade(literals.length * (4 + 4 * this.opened.dimensions));
  }

  /** Drops the vectors of freed literals. The next checkpoint omits them. */
  async dropFreed(table: TermTable): Promise<void> {
    for (const literal of this.found.keys()) if (table.isFree(literal)) this.found.delete(literal);
    if (this.found.size === 0) this.foundIn = [];
    const kept = new Map(this.kept.map((segment) => [segment.name, segment]));
    const checkpoint = kept.size > 0 ? await this.storage.checkpoint() : undefined;
    for (const segment of checkpoint?.segments ?? []) {
      const dimensions = kept.get(segment.name)?.dimensions;
      if (dimensions === undefined) continue;
      const where = `the namespace ${this.namespace}, ${segment.name}`;
      const left = await thinVectors(segment, dimensions, table, where);
      if (left) this.thinned.set(segment.name, left);
    }
  }

  /**
   * Adopts the vector segments of the newest checkpoint, which another engine may have written.
   * Otherwise the next checkpoint would name deleted segments and lack those of the other engine.
   */
  async follow(): Promise<void> {
    const { segments = [] } = (await this.storage.checkpoint()) ?? {};
    const names = segments.map(({ name }) => name).filter((name) => name.startsWith('vectors-'));
    const known = new Set(this.kept.map(({ name }) => name));
    if (names.length === known.size && names.every((name) => known.has(name))) return;
    const state = segments.find(({ name }) => name.startsWith('state-'));
    const where = `the checkpoint of the namespace ${this.namespace}`;
    this.kept = state ? (await new Slicer().run(decodeState(await state.read(), this.namespace, where))).vectors : [];
    this.thinned = new Map([...this.thinned].filter(([name]) => names.includes(name)));
  }

  /**
   * Returns what a checkpoint writes now: existing segments by name, and a segment of new vectors
   * for each embedder.
   */
  contents(newId: () => string): VectorContents {
    const { thinned } = this;
    const renamed = new Map(Array.from(thinned.keys(), (name) => [name, `vectors-${newId()}`]));
    const kept = this.kept
      .filter(({ name }) => thinned.get(name)?.count !== 0)
      .map((segment) => ({ ...segment, name: renamed.get(segment.name) ?? segment.name }));
    const left = new Map(Array.from(thinned, ([name, { write }]) => [renamed.get(name), write]));
    const taken = this.made;
    const byEmbedder = new Map<string, Made[]>();
    for (const one of taken) {
      const key = `${one.dimensions} ${one.embedder}`;
      byEmbedder.set(key, [...(byEmbedder.get(key) ?? []), one]);
    }
    const added = Array.from(byEmbedder.values(), (parts) => {
      const [{ embedder, dimensions }] = parts;
      return { parts, segment: { name: `vectors-${newId()}`, embedder, dimensions } };
    });
    const vectors = [...kept, ...added.map(({ segment }) => segment)];
    return {
      vectors,
      segments: [
        ...kept.map(({ name }) => ({ name, write: left.get(name) ?? (() => this.missing(name)) })),
        ...added.map(({ parts, segment: { name } }) => ({
          name,
          write: async function* () {
            yield* await new Slicer().run(
              encodeVectors(
                parts.flatMap(({ literals }) => literals),
                parts.flatMap((part) => part.vectors),
              ),
            );
          },
        })),
      ],
      written: () => {
        this.kept = vectors;
        this.thinned = new Map([...this.thinned].filter(([name]) => !renamed.has(name)));
        this.made = this.made.slice(taken.length);
      },
    };
  }

  private missing(name: string): never {
    throw new WorldsError(
      'CONFLICT',
      `The segment ${name} of the namespace ${this.namespace} is not in its newest checkpoint, which another engine has written in the meantime. Write the checkpoint again.`,
    );
  }
}
