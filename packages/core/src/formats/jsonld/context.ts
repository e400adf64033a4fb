import type { IriBase } from '../../model/iri.ts';

/** A JSON object as the parser makes it: any name is a member like any other. */
export type JsonObject = ReadonlyMap<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return value instanceof Map;
}

/** What a context says of a term (JSON-LD 1.1 API section 4.2). */
export interface TermDefinition {
  /** An IRI, a blank node identifier or a keyword; null for a term that is decoupled from any. */
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
  /** The context that is scoped to the term; undefined when it has none, null when it is `null`. */
  readonly context?: unknown;
  /** Where URLs in `context` are resolved. */
  readonly baseUrl?: IriBase;
}

/**
 * The terms that contexts added, on top of those of the contexts around them; null hides a term of
 * these.
 */
export interface TermLayer {
  readonly own: ReadonlyMap<string, TermDefinition | null>;
  readonly below: TermLayer | undefined;
  readonly depth: number;
}

interface OpenLayer extends TermLayer {
  readonly own: Map<string, TermDefinition | null>;
}

/** Deeper layers are copied into one, so that looking up a term stays cheap. */
const MAX_LAYERS = 16;

const EMPTY: OpenLayer = { own: new Map(), below: undefined, depth: 0 };

/**
 * An active context (JSON-LD 1.1 API section 4.1). Immutable once it is sealed, so that what is
 * derived from it can be kept.
 *
 * A context that changes a few terms of a large one shares the others with it: a small context
 * inside of each of many nodes costs its own size, not that of the whole.
 */
export class Context {
  base: IriBase | null;
  vocab: string | null = null;
  language: string | null = null;
  direction: 'ltr' | 'rtl' | null = null;
  /** The context to go back to at the next node, when this one does not propagate. */
  previous: Context | undefined;
  protectedTerms = 0;
  sealed = false;
  /** What this context becomes by contexts that are scoped to terms or have a URL: made once. */
  readonly byProperty = new Map<TermDefinition, Context>();
  readonly byType = new Map<TermDefinition, Context>();
  readonly byUrl = new Map<string, Context>();
  private layer: OpenLayer = EMPTY;
  /** Whether `layer` was made by this context, which may add to it until it is sealed. */
  private ownsLayer = false;

  constructor(base: IriBase | null) {
    this.base = base;
  }

  /** A context like this one that may be changed until it is sealed. */
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

  /** Defines a term, or with null makes it undefined. */
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

  /** Ends the changes; returns how many terms were copied for it. */
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
   * The layers of its terms, the topmost first. What a layer defines hides the same term of those
   * below.
   */
  *layers(): Generator<TermLayer> {
    for (let layer: TermLayer | undefined = this.layer; layer; layer = layer.below) yield layer;
  }
}
