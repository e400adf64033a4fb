import type { ExpandedObject } from './expanded-objects.ts';
import { RawJson } from './json-output.ts';
import { looksLikeIri } from './keywords.ts';
import { nativeValue } from './native-value.ts';
import { invalidJsonLd, type JsonLdWork, type Kernel, shown } from './work.ts';

/** When a node is written in the place of a reference to it. */
export type Embed = '@always' | '@once' | '@never';

/** The flags of a frame that apply to the node that it matches. */
export interface FrameFlags {
  readonly embed: Embed;
  readonly explicit: boolean;
  readonly requireAll: boolean;
}

/**
 * What the strings of a keyword match: any of the strings; `any` for a value that is present,
 * `none` for the absence of values.
 */
export type Strings = ReadonlySet<string> | 'any' | 'none';

/** A value pattern (JSON-LD 1.1 Framing section 3.3). */
export interface ValuePattern {
  /** Lexical forms, or `any`. */
  readonly values: Strings;
  readonly types: Strings;
  /** In lower case. */
  readonly languages: Strings;
}

/** A frame object, validated. */
export interface Frame {
  readonly ids: Strings | undefined;
  /** `default` matches every node. */
  readonly types: Strings | 'default' | undefined;
  readonly properties: ReadonlyMap<string, readonly Frame[]>;
  /** Set in a value pattern. */
  readonly value: ValuePattern | undefined;
  /** The frame for the items of a list, if this is one for a list. */
  readonly list: Frame | undefined;
  readonly graph: Frame | undefined;
  readonly included: Frame | undefined;
  readonly reverse: ReadonlyMap<string, Frame>;
  readonly flags: FrameFlags;
  readonly omitDefault: boolean;
  /** The value of `@default`; {@link NULL_VALUE} for `@null`; undefined if there is none. */
  readonly default: ExpandedObject | undefined;
  readonly defaultType: string | undefined;
  /** Whether it matches whatever is present: it has no property, apart from framing keywords. */
  readonly isWildcard: boolean;
}

/** A value that is written as null; stands for `@null` in framed nodes. */
export const NULL_VALUE: ExpandedObject = { '@value': null };

/** The flags of JSON-LD 1.1 Framing section 4.2 (JsonLdOptions). */
export interface FramingOptions {
  /** Initial `@embed`. `true` means `@once`, `false` means `@never`. Default: `@once`. */
  readonly embed?: Embed | boolean | undefined;
  /** Initial `@explicit`: whether properties that the frame lacks are left out. Default: false. */
  readonly explicit?: boolean | undefined;
  /** Initial `@requireAll`: whether a node must match all of a frame. Default: false. */
  readonly requireAll?: boolean | undefined;
  /** Initial `@omitDefault`: whether missing properties are left out. Default: false. */
  readonly omitDefault?: boolean | undefined;
  /** Whether a single result is written without `@graph` around it. Default: true. */
  readonly omitGraph?: boolean | undefined;
  /** Whether blank node identifiers that occur once are left out. Default: true. */
  readonly pruneBlankNodeIdentifiers?: boolean | undefined;
}

/** Compiles expanded frames. Throws INVALID_RDF that names the mistake. */
export class FrameCompiler {
  readonly flags: FrameFlags;
  readonly omitDefault: boolean;
  private readonly work: JsonLdWork;

  constructor({ embed, explicit = false, requireAll = false, omitDefault = false }: FramingOptions, work: JsonLdWork) {
    this.flags = { embed: embedOf(embed ?? '@once'), explicit, requireAll };
    this.omitDefault = omitDefault;
    this.work = work;
  }

  /** Returns the frame of an expanded document, which must have exactly one. */
  *document(expanded: readonly ExpandedObject[]): Kernel<Frame> {
    if (expanded.length !== 1)
      invalidJsonLd(`invalid frame: it must be a single object, and this one expands to ${expanded.length}`);
    return yield* this.compile(expanded[0]);
  }

  /** Returns the frame for values without one: it matches all, under the flags of its parent. */
  implicit(flags: FrameFlags): Frame {
    return {
      ids: undefined,
      types: undefined,
      properties: new Map(),
      value: undefined,
      list: undefined,
      graph: undefined,
      included: undefined,
      reverse: new Map(),
      flags,
      omitDefault: this.omitDefault,
      default: undefined,
      defaultType: undefined,
      isWildcard: true,
    };
  }

  /** Framing section 2.1, step 1, and the frames in a frame. */
  private *compile(given: unknown): Kernel<Frame> {
    const { work } = this;
    if (work.step()) yield;
    if (typeof given !== 'object' || given === null || Array.isArray(given))
      return invalidJsonLd(`invalid frame: ${shown(given)} is no object`);
    const frame = given as ExpandedObject;
    const properties = new Map<string, readonly Frame[]>();
    for (const name in frame) {
      if (name.startsWith('@')) continue;
      if (name.startsWith('_:')) invalidJsonLd(`invalid frame: the property ${shown(name)} is a blank node`);
      const frames: Frame[] = [];
      for (const value of frame[name] as readonly unknown[]) frames.push(yield* this.compile(value));
      properties.set(name, frames);
    }
    const reverse = new Map<string, Frame>();
    const reversed = (frame['@reverse'] ?? {}) as ExpandedObject;
    for (const name in reversed) reverse.set(name, yield* this.first(reversed[name]));
    const isValue = '@value' in frame;
    const types = yield* this.strings(frame['@type'], isValue ? 'the @type of a value' : '@type', true);
    const ids = yield* this.strings(frame['@id'], '@id', true);
    const value = isValue ? yield* this.value(frame) : undefined;
    for (const type of defaultTypes(frame) ?? [])
      if (!looksLikeIri(type))
        invalidJsonLd(`invalid frame: the @default of @type is ${shown(type)}, which is not an IRI`);
    const list = '@list' in frame ? yield* this.first(frame['@list']) : undefined;
    const { explicit, requireAll } = this.flags;
    return {
      ids,
      types: types ?? (defaultTypes(frame) && 'default'),
      properties,
      value,
      list,
      graph: '@graph' in frame ? yield* this.first(frame['@graph']) : undefined,
      included: '@included' in frame ? yield* this.first(frame['@included']) : undefined,
      reverse,
      flags: {
        embed: '@embed' in frame ? embedOf(frame['@embed']) : this.flags.embed,
        explicit: booleanOf(frame, '@explicit') ?? explicit,
        requireAll: booleanOf(frame, '@requireAll') ?? requireAll,
      },
      omitDefault: booleanOf(frame, '@omitDefault') ?? this.omitDefault,
      default: defaultOf(frame),
      defaultType: defaultTypes(frame)?.[0],
      isWildcard: !(ids || types || value || list || properties.size > 0 || defaultTypes(frame)),
    };
  }

  /** "the first value ... as frame. If frame does not exist, create a new frame". */
  private *first(values: unknown): Kernel<Frame> {
    const [value] = Array.isArray(values) ? values : [values];
    return value === undefined ? this.implicit(this.flags) : yield* this.compile(value);
  }

  private *value(frame: ExpandedObject): Kernel<ValuePattern> {
    const [type] = asArray(frame['@type']);
    const datatype = typeof type === 'string' ? type : undefined;
    const given = asArray(frame['@value']);
    const natives = new Set<string>();
    const values: unknown[] = [];
    for (const item of given) {
      if (this.work.step()) yield;
      const native = nativeValue(item, datatype);
      if (native) natives.add(native.datatype);
      values.push(native ? native.value : item);
    }
    return {
      values: (yield* this.strings(values, '@value')) ?? 'none',
      types: (yield* this.strings(frame['@type'], '@type')) ?? (natives.size > 0 ? natives : 'none'),
      languages: (yield* this.strings(frame['@language'], '@language')) ?? 'none',
    };
  }

  /** Compiles strings, or an array with the wildcard. With `areIris`, they must be IRIs. */
  private *strings(given: unknown, keyword: string, areIris = false): Kernel<Strings | undefined> {
    if (given === undefined || isDefaultTypes(given)) return undefined;
    const values = asArray(given);
    if (values.length === 0) return 'none';
    if (values.length === 1 && isEmptyObject(values[0])) return 'any';
    const strings = new Set<string>();
    for (const value of values) {
      if (this.work.step()) yield;
      const isString = typeof value === 'string';
      if (areIris && !(isString && (looksLikeIri(value) || value === '@json')))
        invalidJsonLd(`invalid frame: ${keyword} must be {} or absolute IRIs, and ${shown(value)} is neither`);
      if (!isString) invalidJsonLd(`invalid frame: ${shown(value)} in ${keyword} is no string`);
      strings.add(value as string);
    }
    return strings;
  }
}

function embedOf(value: unknown): Embed {
  // Section 4.2.2: "A boolean value of true sets the flag to @once, while a value of false sets the
  // flag to @never."
  if (value === true) return '@once';
  if (value === false) return '@never';
  if (value === '@always' || value === '@once' || value === '@never') return value;
  return invalidJsonLd(`invalid @embed value: ${shown(value)}; it must be @always, @once, @never or a boolean`);
}

function booleanOf(frame: ExpandedObject, keyword: string): boolean | undefined {
  const value = frame[keyword];
  if (value !== undefined && typeof value !== 'boolean')
    invalidJsonLd(`invalid frame: ${keyword} is ${shown(value)}; it must be true or false`);
  return value as boolean | undefined;
}

function defaultOf(frame: ExpandedObject): ExpandedObject | undefined {
  if (!('@default' in frame)) return undefined;
  // Section 4.1, frame(), step 18: "with the first value of that entry".
  const [value] = asArray(frame['@default']);
  if (value === undefined || value === null) return NULL_VALUE;
  const given = value as ExpandedObject;
  const scalar = given['@value'];
  return typeof scalar === 'bigint' ? { ...given, '@value': new RawJson(String(scalar)) } : given;
}

function isDefaultTypes(given: unknown): given is readonly [{ readonly '@default': readonly string[] }] {
  return (
    Array.isArray(given) &&
    given.length === 1 &&
    typeof given[0] === 'object' &&
    given[0] !== null &&
    '@default' in given[0]
  );
}

function defaultTypes(frame: ExpandedObject): readonly string[] | undefined {
  const given = frame['@type'];
  return isDefaultTypes(given) ? given[0]['@default'] : undefined;
}

function isEmptyObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  for (const _ in value) return false;
  return true;
}

function asArray(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined ? [] : [value];
}
