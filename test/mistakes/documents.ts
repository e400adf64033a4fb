import { mistakes } from './mistake.ts';

export const DOCUMENTS = [
  ...mistakes('INVALID_ARGUMENT', [
    [({ engine }) => engine.import(), 'import', 'nothing', 'data'],
    [({ engine }) => engine.import('w', '<urn:s> <urn:p> 1 .'), 'import', 'a string', 'contentType'],
    [({ engine }) => engine.import({ source: 'w' }), 'data', 'missing'],
    [({ engine }) => engine.import({ data: '' }), 'source', 'namespace/slug'],
    [({ engine }) => engine.import({ source: 'w', data: 5 }), 'data', 'bytes'],
    [({ engine }) => engine.import({ source: 'w', data: Promise.resolve('') }), 'data', 'await'],
    [
      ({ engine }) => engine.import({ source: 'w', data: './a.ttl', contentType: 'text/turtle' }),
      'path',
      'pathToFileURL',
    ],
    [({ engine }) => engine.import({ source: 'w', data: 'https://a.example/a.ttl' }), 'URL', 'fetch'],
    [({ engine }) => engine.import({ source: 'w', data: '', mode: 'overwrite' }), 'mode', 'replace'],
    [({ engine }) => engine.import({ source: 'w', data: '', graph: 'g' }), 'graph', 'absolute IRI'],
    [({ engine }) => engine.import({ source: 'w', data: '', baseIri: 'x' }), 'baseIri', 'absolute IRI'],
    [({ engine }) => engine.import({ source: 'w', data: '', format: 'turtle' }), '"format"', 'import'],
    [({ engine }) => engine.importAll({ source: 'w', documents: [''] }), 'documents[0]', 'string'],
    [
      ({ engine }) => engine.world('w').import('<urn:s> <urn:p> 1 .'),
      'world.import',
      'a string',
      'world.import({ data',
    ],
    [({ engine }) => engine.export('w'), 'export', 'a string', "source: 'people'"],
    [({ engine }) => engine.world('w').export('text/turtle'), 'world.export', 'a string', 'contentType'],
  ]),
  ...mistakes('UNSUPPORTED', [
    [({ engine }) => engine.import({ source: 'w', data: '', contentType: 'text/csv' }), '"text/csv"', 'text/turtle'],
    [({ engine }) => engine.export({ source: 'w', contentType: 'turtle' }), '"turtle"', 'text/turtle'],
  ]),
  ...mistakes('NOT_FOUND', [
    [({ engine }) => engine.import({ source: 'nowhere', data: '' }), 'default/nowhere', 'create it'],
    [({ engine }) => engine.export({ source: 'nowhere' }), 'default/nowhere', 'check the name'],
    [({ engine }) => engine.export({ source: 'w', graph: 'urn:no' }), 'urn:no', 'default/w'],
  ]),
  ...mistakes('INVALID_RDF', [
    [
      ({ engine }) => engine.import({ source: 'w', data: 'PREFIX ex: <urn:>\nex:a ex:b ex:c .' }),
      'line 1',
      'text/turtle',
    ],
    [({ turtle }) => turtle('<urn:s> <urn:p>'), 'Turtle', 'line 1'],
    [({ turtle }) => turtle('<urn:s> foaf:name "Ada" .'), 'foaf:', 'line 1'],
    [({ turtle }) => turtle('<!DOCTYPE html><html></html>'), 'Turtle', 'line 1'],
    [({ turtle }) => turtle('<urn:s> <urn:p> "Ada .'), 'Turtle', 'line 1'],
    [({ turtle }) => turtle('<a> <urn:p> 1 .'), 'a', 'line 1'],
    [
      ({ engine }) => engine.import({ source: 'w', data: '{bad', contentType: 'application/ld+json' }),
      'JSON',
      'line 1',
    ],
    [
      ({ engine }) => engine.import({ source: 'w', data: '<rdf', contentType: 'application/rdf+xml' }),
      'RDF/XML',
      'line 1',
    ],
    [
      ({ engine }) =>
        engine.import({ source: 'w', data: '{"@context":"https://schema.org/"}', contentType: 'application/ld+json' }),
      'https://schema.org/',
      'documentLoader',
    ],
  ]),
];
