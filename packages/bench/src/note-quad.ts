import { dataFactory } from '@rdf-worlds/core';

const { literal, namedNode, quad } = dataFactory;

/**
 * One small triple that nothing in the academic data is joined with; another number is another
 * triple.
 */
export function noteQuad(number: number) {
  return quad(
    namedNode(`https://data.example/note/${number}`),
    namedNode('https://vocabulary.example/notes#text'),
    literal(`Note ${number}`),
  );
}
