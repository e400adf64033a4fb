import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WorldsError } from '../../../../src/model/worlds-error.ts';
import { Backtracker } from '../../../../src/sparql/expressions/regex/backtracker.ts';
import { LazyDfa } from '../../../../src/sparql/expressions/regex/lazy-dfa.ts';
import { isLinearForBacktracking, readsOfBacktracking } from '../../../../src/sparql/expressions/regex/native-regex.ts';
import { compilePattern, Pattern } from '../../../../src/sparql/expressions/regex/pattern.ts';
import { PikeMachine } from '../../../../src/sparql/expressions/regex/pike-machine.ts';
import { compileRegex } from '../../../../src/sparql/expressions/regex/regex-program.ts';
import { type ParsedRegex, parseFlags, parseRegex } from '../../../../src/sparql/expressions/regex/regex-syntax.ts';
import { parseReplacement } from '../../../../src/sparql/expressions/regex/replacement.ts';
import { MAX_STEPS, READS_PER_STEP } from '../../../../src/sparql/expressions/regex/step-limit.ts';

function parsed(pattern: string, flags = ''): ParsedRegex {
  const result = parseRegex(pattern, parseFlags(flags)!);
  if (!result) throw new Error(`No pattern: ${pattern}`);
  return result;
}

/** A pattern that uses only the machines of our own. */
const ownPattern = (pattern: string, flags = '') =>
  new Pattern(parsed(pattern, flags), parseFlags(flags)!, { allowNative: false });

const compiled = (pattern: string) => new Pattern(parsed(pattern), parseFlags('')!);

const program = (pattern: string, flags = '') => {
  const { root, groupCount } = parsed(pattern, flags);
  return compileRegex(root, groupCount, { multiLine: flags.includes('m') });
};

function codeOf(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof WorldsError) return error.code;
    throw error;
  }
}

/**
 * XSD 1.1 part 2, appendix G, and XPath F&O 5.6.1: what a pattern with flags matches somewhere in,
 * and what not.
 */
const MATCHES: readonly (readonly [pattern: string, flags: string, yes: readonly string[], no: readonly string[]])[] = [
  ['', '', ['', 'a'], []],
  ['abc', '', ['abc', 'xabcx'], ['ab', 'ABC']],
  ['^abc', '', ['abcx'], ['xabc', '\nabc']],
  ['abc$', '', ['xabc'], ['abcx', 'abc\n']],
  ['^abc$', '', ['abc'], ['abcx', 'xabc', '']],
  ['^$', '', [''], ['a', '\n']],
  ['$', '', ['', 'a'], []],
  ['(a|b)$', '', ['xa', 'b'], ['ax']],
  ['a|b|', '', ['', 'x'], []],
  ['^(a|bc)+$', '', ['a', 'bc', 'abca'], ['', 'ab', 'c']],
  ['^a?b*c+$', '', ['c', 'ac', 'abbcc'], ['ab', 'aac']],
  ['^a{2}$', '', ['aa'], ['a', 'aaa']],
  ['^a{2,}$', '', ['aa', 'aaaa'], ['a']],
  ['^a{2,3}$', '', ['aa', 'aaa'], ['a', 'aaaa']],
  ['^a{0}$', '', [''], ['a']],
  ['^(ab){0,2}?$', '', ['', 'ab', 'abab'], ['ababab']],
  ['^a.c$', '', ['abc', 'a\u2028c', 'a\u{1f600}c'], ['a\nc', 'a\rc', 'ac', 'abbc']],
  ['^a.c$', 's', ['abc', 'a\nc', 'a\rc'], ['ac']],
  // "^ matches the start of any line ... other than a newline that appears as the last character"
  ['^b', 'm', ['a\nb', 'b'], ['a\rb', 'ab']],
  ['^', 'm', ['', '\n'], []],
  ['a\n^', 'm', ['a\nb'], ['a\n']],
  ['a$', 'm', ['a\nb', 'a', 'b\na'], ['ab', 'a\rb']],
  ['^a$\n^b$', 'm', ['a\nb', 'x\na\nb\ny'], ['a\n\nb']],
  ['^\n^', 'm', ['\n\n', 'a\n\nb'], ['\n']],
  ['ABC', 'i', ['abc', 'aBc'], ['ab']],
  ['[a-c]', 'i', ['B'], ['D']],
  ['^[^a]$', 'i', ['b'], ['a', 'A']],
  ['^[A-Z-[IO]]$', 'i', ['a', 'Z'], ['i', 'O', 'I']],
  ['^\\p{Lu}$', 'i', ['A'], ['a']],
  ['straSSe', 'i', ['STRASSE'], ['straße']],
  ['^k$', 'i', ['K', '\u212a'], ['c']],
  ['^\u03c3$', 'i', ['\u03a3', '\u03c2'], ['s']],
  ['^\u{10428}$', 'i', ['\u{10400}'], ['a']],
  ['a b # c', 'x', ['ab#c'], ['a b # c']],
  ['a[ ]b', 'x', ['a b'], ['ab']],
  ['a { 2 }', 'x', ['aa'], ['a']],
  ['a.b*', 'q', ['xa.b*x'], ['axb']],
  ['A.B*', 'qi', ['a.b*'], ['axb']],
  ['^\\d+$', '', ['09', '\u0663'], ['a', '\u00bd']],
  ['^\\D$', '', ['a'], ['1']],
  ['^\\s+$', '', [' \t\r\n'], ['\u00a0', '\u2028']],
  ['^\\S$', '', ['\u00a0'], [' ']],
  ['^\\w+$', '', ['aé1日$'], ['_', ' ', '.', '-']],
  ['^\\W$', '', ['.', '_'], ['a']],
  ['^\\i\\c*$', '', ['a-b.c', '_x', ':a', 'é1'], ['1a', '-a', 'a b']],
  ['^\\I$', '', ['1'], ['a']],
  ['^\\C$', '', [' '], ['1', 'a']],
  ['^\\p{L}\\p{Nd}\\P{L}$', '', ['a11', 'é1.'], ['111', 'a1a']],
  ['^\\p{IsBasicLatin}+$', '', ['az~'], ['é']],
  ['^\\p{IsGreekandCoptic}\\p{IsGreek}$', '', ['αβ'], ['ab']],
  ['^\\P{IsCyrillic}$', '', ['a'], ['ж']],
  ['^\\p{IsEmoticons}$', '', ['\u{1f600}'], ['a']],
  ['^\\p{Cn}$', '', ['\u0378', '\u{10ffff}'], ['a', '\ud800']],
  ['^\\p{Co}$', '', ['\ue000', '\u{10fffd}', '\u{f0000}'], ['a']],
  ['^[a-z-[aeiou]]+$', '', ['xyz'], ['xaz', 'A']],
  ['^[a-z-[a-y-[m]]]+$', '', ['zm'], ['a']],
  ['^[^a-z-[0-9]]$', '', ['A'], ['a', '5']],
  ['^[-a]+$', '', ['a-'], ['b']],
  ['^[a-]+$', '', ['a-'], ['b']],
  ['^[a\\-z]+$', '', ['a-z'], ['b']],
  ['^[\\d\\s.]+$', '', ['1 .'], ['a']],
  ['^[\\^\\]\\[\\\\]+$', '', ['^][\\'], ['a']],
  ['^[$.*+?(){}|]+$', '', ['$.*+?(){}|'], ['a']],
  ['^\\n\\r\\t\\\\\\|\\.\\?\\*\\+\\(\\)\\{\\}\\-\\[\\]\\^\\$$', '', ['\n\r\t\\|.?*+(){}-[]^$'], ['']],
  ['^.$', '', ['\u{1f600}', '日'], ['\u{1f600}\u{1f600}']],
  ['^[\u{1f600}-\u{1f64f}]{2}$', '', ['\u{1f600}\u{1f601}'], ['\u{1f600}']],
  ['^(a)(?:b)\\1$', '', ['aba'], ['abb']],
  ['^(.+)\\1$', '', ['abab', 'aa'], ['aba', '']],
  ['^(a)|b\\1$', '', ['a', 'b'], ['c']],
  ['^(.)\\1$', 'i', ['aA', 'kK'], ['ab']],
  ['^(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)\\10\\1$', '', ['abcdefghijja'], ['abcdefghija0']],
  ['^(a)\\10$', '', ['aa0'], ['aaa']],
  ['^(a*)*$', '', ['', 'aaa'], ['b']],
  ['^(a*)+\\1$', '', ['', 'aa'], ['b']],
  ['^(|a)+$', '', ['', 'a', 'aa'], ['b']],
  ['^(a+|b+)*?c', '', ['aabbc', 'c'], ['aabb']],
];

/** F&O 5.6.1, err:FORX0002. */
const NO_PATTERNS = [
  '(',
  ')',
  '(a',
  'a)',
  '[',
  ']',
  '[a',
  '[]',
  '[^]',
  '{',
  '}',
  'a{',
  'a{1',
  'a{,2}',
  'a{2,1}',
  'a{x}',
  '*',
  '+a',
  '?',
  'a**',
  'a{1}{2}',
  '|*',
  '\\',
  '\\q',
  '\\b',
  '\\/',
  '\\p',
  '\\p{',
  '\\p{Xx}',
  '\\p{Cs}',
  '\\p{IsNowhere}',
  '\\pL',
  '[z-a]',
  '[a-\\d]',
  '[\\d-z]',
  '[a--b]',
  '[a[b]]',
  '[-[a]]',
  '[a-[b]c]',
  '\\1',
  '(a\\1)',
  '(a)\\2',
  '[\\1]',
  '(?=a)',
  '(?<n>a)',
  '(?i)a',
  '\\u0041',
  '\\0',
];

describe('patterns (XPath F&O 5.6.1)', () => {
  it.each(MATCHES)('/%s/%s', (pattern, flags, yes, no) => {
    const fast = compilePattern(pattern, flags)!;
    const own = ownPattern(pattern, flags);
    for (const [texts, expected] of [
      [yes, true],
      [no, false],
    ] as const) {
      for (const text of texts) {
        expect(`${JSON.stringify(text)} ${fast.test(text)}`).toBe(`${JSON.stringify(text)} ${expected}`);
        expect(`${JSON.stringify(text)} ${own.test(text)}`).toBe(`${JSON.stringify(text)} ${expected}`);
        // The cache and the machines keep nothing from one text to the next.
        expect(own.test(text)).toBe(expected);
      }
    }
  });

  it.each(NO_PATTERNS)('/%s/ is not a pattern', (pattern) => expect(compilePattern(pattern, '')).toBeUndefined());

  it('with unknown flags are not valid', () => {
    for (const flags of ['g', 'I', 'ig', ' ']) expect(compilePattern('a', flags)).toBeUndefined();
    expect(compilePattern('a', 'smixq')).toBeDefined();
  });

  it('with a syntax of their own for \\w know every character', () => {
    // XSD 1.1 part 2, G.4.2.5: all characters except the set of "punctuation", "separator" and
    // "other" characters
    const word = ownPattern('^\\w$');
    const expected = /^[^\p{P}\p{Z}\p{C}]$/u;
    for (let codePoint = 0; codePoint <= 0x10ffff; codePoint += codePoint < 0x3000 ? 1 : 97) {
      if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue;
      const text = String.fromCodePoint(codePoint);
      if (word.test(text) !== expected.test(text)) expect.fail(`U+${codePoint.toString(16)}`);
    }
  });
});

const REPLACEMENTS: readonly (readonly [
  pattern: string,
  flags: string,
  text: string,
  replacement: string,
  result: string,
])[] = [
  ['a', '', 'banana', 'o', 'bonono'],
  ['(a)(b)?', '', 'abac', '[$1$2]', '[ab][a]c'],
  ['(a|b)+', '', 'xabbay', '<$1>', 'x<a>y'],
  ['(?:(a)|(b))+', '', 'ab', '<$1$2>', '<ab>'],
  ['a+?', '', 'aaa', 'b', 'bbb'],
  ['a{2,3}', '', 'aaaaa', 'b', 'bb'],
  ['a|ab', '', 'ab', 'x', 'xb'],
  ['ab|a', '', 'ab', 'x', 'x'],
  ['^a', '', 'aa', 'b', 'ba'],
  ['^a', 'm', 'aa\naa', 'b', 'ba\nba'],
  ['a$', 'm', 'aa\naa', 'b', 'ab\nab'],
  ['(.)\\1', '', 'aabbc', '$1', 'abc'],
  ['.', '', '\u{1f600}b', 'x', 'xx'],
  ['[^\u{1f600}]', '', '\u{1f600}b', 'x', '\u{1f600}x'],
  ['x', '', 'none', 'y', 'none'],
  ['(?:(a)(b)){1,2}c', '', 'ababc', '<$1$2>', '<ab>'],
  ['x(a)?', '', 'xax', '<$1>', '<a><>'],
  ['(\\d+)-(\\d+)', '', '10-20, 3-4', '$2-$1', '20-10, 4-3'],
];

describe('replacing (XPath F&O 5.6.4)', () => {
  it.each(REPLACEMENTS)('/%s/%s in %j by %j', (pattern, flags, text, replacement, result) => {
    for (const compiled of [compilePattern(pattern, flags)!, ownPattern(pattern, flags)]) {
      const pieces = parseReplacement(replacement, compiled)!;
      expect(compiled.matchesEmpty).toBe(false);
      expect(compiled.replace(text, pieces)).toBe(result);
      expect(compiled.replace(text, pieces)).toBe(result);
    }
  });

  it('needs a pattern that does not match the empty string', () => {
    for (const pattern of ['', 'a*', 'a|', '^', '$', '(a?)(b?)'])
      expect(compilePattern(pattern, '')!.matchesEmpty).toBe(true);
  });

  it('reads $n and \\ as XPath has it', () => {
    const groups = { groupCount: 12, isLiteral: false };
    expect(parseReplacement('a$1b$12$13$0\\$\\\\', groups)).toEqual(['a', 1, 'b', 12, 1, '3', 0, '$\\']);
    // "If S is greater than the number of captured substrings ... replaced by the zero-length
    // string"
    expect(parseReplacement('a$5b', { groupCount: 2, isLiteral: false })).toEqual(['a', 'b']);
    for (const wrong of ['$', '$a', '\\', '\\n', 'a$']) expect(parseReplacement(wrong, groups)).toBeUndefined();
    expect(parseReplacement('$\\', { groupCount: 0, isLiteral: true })).toEqual(['$\\']);
  });
});

/**
 * Random patterns in the syntax that XPath and JavaScript share, where both mean the same. `empty`
 * allows repetitions of what may be empty: then the languages agree on whether there is a match,
 * but not on which.
 */
function anyPattern(empty: boolean): fc.Arbitrary<string> {
  const anchors = empty ? ['^', '$'] : [];
  const leaf = fc.constantFrom('a', 'a', 'b', 'c', '[ab]', '[^a]', '[a-c]', '\\.', '😀', '[b😀]', ...anchors);
  const quantifier = fc.constantFrom('', '', '', '?', '*', '+', '??', '*?', '+?', '{2}', '{0,2}', '{1,}', '{1,3}?');
  const nested = (depth: number): fc.Arbitrary<string> => {
    const atom =
      depth === 0
        ? leaf
        : fc.oneof(
            { weight: 3, arbitrary: leaf },
            { weight: 1, arbitrary: nested(depth - 1).map((body) => `(${body})`) },
            { weight: 1, arbitrary: nested(depth - 1).map((body) => `(?:${body})`) },
          );
    const piece = fc
      .tuple(atom, quantifier)
      .map(([body, suffix]) => (body === '^' || body === '$' ? body : body + suffix));
    const sequence = fc
      .array(piece, { minLength: empty ? 0 : 1, maxLength: 3 })
      // What begins with a character is not empty, whatever follows.
      .chain((pieces) => fc.constantFrom('a', 'b').map((first) => (empty ? '' : first) + pieces.join('')));
    return fc.array(sequence, { minLength: 1, maxLength: 2 }).map((options) => options.join('|'));
  };
  return nested(2);
}

/** What the backtracking machine finds; undefined where it gives up, which is its right. */
function backtrack(source: string, text: string, flags = ''): Backtracker | null | undefined {
  const machine = new Backtracker(program(source, flags), false);
  try {
    return machine.find(text, 0) ? machine : null;
  } catch (error) {
    if (error instanceof WorldsError && error.code === 'LIMIT_EXCEEDED') return undefined;
    throw error;
  }
}

/**
 * Whether JavaScript is asked: it backtracks too, and has no limit. It took a minute for some
 * random pattern of 150,000 and ten characters, always where the backtracking machine gave up.
 */
const isForJavaScript = (source: string, text: string, flags = '') => backtrack(source, text, flags) !== undefined;

const anyText = fc.array(fc.constantFrom('a', 'b', 'c', '.', '😀'), { maxLength: 12 }).map((parts) => parts.join(''));

// V8 of Chromium 156 looks for some of them too close to the end of the text.
it.each([
  ['[b😀]$', '😀', true],
  ['[b😀]{2}$', '😀😀', true],
  ['[😀-😃]$', 'a😀', true],
  ['a[😀-😃]{2}$', 'a😀😀', true],
  ['([b😀])$', 'x😀', true],
  ['[^a]{2}$', '😀😀', true],
  ['.{3}$', '😀😀', false],
  ['[b😀]$', '😀c', false],
])('%s at the end of %s: %s', (pattern, text, matches) => {
  expect([compiled(pattern).test(text), ownPattern(pattern).test(text)]).toEqual([matches, matches]);
});

describe('against JavaScript on the common syntax', () => {
  it('the machines find a match where JavaScript does', () => {
    let matched = 0;
    let native = 0;
    let gaveUp = 0;
    fc.assert(
      fc.property(anyPattern(true), fc.array(anyText, { minLength: 3, maxLength: 6 }), (source, texts) => {
        const expected = new RegExp(source, 'u');
        const own = ownPattern(source);
        const fast = new Pattern(parsed(source), parseFlags('')!);
        if (isLinearForBacktracking(parsed(source).root)) native += 1;
        const pike = new PikeMachine(program(source));
        for (const text of texts) {
          const byTrial = backtrack(source, text);
          if (byTrial === undefined) gaveUp += 1;
          const answer = byTrial === undefined ? own.test(text) : expected.test(text);
          if (answer) matched += 1;
          expect([own.test(text), fast.test(text), pike.find(text, 0)]).toEqual([answer, answer, answer]);
          if (byTrial !== undefined) expect(byTrial !== null).toBe(answer);
        }
      }),
      { numRuns: 1200 },
    );
    // The test says something only when both answers and both ways occur.
    expect(matched).toBeGreaterThan(400);
    expect(gaveUp).toBeLessThan(60);
    expect(native).toBeGreaterThan(60);
  });

  it('the machines find the same match and groups', () => {
    let found = 0;
    fc.assert(
      fc.property(anyPattern(false), anyText, (source, text) => {
        const pike = new PikeMachine(program(source));
        const byTrial = backtrack(source, text);
        if (byTrial === undefined) return;
        const match = new RegExp(source, 'du').exec(text);
        expect([pike.find(text, 0), byTrial !== null]).toEqual([match !== null, match !== null]);
        if (!match || !byTrial) return;
        found += 1;
        expect([...pike.slots.slice(0, 2)]).toEqual(match.indices![0]);
        // The two machines agree on groups in repetitions too, which JavaScript forgets.
        expect([...byTrial.slots.slice(0, pike.slots.length)]).toEqual([...pike.slots]);
      }),
      { numRuns: 1200 },
    );
    expect(found).toBeGreaterThan(120);
  });

  it('replacements are the same natively and by machine', () => {
    let replaced = 0;
    fc.assert(
      fc.property(anyPattern(false), anyText, (source, text) => {
        const fast = new Pattern(parsed(source), parseFlags('')!);
        const own = ownPattern(source);
        // It searches what follows each match, too.
        const rests = Array.from(text, (_, i) => text.slice(i));
        if (own.matchesEmpty || !rests.every((rest) => isForJavaScript(source, rest))) return;
        const pieces = parseReplacement('<$0|$1|$2>', own)!;
        const result = own.replace(text, pieces);
        if (result !== text) replaced += 1;
        expect(fast.replace(text, pieces)).toBe(result);
        expect(own.replace(text, ['<', 0, '>'])).toBe(text.replace(new RegExp(source, 'gu'), '<$&>'));
      }),
      { numRuns: 1200 },
    );
    expect(replaced).toBeGreaterThan(120);
  });

  it('case-insensitive ASCII means the same', () => {
    fc.assert(
      fc.property(anyPattern(true), anyText, (source, text) => {
        const upper = text.toUpperCase();
        if (!isForJavaScript(source, upper, 'i')) return;
        expect(ownPattern(source, 'i').test(upper)).toBe(new RegExp(source, 'iu').test(upper));
        expect(new Pattern(parsed(source, 'i'), parseFlags('i')!).test(upper)).toBe(
          new RegExp(source, 'iu').test(upper),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('every general category is the one of JavaScript', () => {
    const names = [
      'L',
      'Lu',
      'Ll',
      'Lt',
      'Lm',
      'Lo',
      'M',
      'Mn',
      'Mc',
      'Me',
      'N',
      'Nd',
      'Nl',
      'No',
      'P',
      'Pc',
      'Pd',
      'Ps',
      'Pe',
      'Pi',
      'Pf',
      'Po',
    ];
    for (const name of [...names, 'Z', 'Zs', 'Zl', 'Zp', 'S', 'Sm', 'Sc', 'Sk', 'So', 'C', 'Cc', 'Cf', 'Co', 'Cn']) {
      const own = ownPattern(`^\\p{${name}}$`);
      const expected = new RegExp(`^\\p{${name}}$`, 'u');
      for (let codePoint = 0; codePoint <= 0x10ffff; codePoint += codePoint < 0x3000 ? 1 : 53) {
        const text = String.fromCodePoint(codePoint);
        if (own.test(text) !== expected.test(text)) expect.fail(`${name} U+${codePoint.toString(16)}`);
      }
    }
  });
});

/** Patterns that make a backtracking matcher take exponential or quadratic time. */
const CATASTROPHIC = [
  '(a+)+$',
  '^(a+)+$',
  '(a|a)*$',
  '(a|aa)+$',
  '(a*)*b',
  '(.*)*x',
  '(a?){30}a{30}b',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  'a*b',
  'a.*b.*c',
  '(x+x+)+y',
  '(a|b)*a(a|b){12}c',
];

function randomText(length: number): string {
  let text = '';
  let seed = 1;
  for (let i = 0; i < length; i++) {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    text += seed & 0x10000 ? 'a' : 'b';
  }
  return text;
}

describe('time', () => {
  it.each(CATASTROPHIC)('of /%s/ is linear', (pattern) => {
    const { root, groupCount } = parsed(pattern);
    const stepsFor = (length: number) => {
      const dfa = new LazyDfa(compileRegex(root, 0, { multiLine: false }));
      dfa.test(`${'a'.repeat(length)}!`);
      return dfa.steps;
    };
    const instructions = program(pattern).operations.length;
    // The states are built once; after that each character costs one step.
    expect(stepsFor(50_000) - stepsFor(25_000)).toBeLessThanOrEqual(25_001);
    expect(stepsFor(50_000)).toBeLessThan(50_001 + 200 * instructions);

    const pike = new PikeMachine(compileRegex(root, groupCount, { multiLine: false }), Number.POSITIVE_INFINITY);
    pike.find(`${'a'.repeat(5000)}!`, 0);
    expect(pike.steps).toBeLessThan(5002 * 3 * instructions);
    // None of them goes to JavaScript's matcher.
    expect(isLinearForBacktracking(root)).toBe(false);
  });

  it('of many states is bounded by the program, and memory too', () => {
    const dfa = new LazyDfa(program('(a|b)*a(a|b){14}c'), Number.POSITIVE_INFINITY);
    const text = randomText(30_000);
    expect(dfa.test(text)).toBe(false);
    expect(dfa.test(`${text}${'a'.repeat(15)}c`)).toBe(true);
    expect(dfa.steps).toBeLessThan(70_000 * 2 * program('(a|b)*a(a|b){14}c').operations.length);
  });

  it.each([
    '^full.*1[0-9]?$',
    'abc|def',
    '^a*b',
    '[^a-z]+',
    'a{1,3}b',
    '(ab)?c',
    '^(a|b)c*$',
    '^([a-z]+)-([a-z]+)-.*$',
    '-[0-9]+$',
    '"[^"]*"',
    ' (at [a-z]+|on [0-9]+): ',
    '#[a-z0-9]+x',
  ])('/%s/ may go to JavaScript', (pattern) => {
    expect(isLinearForBacktracking(parsed(pattern).root)).toBe(true);
  });

  it.each([
    'a+b',
    '(a|b)*',
    '(ab)*',
    '(a{1,3}){1,3}b',
    '^a*b*c',
    '(a|b){3}c',
    '^(a*|b)c*d',
    'a+$',
    '[ab]{0,40}[bc]{0,40}x',
    '(a)\\1',
    '<[^>]*>',
    '[0-9]+$',
    '^[a-z]+-[a-z0-9]+x',
    '(a|b)[a-z]+-',
    '-(c[0-9]+)+$',
    '(-[a-z]*x){0,3}y',
    '(-[a-z]*[0-9])?y',
    '^(-[a-z]*[0-9]){0,9}y',
    '-[a-z]+x[a-z]+y',
  ])('/%s/ may not', (pattern) => expect(isLinearForBacktracking(parsed(pattern).root)).toBe(false));

  it('that goes to JavaScript is linear by counting', () => {
    // Loops that read what is before, between or behind them, or not.
    const character = fc.constantFrom('a', 'b', '-', '[ab]', '[^-]', '[^a]', '[a-]');
    const piece = fc.oneof(
      { weight: 2, arbitrary: character },
      {
        weight: 2,
        arbitrary: fc
          .tuple(character, fc.constantFrom('*', '+', '*?', '+?', '?', '{1,2}'))
          .map((parts) => parts.join('')),
      },
      { weight: 1, arbitrary: fc.tuple(character, character).map(([one, other]) => `(${one}+|${other})`) },
      { weight: 1, arbitrary: fc.constantFrom('$', '(b)?', '(a-)+', '(-a*b)?', '(-a*b){0,9}', '(a*-){1,9}') },
    );
    const source = fc
      .tuple(fc.constantFrom('', '', '^'), fc.array(piece, { minLength: 2, maxLength: 6 }))
      .map(([start, pieces]) => start + pieces.join(''));
    const unit = fc.array(fc.constantFrom('a', 'b', '-'), { minLength: 1, maxLength: 4 });
    const text = fc.tuple(unit, unit).map(([one, other]) => one.join('').repeat(150) + other.join('').repeat(50));
    let counted = 0;
    let loops = 0;
    fc.assert(
      fc.property(source, text, (pattern, long) => {
        const { root } = parsed(pattern);
        const reads = readsOfBacktracking(root);
        if (reads === undefined) return;
        counted++;
        if (/[*+]/.test(pattern.slice(0, -2))) loops++;
        const machine = new Backtracker(program(pattern), false);
        machine.find(long, 0);
        // Up to four steps for what is one read there: into the loop, the read, back, and out.
        expect(machine.steps, pattern).toBeLessThanOrEqual(4 * (reads + 3) * (long.length + 1));
      }),
      { numRuns: 6000 },
    );
    expect(counted).toBeGreaterThan(1000);
    expect(loops).toBeGreaterThan(400);
  });

  it('of many states has a limit', () => {
    const pattern = compilePattern('(a|b)*a(a|b){14}c', '')!;
    expect(pattern.test(randomText(1000))).toBe(false);
    expect(codeOf(() => pattern.test(randomText(100_000)))).toBe('LIMIT_EXCEEDED');
    // It is that of one text: the next one is matched as if nothing had been.
    expect(pattern.test(`${randomText(1000)}a${'b'.repeat(14)}c`)).toBe(true);
  });

  it('of a long text has a limit, for each machine', () => {
    const longest = MAX_STEPS * READS_PER_STEP;
    const dfa = () => new LazyDfa(program('(a|c)+d'));
    const within = dfa();
    expect(within.test('a'.repeat(longest))).toBe(false);
    expect(within.steps).toBeLessThan(longest + 100);
    expect(codeOf(() => dfa().test('a'.repeat(longest + 1)))).toBe('LIMIT_EXCEEDED');
    expect(dfa().test(`cd${'a'.repeat(longest)}`)).toBe(true);

    const pike = new PikeMachine(program('(a|c)+d'));
    expect(codeOf(() => pike.find('a'.repeat(longest), 0))).toBe('LIMIT_EXCEEDED');
    expect(pike.steps).toBeLessThan(MAX_STEPS + 100);
  });

  it('of a pattern of many ways leaves JavaScript where the text is long', () => {
    // At each start it may read 40 characters in two ways; that many times 100,000 is within the
    // limit, 1,000,000 are not.
    const source = 'a{39}(b|a{0,1})x';
    const { root } = parsed(source);
    expect(readsOfBacktracking(root)).toBeGreaterThan(80);
    const pattern = compilePattern(source, '')!;
    for (const length of [50_000, 1_000_000]) {
      expect(pattern.test('a'.repeat(length))).toBe(false);
      expect(pattern.test(`${'a'.repeat(length)}x`)).toBe(true);
    }
  });

  it('of a replacement with many matches, or many pieces for each, has a limit', () => {
    const space = compilePattern(' ', '')!;
    expect(space.replace(' '.repeat(90_000), ['']).length).toBe(0);
    expect(codeOf(() => space.replace(' '.repeat(1_000_000), ['']))).toBe('LIMIT_EXCEEDED');
    const pieces = new Array(10_000).fill(1);
    for (const source of ['a(b?)', 'a(b*)c?', '(a)(c*)\\2']) {
      const pattern = compilePattern(source, '')!;
      expect(codeOf(() => pattern.replace('a'.repeat(100_000), pieces))).toBe('LIMIT_EXCEEDED');
      expect(pattern.replace('za', [0, '-'])).toBe('za-');
    }
  });

  it('of back-references has a limit', () => {
    const pattern = compilePattern('^(a+)+\\1b$', '')!;
    expect(codeOf(() => pattern.test('a'.repeat(50_000)))).toBe('LIMIT_EXCEEDED');
    expect(pattern.test('aab')).toBe(true);
  });

  it('of a replacement that looks far ahead again and again has a limit', () => {
    const pattern = compilePattern('a(.*b)?', '')!;
    expect(pattern.replace('aaa', ['x'])).toBe('xxx');
    expect(codeOf(() => pattern.replace('a'.repeat(50_000), ['x']))).toBe('LIMIT_EXCEEDED');
  });
});

describe('limits', () => {
  it.each([
    ['((a{100}){100}){100}', 'written out'],
    ['a{100000}', 'written out'],
    [`a{1,${'9'.repeat(30)}}`, 'written out'],
    ['(?:(?:){1000000}){1000000}a{5000}', 'written out'],
    ['('.repeat(1000), 'nesting'],
    [`${'[a-'.repeat(1000)}`, 'nesting'],
    ['a'.repeat(20_000), 'length'],
  ])('of patterns: %#', (pattern) => {
    expect(codeOf(() => compilePattern(pattern, '')?.test('b'))).toBe('LIMIT_EXCEEDED');
  });

  it('of groups hold only where their text is wanted', () => {
    const pattern = compilePattern(`${'(a)|'.repeat(150)}(b+c)+`, '')!;
    expect(pattern.test('bbc')).toBe(true);
    expect(codeOf(() => pattern.replace('bbc', ['x']))).toBe('LIMIT_EXCEEDED');
  });

  it('do not loop over an empty body, however often it is repeated', () => {
    expect(compilePattern('^(?:){999999999}$', '')!.test('')).toBe(true);
  });
});

describe('the cache', () => {
  it('returns the same pattern for the same text and flags', () => {
    expect(compilePattern('cached', 'i')).toBe(compilePattern('cached', 'i'));
    expect(compilePattern('cached', '')).not.toBe(compilePattern('cached', 'i'));
    expect(compilePattern('i/x', '')!.test('i/x')).toBe(true);
  });

  it('evicts the least recently used patterns', () => {
    const first = compilePattern('oldest', '');
    const kept = compilePattern('kept', '');
    for (let i = 0; i < 127; i++) {
      compilePattern(`filler${i}`, '');
      compilePattern('kept', '');
    }
    expect(compilePattern('kept', '')).toBe(kept);
    expect(compilePattern('oldest', '')).not.toBe(first);
  });
});
