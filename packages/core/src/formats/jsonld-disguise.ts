/**
 * The `jsonld` library mangles some strings that JSON-LD allows:
 * - it takes an IRI with a space of Unicode (such as U+00A0, which RFC 3987 allows) for relative, and rewrites it;
 * - it puts language tags in lower case (which JSON-LD 1.1 API section 13.4 allows, but RDF does not ask for);
 * - it uses the names of a document as those of plain objects, so `__proto__` sets a prototype and `hasOwnProperty` hides a method.
 *
 * So they go through it in disguise: a document is disguised as a whole before expansion, every string is revealed after it. The mapping is
 * one to one. Left as the library has them are the keys of language maps, which come out in lower case.
 */

/** Begins a disguised piece; a character for private use that no syntax knows. */
const MASK = '\ue000';

/** `@nest` as the target of an alias that has a scoped context; to the library an absolute IRI, and so a property. See `ScopedContexts`. */
export const NEST = `x:${MASK}n`;

const DISGUISED = new Map([
  [MASK, 'm'],
  ['__proto__', 'p'],
  ['hasOwnProperty', 'h'],
  ...[
    ...'\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff',
  ].map((space, index) => [space, (index + 10).toString(36).padStart(2, '0')] as const),
]);
const REVEALED = new Map([[NEST, '@nest'], ...[...DISGUISED].map(([piece, code]) => [MASK + code, piece] as const)]);
const PIECES = new RegExp([...DISGUISED.keys()].join('|'), 'g');
const CODES = new RegExp(`${NEST}|${MASK}(?:[mph]|0[0-9a-z])`, 'g');

/** Disguises a JSON value in place; its objects must be the caller's own. Gives back the value. */
export function disguise(value: unknown): unknown {
  return rewrite(value, disguiseText, disguiseTag);
}

/** Undoes {@link disguise}, in place. */
export function revealValue(value: unknown): unknown {
  return rewrite(value, reveal, revealTag);
}

/** The string that was disguised. */
export function reveal(text: string): string {
  return text.includes(MASK) ? text.replace(CODES, (code) => REVEALED.get(code)!) : text;
}

/** The language tag that was disguised as the value of `@language`. */
export function revealTag(tag: string): string {
  return reveal(tag.replace(/\^(.)/gs, (_, letter: string) => letter.toUpperCase()));
}

function disguiseText(text: string): string {
  return text.replace(PIECES, (piece) => MASK + DISGUISED.get(piece));
}

/** A capital letter becomes `^` and the small one. */
function disguiseTag(tag: string): string {
  return disguiseText(tag).replace(/[A-Z^]/g, (letter) => `^${letter.toLowerCase()}`);
}

/** Rewrites every string and name of a JSON value, the strings under `@language` by `rewriteTag`. */
function rewrite(value: unknown, rewriteText: (text: string) => string, rewriteTag: (tag: string) => string): unknown {
  const pending: object[] = [];
  const rewritten = (inner: unknown, name?: string): unknown => {
    if (typeof inner === 'string') return name === '@language' ? rewriteTag(inner) : rewriteText(inner);
    if (typeof inner === 'object' && inner !== null) pending.push(inner);
    return inner;
  };
  const result = rewritten(value);
  for (let container = pending.pop(); container; container = pending.pop()) {
    if (Array.isArray(container)) {
      for (let index = 0; index < container.length; index++) container[index] = rewritten(container[index]);
      continue;
    }
    for (const [name, member] of Object.entries(container)) {
      const newName = rewriteText(name);
      if (newName !== name) delete (container as Record<string, unknown>)[name];
      // Not by assignment: it would call the setter of __proto__.
      Object.defineProperty(container, newName, {
        value: rewritten(member, name),
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
  }
  return result;
}
