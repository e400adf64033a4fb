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
    [({ engine }) => engine.import({ source: 'w', data: new Response('x', { status: 404 }) }), '404', 'no document'],
    [
      ({ engine }) => engine.import({ source: 'w', data: new URL('file:///nowhere/a.ttl') }),
      '/nowhere/a.ttl',
      'no such',
    ],
    [({ engine }) => engine.import({ source: 'w', data: new URL('https://a.example/a.ttl') }), 'await fetch(url)'],
    [({ engine }) => engine.import({ source: 'w', data: () => '' }), 'data', 'a stream of bytes'],
    [({ engine }) => engine.export({ source: 'w', prefixes: ['ex'] }), 'prefixes', 'array'],
    [({ remoteContexts }) => remoteContexts(), 'remoteContexts', 'nothing', 'allow:'],
    [({ remoteContexts }) => remoteContexts({ allow: 'https:' }), 'allow', 'a string', "['https://schema.org/']"],
    [({ remoteContexts }) => remoteContexts({ allow: ['schema.org'] }), '"schema.org"', '"https://schema.org/"'],
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
  ...mistakes('INVALID_RDF', [
    [({ turtle }) => turtle('name,age\nAda,36\n'), 'line 1', 'a table (CSV or TSV)', 'convert it first'],
    [({ turtle }) => turtle('"full name"\tage\nAda\t36\n'), 'a table (CSV or TSV)'],
    [({ engine }) => engine.import({ source: 'w', data: 'name;age\nAda;36\n' }), 'no contentType', 'a table'],
    [({ turtle }) => turtle('{ "@id": "urn:a" }'), 'looks like application/ld+json', 'contentType'],
    [({ turtle }) => turtle('<?xml version="1.0"?><rdf:RDF/>'), 'looks like application/rdf+xml'],
    [({ turtle }) => turtle('PK\u0003\u0004'), 'a ZIP archive', 'unpack'],
    [
      ({ engine }) =>
        engine.import({
          source: 'w',
          data: new Uint8Array([0x1f, 0x8b]),
          contentType: 'text/turtle',
          decompress: false,
        }),
      'gzip',
      'unpack',
    ],
    [
      ({ engine }) => engine.import({ source: 'w', data: new Uint8Array([60, 0, 117, 0]), contentType: 'text/turtle' }),
      'UTF-16',
      'only UTF-8',
    ],
    [
      ({ engine }) =>
        engine.import({ source: 'w', data: '@prefix ex: <urn:> .', contentType: 'application/n-triples' }),
      'looks like text/turtle',
    ],
    [
      ({ engine }) => engine.import({ source: 'w', data: '<html>', contentType: 'application/ld+json' }),
      'an HTML page',
    ],
    [
      ({ engine }) =>
        engine.import({ source: 'w', data: '<urn:a> <urn:b> <urn:c> <urn:g> .', contentType: 'application/n-triples' }),
      'no graph labels',
      'application/n-quads',
    ],
  ]),
  ...mistakes('UNSUPPORTED', [
    [
      ({ engine }) => engine.import({ source: 'w', data: '', contentType: 'ttl' }),
      '"ttl"',
      'did you mean text/turtle?',
    ],
    [({ engine }) => engine.import({ source: 'w', data: '', contentType: '.nq' }), 'did you mean application/n-quads?'],
    [({ engine }) => engine.import({ source: 'w', data: '', contentType: 'Turtle' }), 'did you mean text/turtle?'],
    [
      ({ engine }) => engine.import({ source: 'w', data: '{}', contentType: 'application/json' }),
      'did you mean application/ld+json?',
    ],
    [({ engine }) => engine.import({ source: 'w', data: '', contentType: 'text/xml' }), 'application/rdf+xml?'],
    [({ engine }) => engine.export({ source: 'w', contentType: 'json-ld' }), '"json-ld"', 'did you mean'],
    [
      ({ engine }) =>
        engine.import({ source: 'w', data: new Response('<html>', { headers: { 'content-type': 'text/html' } }) }),
      '"text/html"',
      'pass contentType',
    ],
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
