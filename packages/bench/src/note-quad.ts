import { dataFactory } from '@rdf-worlds/core';

const { literal, namedNode, quad } = dataFactory;

/**
 * Returns a small triple that joins with nothing in the academic data; distinct for each number.
 */
export function noteQuad(number: number) {
  return quad(
    namedNode(`https://data.example/note/${number}`),
    namedNode('https://vocabulary.example/notes#text'),
    literal(`Note ${number}`),
  );
}
