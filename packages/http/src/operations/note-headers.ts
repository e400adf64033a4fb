/** Maximum length of the notes in the header. Further notes are only counted. */
const MAX_LENGTH = 2000;

/** Prefix that the engine adds to notes on a document of a request. */
const FIELD = /^importAll: documents\[\d+\]\.data: /;

/**
 * Returns the notes of an import as a header of a reply without a body: a JSON array in ASCII.
 * Empty without notes. Every caller may have them, because they concern only the documents.
 */
export function noteHeaders(notes: readonly string[]): Record<string, string> {
  const written: string[] = [];
  let length = 0;
  for (const note of notes) {
    const text = ascii(JSON.stringify(note.replace(FIELD, '')));
    length += text.length + 1;
    if (length > MAX_LENGTH) break;
    written.push(text);
  }
  const more = notes.length - written.length;
  if (more > 0) written.push(JSON.stringify(`and ${more} more`));
  return written.length === 0 ? {} : { 'rdf-worlds-notes': `[${written.join(',')}]` };
}

function ascii(json: string): string {
  return json.replace(/[^\u0020-\u007e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
