import { describe, expect, it } from 'vitest';
import type { Query, Update } from '../../src/sparql/algebra/algebra.ts';
import { DataTemplates } from '../../src/sparql/data-templates.ts';
import { prepareOperation } from '../../src/sparql/prepare-operation.ts';
import { TextTemplates } from '../../src/sparql/text-templates.ts';

const BASE = 'http://base.example/a/b';
const PROLOGUE = 'PREFIX : <urn:> PREFIX ex: <http://ex.example/> PREFIX e2: <http://e2.example/>\n';

/** A `$` is a hole. */
const TEXTS = [
  'SELECT * { $ :p ?o }',
  'SELECT * {$ :p ?o}',
  'SELECT * { ?s :p $ }',
  'SELECT * {?s :p $}',
  'SELECT * {?s :p $.}',
  'SELECT * { ?s :p $. ?s :q $ }',
  'SELECT * { ?s :p $;:q $, $ }',
  'SELECT * { ?s :p ($ $) ; :q [ :r $ ] }',
  'SELECT * { $ :p/:q+ $ } # $',
  'SELECT * { $ $ $ }',
  'SELECT * { ?s :p$ }',
  'SELECT * { ?s <urn:p>$ }',
  'SELECT * { ?s a $ FILTER(?s < 5 && ?s > 3) }',
  'SELECT * { ?s :p ?x FILTER(?x<$) ?x :q $ }',
  'SELECT * { ?s :p ?x FILTER(?x IN ($, $)) }',
  'SELECT * { ?s :p ?x FILTER(?x = $ || ?x>$) }',
  'SELECT * { ?s :p ?x FILTER(?x<$&&?x > $ ) }',
  'SELECT * { $ :p ?x FILTER REGEX(?x, $, $) }',
  'SELECT * { ?s :p ?x FILTER(?x -$ > $ || ?x = -$) }',
  'SELECT * { ?s :p ?x FILTER($(?x) || $ ($) || IF($, $, ?x)) }',
  'SELECT * { ?s :p ?x FILTER NOT EXISTS { ?s :q $ FILTER(?x != $) } FILTER(?x != $) }',
  'SELECT * { ?s :p ?x FILTER(?x = <<( $ :p $ )>> || SAMETERM(?x, $)) } ORDER BY (?x = $)',
  'SELECT (COUNT(*) AS ?n) { ?s :p ?x FILTER(?x != $) } GROUP BY (?x + $ AS ?y) HAVING(COUNT(*) > $)',
  'SELECT * { ?s :p $@en . ?s :q $ }',
  'SELECT * { ?s :p $^^ex:t ; :q $ }',
  'SELECT * { ?s :p $ BIND("$" AS ?x) }',
  "SELECT * { ?s :p $ BIND('# $' AS ?x) } # '$",
  'SELECT * { ?s :p """ $ """ , $ }',
  'SELECT * { ?s :p "" , $ , "" }',
  'SELECT * { ?s :p "", \'\', $ }',
  'SELECT * { # $\n ?s :p # "\n $ # <\n }',
  'SELECT * { ?s :p $# $\n }',
  'SELECT * { ?s ex:a\\~$ $ }',
  'SELECT * { ?s :p $ ; :q 1.5 , $ }',
  'SELECT * { GRAPH $ { ?s :p $ } VALUES ?s { $ } }',
  'SELECT * FROM $ { ?s :p $ }',
  'SELECT * { $ :p $ {| :q $ |} }',
  'SELECT * { << $ :p $ >> :q $ }',
  'CONSTRUCT { ?s :p $ } { ?s :p $ }',
  'CONSTRUCT WHERE { ?s :p $ }',
  'ASK { $ :p $ MINUS { ?x :q $ } }',
  'DESCRIBE $',
  'BASE $ SELECT * { <x> :p $ }',
  'PREFIX q: $ SELECT * { q:x :p $ }',
  'BASE <c/> SELECT * { $ :p <x> , $ }',
  'DELETE { $ :p ?o } INSERT { $ :p $ , _:x } WHERE { OPTIONAL { $ :p ?o } }',
  'INSERT { GRAPH $ { ?s :q $ } } WHERE { ?s :p $ FILTER(?s != $) }',
  'DELETE WHERE { $ :p ?o . GRAPH ?g { $ :q $ } } # $',
  'INSERT { ?s :q $ } USING $ WHERE { ?s :p $ }',
  'DELETE { ?s :p $ } WHERE { ?s :p $ } ; BASE <z/>',
  'DELETE { ?s :p $ } WHERE { ?s :p $ } ; CLEAR ALL',
];

const DATA_TEXTS = [
  'INSERT DATA { $ :p $ }',
  'DELETE DATA { $ :p $ }',
  'INSERT DATA { $ :p $ ; :q $ , $ . $ a $ }',
  'INSERT DATA { $ :p $ . $ :p $.}',
  'INSERT DATA { $ $ $ }',
  'INSERT DATA { GRAPH $ { $ :p $ } }',
  'INSERT DATA { GRAPH :g { _:x :p $ } . $ :p ( $ $ ) }',
  'INSERT DATA { $ :p [ :q $ ] } # $',
  'INSERT DATA { $ :p $@en , $^^ex:t, $ }',
  'INSERT DATA { << $ :p $ >> :q $ }',
  'INSERT DATA { $ :p $ {| :q $ |} }',
  'INSERT DATA { :a :p <<( $ :p $ )>> }',
  'INSERT DATA { $ :p $ };',
  'INSERT DATA { $ :p <x>, $ } ; BASE <z/>',
  'INSERT DATA { :a :p $ } ; DELETE DATA { $ :p :b }',
  'INSERT DATA { $ :p $ } ; CLEAR ALL',
  'INSERT DATA { $ :p $ } ; CLEAR ALL ;',
  'DELETE DATA { $ :p $ } ; DROP GRAPH :g ; PREFIX ex: <urn:>',
  'INSERT /* */ DATA { $ :p $ }',
  'INSERT # $\n DATA { $ :p $ }',
  'BASE $ INSERT DATA { <x> :p $ }',
  'PREFIX q: $ INSERT DATA { q:x :p $ }',
  'DELETE DATA { $ :p "" , 5 , -5 , true , $ }',
];

const PIECES = [
  ...[
    '<urn:a>',
    '<urn:b#c>',
    '<urn:b?c="d">',
    '<rel>',
    '<../up>',
    '<//host/x>',
    '<?q>',
    '<#f>',
    '<>',
    '<a b>',
    '<x\\u0041>',
  ],
  ...['<é>', '<urn:é>', '<1:x>', '<=a>', '<<', '<', '<urn:a', '<urn:a><urn:b>', '<urn:a> , <urn:b>'],
  ...[
    '"a"',
    '"b # c"',
    "'d'",
    '"\'"',
    "'\"'",
    '""',
    "''",
    '"""x"""',
    "'''y'''",
    '"a\\n"',
    '"a\nb"',
    '"a"@en',
    '"a"^^ex:t',
    '"b"@en',
    '"b"@EN',
    "'a'@en-GB",
    '"b"@en--ltr',
    '"b"@en--',
    '"b"@',
    '"b"^^',
    '"b"^^ex:t',
    "'c'^^ex:t",
    '"b"^^ex:t%20',
    '"b"^^e2:t',
    '"b"^^<urn:t>',
    '"c"^^<urn:t>',
    '"b"^^<rel>',
    '"b" @en',
    '"b" ^^ex:t',
  ],
  ...['"', "'", '"a""b"', '"a" , "b"', '"\0"', '"é"'],
  ...[
    ':a',
    ':b',
    ':b-',
    ':b_',
    ':1',
    ':a.b',
    ':a.',
    ':a%20',
    ':a\\~',
    ':a:b',
    ':é',
    ':',
    'ex:a',
    'e2:a',
    'ex:',
    'no:a',
    '_:b',
    'a',
    'é:a',
  ],
  ...[
    '?v',
    '$v',
    '5',
    '5.',
    '5.0',
    '.5',
    '5e0',
    '7',
    '007',
    '7.50',
    '7.e1',
    '7E-1',
    '7e',
    '7:a',
    '+7',
    '-5',
    'true',
    '[]',
    '()',
    '( :a )',
    '# c\n',
    '#',
    ':a # c\n',
    ':a#c\n',
    '?x:a',
    '{',
    '}',
    '',
  ],
];

/** Returns a text with each of the pieces in its holes, in turn with others. */
function filledTexts(text: string): string[] {
  const filled = (piece: string, other: string) => {
    let hole = 0;
    return PROLOGUE + text.replaceAll('$', () => (hole++ % 2 === 0 ? piece : other));
  };
  return PIECES.flatMap((piece, i) => [filled(piece, ':a'), filled(piece, PIECES[(i * 7 + 3) % PIECES.length])]);
}

interface Parsed {
  readonly query: ReturnType<typeof prepareOperation>;
  readonly terms: readonly unknown[] | undefined;
  /** The query with numbers in place of the constants. */
  readonly rest: string;
}

function parsed(text: string): Parsed | undefined {
  try {
    const query = prepareOperation(text, { baseIri: BASE });
    const { writtenAs, ...others } = query;
    const terms = writtenAs?.constants.map(({ term }) => term);
    const number = (value: unknown) => terms?.indexOf(value as never) ?? -1;
    const rest = JSON.stringify(others, (_, value) => (number(value) >= 0 ? number(value) : value));
    return { query, terms, rest };
  } catch {
    // Not a SPARQL text: what is put into a hole need not fit there.
    return undefined;
  }
}

/**
 * Fills the holes of the texts, remembers each that can be read, and has each other one of its text
 * looked up. Returns how many were found, and which texts had holes that differed.
 *
 * @param remember returns the lookup in a template of an example; undefined if it makes no template
 */
function recognizeAll<Read, Found>(
  texts: readonly string[],
  read: (text: string) => Read | undefined,
  remember: (example: Read, text: string) => ((other: string) => Found | undefined) | undefined,
  check: (found: Found, read: { example: string; other: string; of: Read; right: Read | undefined }) => void,
) {
  let recognized = 0;
  const kinds = new Set<string>();
  for (const text of texts) {
    const known = new Map(filledTexts(text).map((one) => [one, read(one)]));
    for (const [example, of] of known) {
      const find = of && remember(of, text);
      if (!find) continue;
      for (const [other, right] of known) {
        const found = find(other);
        if (!found) continue;
        recognized++;
        if (other !== example) kinds.add(text);
        check(found, { example, other, of, right });
      }
    }
  }
  return { recognized, kinds };
}

describe('TextTemplates', () => {
  it('recognizes a text only if the parser reads the same constants', () => {
    const { recognized, kinds } = recognizeAll(
      TEXTS,
      parsed,
      ({ query }, text) => {
        const templates = new TextTemplates<Query | Update, string>();
        templates.put(query, BASE, undefined, text);
        return (other) => templates.find(other, BASE, undefined);
      },
      ({ terms }, { example, other, of, right }) =>
        expect({ example, other, terms: right?.terms, rest: right?.rest }).toEqual({
          example,
          other,
          terms,
          rest: of.rest,
        }),
    );
    expect(recognized).toBeGreaterThan(10_000);
    expect(kinds.size).toBeGreaterThan(20);
  });

  it('recognizes what programs write', () => {
    const pairs = [
      ['SELECT ?n { <urn:a> <urn:name> ?n }', 'SELECT ?n { <urn:b/c#d> <urn:name> ?n }'],
      ['SELECT ?n { <a> <name> ?n }', 'SELECT ?n { <b?c> <name> ?n }'],
      ['PREFIX : <urn:>\nSELECT ?n { :a :name ?n }', 'PREFIX : <urn:>\nSELECT ?n { :b-2 :name ?n }'],
      ['SELECT ?s { ?s <urn:name> "Ann" }', "SELECT ?s { ?s <urn:name> 'Bob Lee' }"],
      ['# trace 1\nASK { <urn:a> ?p "x" }', '# trace 22\nASK { <urn:b> ?p "y" }'],
    ];
    for (const [example, text] of pairs) {
      const templates = new TextTemplates<Query, string>();
      templates.put(prepareOperation(example, { baseIri: BASE }) as never, BASE, undefined, 'shape');
      expect(templates.find(text, BASE, undefined)?.terms).toEqual(parsed(text)?.terms);
      expect(templates.find(text, 'urn:other', undefined)).toBeUndefined();
      expect(templates.find(`${text} `, BASE, undefined)).toBeUndefined();
    }
  });

  it('recognizes queries that begin like updates', () => {
    const text = (name: string) =>
      `PREFIX insert: <urn:insert>\n# INSERT\nSELECT ?delete { <urn:${name}> ?delete "x" }`;
    const templates = new TextTemplates<Query, string>();
    templates.put(prepareOperation(text('a')) as never, undefined, undefined, 'shape');
    expect(templates.find(text('b'), undefined, undefined)).toBeDefined();
  });

  it('leaves to the parser what is too long or not well-formed', () => {
    const text = (name: string) => `SELECT ?n { <urn:${name}> <urn:name> ?n }`;
    const templates = new TextTemplates<Query, string>();
    templates.put(prepareOperation(text('a')) as never, undefined, undefined, 'shape');
    expect(templates.find(text('b'), undefined, undefined)).toBeDefined();
    for (const name of ['b'.repeat(5000), '\ud800', '\0', 'b c'])
      expect(templates.find(text(name), undefined, undefined)).toBeUndefined();
  });
});

describe('DataTemplates', () => {
  const read = (text: string) => {
    try {
      return prepareOperation(text, { baseIri: BASE }) as Update;
    } catch {
      // Not a SPARQL text: what is put into a hole need not fit there.
      return undefined;
    }
  };

  it('recognize a text only if the parser reads the same data', () => {
    const { recognized, kinds } = recognizeAll(
      DATA_TEXTS,
      read,
      (update) => {
        const templates = new DataTemplates();
        templates.put(update, BASE, undefined);
        return (other) => templates.find(other, BASE, undefined);
      },
      ({ operations }, { example, other, right }) =>
        expect({ example, other, operations: right?.operations }).toEqual({ example, other, operations }),
    );
    expect(recognized).toBeGreaterThan(2_000);
    expect(kinds.size).toBeGreaterThan(9);
  });

  it('recognize what programs write', () => {
    const pairs = [
      ['INSERT DATA { <urn:a> <urn:name> "Ann" }', "INSERT DATA { <urn:b> <urn:name> 'Bob' }"],
      ['PREFIX : <urn:>\nDELETE DATA { :a :age 42 ; :at :x }', 'PREFIX : <urn:>\nDELETE DATA { :b :age 7 ; :at :y }'],
      [
        'INSERT DATA { <a> <on> "2026-01-02"^^<date> , "x"@en }',
        'INSERT DATA { <b> <on> "2025-12-31"^^<date> , "y"@en }',
      ],
      ['INSERT DATA { GRAPH <g> { _:b <p> <a> } } # 1', 'INSERT DATA { GRAPH <g> { _:b <p> <c> } } # 22'],
    ];
    for (const [example, text] of pairs) {
      const templates = new DataTemplates();
      templates.put(read(example)!, BASE, undefined);
      expect(templates.find(text, BASE, undefined)?.operations).toEqual(read(text)!.operations);
      expect(templates.find(`${text}\n`, BASE, undefined)).toBeUndefined();
    }
  });
});
