import { Buffer } from '#platform';
import { RememberedIri } from '../../model/remembered-iri.ts';

/** Number of cached prologues, and maximum length of each in UTF-16 code units. */
const RECENT = 8;
const MAX_LENGTH = 1 << 12;
/** Number of cached names per prologue, and maximum length of each in UTF-16 code units. */
const MAX_NAMES = 512;
const MAX_NAME_LENGTH = 64;

/**
 * A parsed prologue. The texts of one program usually start with the same prologue, and then their
 * names resolve the same way. Immutable except for its cache of names.
 */
export class Prologue {
  /** Source text, up to the next token. */
  readonly text: string;
  /** Base IRI before and after the prologue. */
  readonly outerBase: string | undefined;
  readonly baseIri: string | undefined;
  /** Namespaces by prefix. Must not be modified. */
  readonly prefixes: Map<string, string>;
  private readonly names = new Map<string, RememberedIri>();

  constructor(text: string, outerBase: string | undefined, baseIri: string | undefined, prefixes: Map<string, string>) {
    this.text = text;
    this.outerBase = outerBase;
    this.baseIri = baseIri;
    this.prefixes = prefixes;
  }

  /** Returns the cached IRI of a prefixed name as written. */
  iriOf(name: string): RememberedIri | undefined {
    return this.names.get(name);
  }

  /** Caches the IRI of a prefixed name that is not cached yet. */
  put(name: string, iri: string): RememberedIri {
    const remembered = new RememberedIri(ownText(iri));
    if (name.length > MAX_NAME_LENGTH) return remembered;
    if (this.names.size >= MAX_NAMES) this.names.clear();
    this.names.set(ownText(name), remembered);
    return remembered;
  }
}

/** Recently parsed prologues, newest first. */
const recent: Prologue[] = [];

/** Returns the longest cached prologue that matches the text at `start` with the same base. */
export function recentPrologue(text: string, start: number, base: string | undefined): Prologue | undefined {
  let found: Prologue | undefined;
  for (const one of recent) {
    if (one.text.length > (found?.text.length ?? 0) && one.outerBase === base && text.startsWith(one.text, start)) {
      found = one;
    }
  }
  return found;
}

/**
 * Caches a prologue whose `text` ends where the next token starts. Returns it, or undefined if it
 * cannot be cached.
 */
export function rememberPrologue(
  text: string,
  outerBase: string | undefined,
  baseIri: string | undefined,
  prefixes: ReadonlyMap<string, string>,
): Prologue | undefined {
  // In another text, what follows must not extend the last token; only an IRI or white space is
  // safely terminated.
  if (text.length > MAX_LENGTH || !/[>\s]$/.test(text)) return undefined;
  const own = new Map<string, string>();
  for (const [prefix, namespace] of prefixes) own.set(ownText(prefix), ownText(namespace));
  const prologue = new Prologue(ownText(text), outerBase, baseIri && ownText(baseIri), own);
  recent.unshift(prologue);
  recent.length = Math.min(recent.length, RECENT);
  return prologue;
}

/** Copies a string, because a substring keeps the whole original in memory. */
function ownText(text: string): string {
  return Buffer.from(text).toString();
}
