import { mistakes } from './mistake.ts';

export const WRITING = [
  ...mistakes('INVALID_ARGUMENT', [
    [({ engine }) => engine.write(), 'write', 'nothing', 'insert: [quad]'],
    [({ engine }) => engine.write('w', []), 'write', 'a string', 'insert: [quad]'],
    [({ engine }) => engine.write({ source: 'w', quads: [] }), '"quads"', 'insert'],
    [({ engine }) => engine.write({ source: 'w', insert: {} }), 'insert', 'quads'],
    [({ engine }) => engine.write({ source: 'w', insert: '<urn:s> <urn:p> 1 .' }), 'insert', 'quads'],
    [({ engine }) => engine.write({ source: 'w', insert: ['x'] }), 'insert', 'RDF/JS'],
    [({ engine }) => engine.write({ source: 'w', insert: [], ifRevision: '5' }), 'ifRevision', 'number'],
    [({ engine }) => engine.world('w').write([]), 'world.write', 'an array', 'insert: [quad]'],
  ]),
  ...mistakes('INVALID_RDF', [
    [
      ({ engine }) =>
        engine.write({ source: 'w', insert: [{ subject: 'urn:s', predicate: 'urn:p', object: 'urn:o' }] }),
      'a string',
      'subject',
      'NamedNode',
    ],
    [({ engine, relative }) => engine.write({ source: 'w', insert: [relative] }), '"not an iri"', 'absolute'],
  ]),
  ...mistakes('CONFLICT', [
    [({ engine }) => engine.write({ source: 'w', insert: [], ifRevision: 99 }), 'default/w', '99', 'read it again'],
  ]),
];
