export interface ExampleQuery {
  readonly title: string;
  readonly text: string;
  /** Other worlds that it reads. */
  readonly alsoIn?: readonly string[];
}

/** A world that the playground generates, with queries about it. */
export interface ExampleWorld {
  readonly slug: string;
  readonly label: string;
  /** Returns its data as Turtle. */
  turtle(): string;
  readonly queries: readonly ExampleQuery[];
  /** Words to search for. */
  readonly words: string;
}

/** Namespace IRIs by prefix name. */
export const EXAMPLE_PREFIXES = {
  ex: 'https://example.org/',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
} as const;

const PREFIXES = Object.entries(EXAMPLE_PREFIXES)
  .map(([name, iri]) => `PREFIX ${name}: <${iri}>\n`)
  .join('');

const TOWNS = [
  'Alder',
  'Brook',
  'Cliff',
  'Dune',
  'Elm',
  'Ford',
  'Glen',
  'Haven',
  'Isle',
  'Knoll',
  'Lake',
  'Mill',
  'North',
  'Oak',
];
const LINES = ['Coast', 'Valley', 'Mountain', 'Harbour'];

/** Towns and the railway lines between them. */
function railways(): string {
  const towns = TOWNS.map(
    (name, i) =>
      `ex:${name} a ex:Town ; rdfs:label "${name}" ; ex:people ${900 + ((i * 7919) % 60_000)} ; ex:opened "${1850 + i * 5}-05-01"^^xsd:date .`,
  );
  const stops = TOWNS.flatMap((name, i) =>
    LINES.filter((_, line) => i % LINES.length === line || i % (line + 2) === 0).map((line, k) => {
      const next = TOWNS[(i + k + 1) % TOWNS.length];
      return `ex:${name} ex:${line.toLowerCase()}Line ex:${next} . ex:${name} ex:leadsTo ex:${next} .`;
    }),
  );
  return [PREFIXES, ...towns, ...stops].join('\n');
}

const PLANTS: readonly (readonly [name: string, family: string, en: string, de: string])[] = [
  [
    'Oak',
    'Beech',
    'A slow tree with hard wood, and acorns that jays carry away.',
    'Ein langsamer Baum mit hartem Holz und Eicheln.',
  ],
  [
    'Birch',
    'Birch',
    'White bark, light shade, first on bare ground.',
    'Weiße Rinde, lichter Schatten, zuerst auf kahlem Boden.',
  ],
  [
    'Willow',
    'Willow',
    'Grows by water; its young branches are woven into baskets.',
    'Wächst am Wasser; aus jungen Zweigen flicht man Körbe.',
  ],
  ['Rose', 'Rose', 'Thorns, scent, and red hips that are eaten in winter.', 'Dornen, Duft und rote Hagebutten.'],
  [
    'Apple',
    'Rose',
    'Blossoms in May; the fruit keeps until spring in a cool cellar.',
    'Blüht im Mai; die Früchte halten im kühlen Keller.',
  ],
  ['Hazel', 'Birch', 'Catkins in February, nuts in September.', 'Kätzchen im Februar, Nüsse im September.'],
  [
    'Nettle',
    'Nettle',
    'Stings; cooked, the young leaves taste of spinach.',
    'Brennt; gekocht schmecken die jungen Blätter wie Spinat.',
  ],
  [
    'Mint',
    'Mint',
    'Spreads by runners; a tea of its leaves cools.',
    'Breitet sich durch Ausläufer aus; Tee aus den Blättern kühlt.',
  ],
  ['Sage', 'Mint', 'Grey leaves that smell in the sun.', 'Graue Blätter, die in der Sonne duften.'],
  [
    'Yew',
    'Yew',
    'Dark needles and red berries; nearly all of it is poisonous.',
    'Dunkle Nadeln und rote Beeren; fast alles daran ist giftig.',
  ],
];

/** Plants, their families and descriptions in two languages. */
function garden(): string {
  const plants = PLANTS.map(
    ([name, family, en, de], i) =>
      `ex:${name} a ex:Plant ; rdfs:label "${name}" ; ex:family ex:${family}Family ; ex:heightCm ${20 + ((i * 3571) % 2500)} ; ex:about "${en}"@en , "${de}"@de .`,
  );
  const neighbours = PLANTS.map(
    ([name], i) => `ex:${name} ex:growsBeside ex:${PLANTS[(i * 3 + 1) % PLANTS.length][0]} .`,
  );
  return [PREFIXES, ...plants, ...neighbours].join('\n');
}

const GIVEN = ['Ada', 'Béla', 'Chidi', 'Dana', 'Emil', 'Farah', 'Goro', 'Hana', 'Ivo', 'Jun'];
const WORDS = ['winter', 'rails', 'acorns', 'harbour', 'letters', 'mountains', 'rain', 'tea'];

/** Two hundred books, their authors and what they cite. */
function library(): string {
  const authors = GIVEN.map(
    (name, i) => `ex:author${i} a ex:Author ; rdfs:label "${name}" ; ex:livesIn ex:${TOWNS[i % TOWNS.length]} .`,
  );
  const books = Array.from({ length: 200 }, (_, i) => {
    const [first, second] = [WORDS[i % WORDS.length], WORDS[(i * 5 + 3) % WORDS.length]];
    return (
      `ex:book${i} a ex:Book ; rdfs:label "Of ${first} and ${second}, volume ${1 + (i % 9)}" ; ex:by ex:author${(i * 7) % GIVEN.length} ; ` +
      `ex:pages ${80 + ((i * 37) % 500)} ; ex:year "${1950 + (i % 70)}"^^xsd:gYear ; ex:cites ex:book${(i * 11 + 5) % 200} , ex:book${(i * 13 + 1) % 200} .`
    );
  });
  return [PREFIXES, ...authors, ...books].join('\n');
}

export const EXAMPLE_WORLDS: readonly ExampleWorld[] = [
  {
    slug: 'library',
    label: 'A library',
    turtle: library,
    words: 'rain acorns',
    queries: [
      {
        title: 'Authors by their number of pages',
        text: `${PREFIXES}
SELECT ?author (COUNT(?book) AS ?books) (SUM(?n) AS ?pages) {
  ?book ex:by/rdfs:label ?author ; ex:pages ?n
}
GROUP BY ?author
ORDER BY DESC(?pages)`,
      },
      {
        title: 'The most cited books',
        text: `${PREFIXES}
SELECT ?title (COUNT(?other) AS ?citations) {
  ?other ex:cites ?book . ?book rdfs:label ?title
}
GROUP BY ?book ?title
ORDER BY DESC(?citations) ?title
LIMIT 10`,
      },
    ],
  },
  {
    slug: 'railways',
    label: 'Railways',
    turtle: railways,
    words: 'lake',
    queries: [
      {
        title: 'Where the trains from Alder lead',
        text: `${PREFIXES}
SELECT ?town ?people {
  ex:Alder ex:leadsTo+ ?stop .
  ?stop rdfs:label ?town ; ex:people ?people
}
ORDER BY DESC(?people)`,
      },
      {
        title: 'A graph of the coast line',
        text: `${PREFIXES}
CONSTRUCT { ?a ex:leadsTo ?b } WHERE { ?a ex:coastLine ?b }`,
      },
      {
        title: 'Authors and the towns they live in, of two worlds',
        alsoIn: ['library'],
        text: `${PREFIXES}
SELECT ?author ?town ?people {
  ?a a ex:Author ; rdfs:label ?author ; ex:livesIn ?t .
  ?t rdfs:label ?town ; ex:people ?people
}`,
      },
    ],
  },
  {
    slug: 'garden',
    label: 'A garden',
    turtle: garden,
    words: 'berries in winter',
    queries: [
      {
        title: 'Tall plants, in English',
        text: `${PREFIXES}
SELECT ?plant ?cm ?text {
  ?s rdfs:label ?plant ; ex:heightCm ?cm ; ex:about ?text
  FILTER(?cm > 500 && LANG(?text) = "en")
}
ORDER BY DESC(?cm)`,
      },
    ],
  },
];
