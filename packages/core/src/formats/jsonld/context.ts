import type { IriBase } from '../../model/iri.ts';

/** A parsed JSON object. A Map, so that no member name is special. */
export type JsonObject = ReadonlyMap<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return value instanceof Map;
}

/** The definition of a term in a context (JSON-LD 1.1 API section 4.2). */
export interface TermDefinition {
  /** An IRI, a blank node identifier or a keyword; null for a term explicitly mapped to nothing. */
  readonly iri: string | null;
  readonly prefix: boolean;
  readonly protected: boolean;
  readonly reverse: boolean;
  readonly type?: string;
  readonly language?: string | null;
  readonly direction?: 'ltr' | 'rtl' | null;
  readonly container: ReadonlySet<string>;
  readonly index?: string;
  readonly nest?: string;
  /** The context scoped to the term; undefined if there is none, null if it is `null`. */
  readonly context?: unknown;
  /** The base for URLs in `context`. */
  readonly baseUrl?: IriBase;
}

/**
 * The terms added by a context on top of those of the enclosing contexts; null hides a term of a
 * lower layer.
 */
export interface TermLayer {
  readonly own: ReadonlyMap<string, TermDefinition | null>;
  readonly below: TermLayer | undefined;
  readonly depth: number;
}

interface OpenLayer extends TermLayer {
  readonly own: Map<string, TermDefinition | null>;
}

/** Maximum number of layers; more are merged by copying, so that term lookup stays cheap. */
const MAX_LAYERS = 16;

const EMPTY: OpenLayer = { own: new Map(), below: undefined, depth: 0 };

/**
 * An active context (JSON-LD 1.1 API section 4.1). Immutable once sealed, so that contexts derived
 * from it can be cached.
 *
 * A context that changes a few terms of a large one shares the remaining terms with it: a small
 * context in each of many nodes costs its own size, not that of the whole.
 */
export class Context {
  base: IriBase | null;
  vocab: string | null = null;
  language: string | null = null;
  direction: 'ltr' | 'rtl' | null = null;
  /** The context to restore at the next node, if this one does not propagate. */
  previous: Context | undefined;
  protectedTerms = 0;
  sealed = false;
  /**
   * Caches of the contexts derived from this one: by property-scoped term, type-scoped term and
   * URL.
   */
  readonly byProperty = new Map<TermDefinition, Context>();
  readonly byType = new Map<TermDefinition, Context>();
  readonly byUrl = new Map<string, Context>();
  private layer: OpenLayer = EMPTY;
  /** Whether this context created `layer` and may add to it until it is sealed. */
  private ownsLayer = false;

  constructor(base: IriBase | null) {
    this.base = base;
  }

  /** Returns a copy that may be modified until it is sealed. */
  copy(): Context {
    const copy = new Context(this.base);
    copy.vocab = this.vocab;
    copy.language = this.language;
    copy.direction = this.direction;
    copy.previous = this.previous;
    copy.protectedTerms = this.protectedTerms;
    copy.layer = this.layer;
    return copy;
  }

  term(name: string): TermDefinition | undefined {
    for (let layer: TermLayer | undefined = this.layer; layer; layer = layer.below) {
      const definition = layer.own.get(name);
      if (definition !== undefined) return definition ?? undefined;
    }
    return undefined;
  }

  /** Defines a term; null makes it undefined. */
  setTerm(name: string, definition: TermDefinition | null): void {
    if (!this.ownsLayer) {
      this.layer = {
        own: new Map(),
        below: this.layer === EMPTY ? undefined : this.layer,
        depth: this.layer.depth + 1,
      };
      this.ownsLayer = true;
    }
    if (this.protectedTerms > 0 && this.term(name)?.protected) this.protectedTerms--;
    if (definition?.protected) this.protectedTerms++;
    this.layer.own.set(name, definition);
  }

  /** Makes the context immutable. Returns the number of terms copied in the process. */
  seal(): number {
    this.sealed = true;
    const { layer } = this;
    if (!this.ownsLayer || !layer.below) return 0;
    const merged: TermLayer[] = [layer];
    if (layer.depth > MAX_LAYERS) {
      for (let below: TermLayer | undefined = layer.below; below; below = below.below) merged.push(below);
    } else if (layer.below.own.size <= 2 * layer.own.size) merged.push(layer.below);
    else return 0;
    const own = new Map<string, TermDefinition | null>();
    for (const { own: terms } of merged.reverse()) for (const [name, definition] of terms) own.set(name, definition);
    const { below } = merged[0];
    this.layer = { own, below, depth: below ? below.depth + 1 : 1 };
    return own.size;
  }

  /**
   * The layers of its terms, topmost first. A term in one layer hides the same term in lower
   * layers.
   */
  *layers(): Generator<TermLayer> {
    for (let layer: TermLayer | undefined = this.layer; layer; layer = layer.below) yield layer;
  }
}
