import { type Given, mistakes } from './mistake.ts';

const nobody = () => null;
const serving = ({ createWorldsHandler, engine }: Given, options: object) =>
  createWorldsHandler(engine, { authenticate: nobody, ...options });
const SECRET = new Uint8Array(32);

export const SERVING = mistakes('INVALID_ARGUMENT', [
  [({ createWorldsHandler }) => createWorldsHandler(), 'createWorldsHandler', 'nothing', 'WorldsEngine.open()'],
  [
    ({ createWorldsHandler, engine }) => createWorldsHandler(engine),
    'options',
    'nothing',
    'authenticate: staticTokens',
  ],
  [
    ({ createWorldsHandler, engine }) => createWorldsHandler(engine, nobody),
    'options',
    'function nobody',
    'authenticate',
  ],
  [
    ({ createWorldsHandler }) => createWorldsHandler({ authenticate: nobody }),
    'engine',
    'an object',
    'WorldsEngine.open()',
  ],
  [({ createWorldsHandler, engine }) => createWorldsHandler(engine, {}), 'authenticate', 'nothing', 'staticTokens'],
  [({ createWorldsHandler, engine }) => createWorldsHandler(engine, { tokens: [] }), '"tokens"', 'authenticate'],
  [(given) => serving(given, { authenticate: [] }), 'authenticate', 'an array', 'staticTokens'],
  [(given) => serving(given, { limits: 5 }), 'limits', 'a number'],
  [(given) => serving(given, { cors: '*' }), 'cors', 'a string'],
  [(given) => serving(given, { cors: { origins: 'https://a.example' } }), 'cors.origins', 'a string', "['https://"],
  [(given) => serving(given, { mounts: {} }), 'mounts', 'an object', 'mounts: [...]'],
  [(given) => serving(given, { pages: 'x' }), 'pages', 'a string', 'pages: [...]'],
  [(given) => serving(given, { rateLimit: { perSecond: 5 } }), 'rateLimit', 'an object', 'function'],
  [(given) => serving(given, { auditLog: 'audit.log' }), 'auditLog', 'a string', 'function'],
  [(given) => serving(given, { metrics: true }), 'metrics', 'a boolean'],
  [(given) => serving(given, { basePath: 5 }), 'basePath', 'a number', '"/api"'],
  [(given) => serving(given, { baseUrl: 'example.org' }), 'baseUrl', 'https://'],
  [(given) => serving(given, {})(), 'handler', 'nothing', 'new Request('],
  [(given) => serving(given, {})('http://localhost/worlds'), 'handler', 'a string', 'new Request('],
  [(given) => serving(given, {})({ url: '/worlds', headers: {} }), 'an object', 'nodeListener'],
  [({ staticTokens }) => staticTokens(), 'staticTokens', 'nothing', 'staticTokens([{ token'],
  [({ staticTokens }) => staticTokens({ token: 'x' }), 'staticTokens', 'an object', 'staticTokens([{ token'],
  [({ staticTokens }) => staticTokens('secret'), 'staticTokens', 'a string', 'staticTokens([{ token'],
  [({ staticTokens }) => staticTokens(['secret']), 'tokens[0]', 'a string', 'staticTokens([{ token'],
  [({ staticTokens }) => staticTokens([{ token: 'short', namespace: 'a' }]), 'tokens[0]', '16 characters', 'openssl'],
  [({ staticTokens }) => staticTokens([{ tokn: 'x' }]), 'tokens[0]', 'token'],
  [({ jwt }) => jwt(), 'jwt', 'nothing', 'algorithms'],
  [({ jwt }) => jwt('secret'), 'jwt', 'a string', 'issuer'],
  [({ jwt }) => jwt({}), 'key', 'missing'],
  [
    ({ jwt }) => jwt({ key: SECRET, algorithms: 'HS256', issuer: 'a', audience: 'b' }),
    'algorithms',
    'a string',
    "['RS256']",
  ],
  [({ jwt }) => jwt({ key: 'x', algorithms: ['HS256'], issuer: 'a', audience: 'b' }), 'key', 'a string', 'TextEncoder'],
  [({ jwt }) => jwt({ key: SECRET, algorithms: ['HS256'], issuer: 5, audience: 'b' }), 'issuer', 'string'],
  [({ tokenBucket }) => tokenBucket(), 'tokenBucket', 'nothing', 'perSecond'],
  [({ tokenBucket }) => tokenBucket(10), 'tokenBucket', 'a number', 'perSecond: 10'],
  [({ tokenBucket }) => tokenBucket({}), 'perSecond', 'above 0'],
  [({ tokenBucket }) => tokenBucket({ perSecond: 5, keyOf: 'id' }), 'keyOf', 'function'],
]);
