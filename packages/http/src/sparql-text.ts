/** The kind of a SPARQL text, as determined by its first keyword. */
export type SparqlForm = 'blank' | 'select' | 'ask' | 'construct' | 'update';

const FORMS = new Map<string, SparqlForm>([
  ['SELECT', 'select'],
  ['ASK', 'ask'],
  ['CONSTRUCT', 'construct'],
  ['DESCRIBE', 'construct'],
  ...['INSERT', 'DELETE', 'LOAD', 'CLEAR', 'DROP', 'CREATE', 'ADD', 'MOVE', 'COPY', 'WITH'].map(
    (word): [string, SparqlForm] => [word, 'update'],
  ),
]);

/** Keywords of a prologue (SPARQL 1.1 section 19.8, [4] Prologue; VERSION is from SPARQL 1.2). */
const PROLOGUE = new Set(['BASE', 'PREFIX', 'VERSION']);

/**
 * Returns the form of a text, which determines the permission needed to run it. Only a guess for
 * invalid SPARQL, which counts as a query. Callers must therefore run the text with the engine
 * method for exactly this form, which refuses all others.
 */
export function sparqlForm(text: string): SparqlForm {
  if (text.trim() === '') return 'blank';
  for (const word of words(text)) {
    const upper = word.toUpperCase();
    if (PROLOGUE.has(upper)) continue;
    return FORMS.get(upper) ?? 'select';
  }
  // A bare prologue is an update without operations (SPARQL 1.1 section 19.8, [29] Update). If
  // other characters follow, it is invalid either way.
  return 'update';
}

/**
 * Returns true if an update specifies its own dataset (SPARQL 1.1 Protocol 2.2.3). The grammar uses
 * these keywords nowhere else.
 */
export function namesItsDataset(update: string): boolean {
  for (const word of words(update)) if (/^(?:USING|WITH)$/i.test(word)) return true;
  return false;
}

/**
 * Yields the keywords of a text, skipping comments, strings, IRIs, variables and prefixed names.
 */
function* words(text: string): Generator<string> {
  // Code point escapes may occur anywhere, including in keywords (SPARQL 1.1 section 19.2).
  const source = text.includes('\\')
    ? text.replace(/\\u([0-9A-Fa-f]{4})|\\U00(10[0-9A-Fa-f]{4}|0[0-9A-Fa-f]{5})/g, (_, short, long) =>
        String.fromCodePoint(Number.parseInt(short ?? long, 16)),
      )
    : text;
  let i = 0;
  while (i < source.length) {
    const sign = source[i];
    if (sign === '#') i = skipComment(source, i);
    else if (sign === '<') i = skipIri(source, i);
    else if (sign === '"' || sign === "'") i = skipString(source, i, sign);
    else if (sign === '?' || sign === '$' || sign === '@') i = skipName(source, i + 1);
    else if (isNameSign(source.charCodeAt(i))) {
      const end = skipName(source, i);
      const word = source.slice(i, end);
      if (/^[A-Za-z]+$/.test(word)) yield word;
      i = end;
    } else i++;
  }
}

function skipComment(text: string, start: number): number {
  let i = start;
  while (i < text.length && text[i] !== '\n' && text[i] !== '\r') i++;
  return i;
}

/** Skips an IRI, or just `<` if it is an operator (SPARQL 1.1 section 19.8, [139] IRIREF). */
function skipIri(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x3e) return i + 1;
    if (code <= 0x20 || '<"{}|^`\\'.includes(text[i])) break;
  }
  return start + 1;
}

function skipString(text: string, start: number, quote: string): number {
  const isLong = text.startsWith(quote.repeat(3), start);
  const end = isLong ? quote.repeat(3) : quote;
  let i = start + end.length;
  while (i < text.length && !text.startsWith(end, i)) i += text[i] === '\\' ? 2 : 1;
  return i + end.length;
}

/** Returns true for letters, digits, `_`, `:` and all non-ASCII characters. */
function isNameSign(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x3a) ||
    code === 0x5f ||
    code > 0x7f
  );
}

/** Skips a name, including the dots, hyphens and escapes of local names. */
function skipName(text: string, start: number): number {
  let i = start;
  for (; i < text.length; i++) {
    const sign = text[i];
    if (sign === '\\') i++;
    else if (!isNameSign(text.charCodeAt(i)) && sign !== '-' && sign !== '.' && sign !== '%') break;
  }
  return i;
}
