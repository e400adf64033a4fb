/** Returns the notes of a server on the documents of an import (docs/reference/http.md). */
export function responseNotes({ headers }: Response): readonly string[] {
  const notes = headers.get('rdf-worlds-notes');
  return notes === null ? [] : (JSON.parse(notes) as string[]);
}
