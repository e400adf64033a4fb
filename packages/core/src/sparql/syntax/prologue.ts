import { RememberedIri } from '../../model/remembered-iri.ts';

/** So many are remembered, none of them longer than so many UTF-16 units. */
const RECENT = 8;
const MAX_LENGTH = 1 << 12;
/** So many names of each, none of them longer than so many UTF-16 units. */
const MAX_NAMES = 512;
const MAX_NAME_LENGTH = 64;

/**
 * The prologue that a text begins with, as it was read. The texts of one program mostly begin with
 * the same, and what their names stand for is the same then. Immutable but for the names that were
 * asked for.
 */
export class Prologue {
  /** As it is written, up to the token behind it. */
  readonly text: string;
  /** The base before and after it. */
  readonly outerBase: string | undefined;
  readonly baseIri: string | undefined;
  /** What prefixes stand for. Nobody writes to it. */
  readonly prefixes: Map<string, string>;
  private readonly names = new Map<string, RememberedIri>();

  constructor(text: string, outerBase: string | undefined, baseIri: string | undefined, prefixes: Map<string, string>) {
    this.text = text;
    this.outerBase = outerBase;
    this.baseIri = baseIri;
    this.prefixes = prefixes;
  }

  /** The IRI of a prefixed name as it is written, if it was put here. */
  iriOf(name: string): RememberedIri | undefined {
    return this.names.get(name);
  }

  /** The IRI of a prefixed name that is not here yet. */
  put(name: string, iri: string): RememberedIri {
    const remembered = new RememberedIri(ownText(iri));
    if (name.length > MAX_NAME_LENGTH) return remembered;
    if (this.names.size >= MAX_NAMES) this.names.clear();
    this.names.set(ownText(name), remembered);
    return remembered;
  }
}

/** Those that were read last, the newest first. */
const recent: Prologue[] = [];

/** The longest known prologue that a text has from `start` on, where the base is the same. */
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
 * Remembers a prologue, of which `text` ends where the next token begins. Gives it, unless it is
 * too long.
 */
export function rememberPrologue(
  text: string,
  outerBase: string | undefined,
  baseIri: string | undefined,
  prefixes: ReadonlyMap<string, string>,
): Prologue | undefined {
  // What follows must not become part of its last token in another text: only an IRI and white
  // space end by themselves.
  if (text.length > MAX_LENGTH || !/[>\s]$/.test(text)) return undefined;
  const own = new Map<string, string>();
  for (const [prefix, namespace] of prefixes) own.set(ownText(prefix), ownText(namespace));
  const prologue = new Prologue(ownText(text), outerBase, baseIri && ownText(baseIri), own);
  recent.unshift(prologue);
  recent.length = Math.min(recent.length, RECENT);
  return prologue;
}

/** The same text for itself: a part of a text keeps all of it in memory. */
function ownText(text: string): string {
  return Buffer.from(text).toString();
}
