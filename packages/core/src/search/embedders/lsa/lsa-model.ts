import type { EmbedderModel } from '../../../contracts/embedder.ts';
import { WorldsError } from '../../../model/worlds-error.ts';

/** Trained model of latent semantic analysis: a vector for each term. */
export interface LsaModel {
  readonly dimensions: number;
  /** Number of texts that it was trained on. */
  readonly texts: number;
  /** Languages of those texts, most frequent first. */
  readonly languages: readonly string[];
  /** Terms by number. */
  readonly terms: readonly string[];
  /** Weight of each term: 0 for one spread evenly over all texts, 1 for one in a single text. */
  readonly weights: Float32Array;
  /** `dimensions` components per term. */
  readonly vectors: Float32Array;
}

const FORMAT = 1;

/** Serialises a model to typed arrays. */
export function modelToParts(model: LsaModel): EmbedderModel {
  const { dimensions, texts, languages, terms, weights, vectors } = model;
  const strings = [...languages, ...terms].map((each) => new TextEncoder().encode(each));
  const ends = new Uint32Array(strings.length);
  let length = 0;
  for (const [at, each] of strings.entries()) ends[at] = length += each.length;
  const bytes = new Uint8Array(length);
  for (const [at, each] of strings.entries()) bytes.set(each, at === 0 ? 0 : ends[at - 1]);
  return { header: Uint32Array.of(FORMAT, dimensions, texts, languages.length), ends, bytes, weights, vectors };
}

/** Deserialises a model. Throws CORRUPT for any other data. */
export function modelFromParts(parts: EmbedderModel): LsaModel {
  const { header, ends, bytes, weights, vectors } = parts;
  if (!(header instanceof Uint32Array) || !(ends instanceof Uint32Array) || !(bytes instanceof Uint8Array))
    throw corrupt('a part is missing');
  if (!(weights instanceof Float32Array) || !(vectors instanceof Float32Array)) throw corrupt('a part is missing');
  const [format, dimensions, texts, languages] = header;
  if (format !== FORMAT || header.length !== 4) throw corrupt(`its format is ${format}, not ${FORMAT}`);
  const terms = ends.length - languages;
  if (terms !== weights.length || terms * dimensions !== vectors.length) throw corrupt('its parts do not fit together');
  const strings: string[] = [];
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for (let at = 0, start = 0; at < ends.length; start = ends[at++]) {
    if (ends[at] < start || ends[at] > bytes.length) throw corrupt('its parts do not fit together');
    try {
      strings.push(decoder.decode(bytes.subarray(start, ends[at])));
    } catch (cause) {
      throw corrupt('a term is not valid UTF-8', cause);
    }
  }
  if (!weights.every(Number.isFinite) || !vectors.every(Number.isFinite))
    throw corrupt('it has values that are not numbers');
  return {
    dimensions,
    texts,
    languages: strings.slice(0, languages),
    terms: strings.slice(languages),
    weights,
    vectors,
  };
}

/**
 * Returns a fingerprint of a model, 16 hexadecimal digits (two FNV-1a hashes). Covers terms and
 * weights only: equal ones come from equal texts, hence with equal vectors.
 */
export function modelHash({ dimensions, terms, weights }: LsaModel): string {
  const numbers = new Uint8Array(weights.buffer, weights.byteOffset, weights.byteLength);
  let one = 0x811c9dc5;
  let other = 0x050c5d1f;
  const add = (byte: number) => {
    one = Math.imul(one ^ byte, 0x01000193);
    other = Math.imul(other ^ byte, 0x01000193) + 0x9e3779b9;
  };
  add(dimensions);
  add(dimensions >>> 8);
  for (const term of terms) {
    for (let at = 0; at < term.length; at++) {
      add(term.charCodeAt(at) & 255);
      add(term.charCodeAt(at) >>> 8);
    }
    add(0);
  }
  for (const byte of numbers) add(byte);
  return [one, other].map((hash) => (hash >>> 0).toString(16).padStart(8, '0')).join('');
}

function corrupt(what: string, cause?: unknown): WorldsError {
  return new WorldsError('CORRUPT', `This is not a model of the LSA embedder: ${what}. Train a new one.`, { cause });
}
