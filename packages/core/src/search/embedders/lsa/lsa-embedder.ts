import type { TrainableEmbedder } from '../../../contracts/embedder.ts';
import { Slicer } from '../../../contracts/slicer.ts';
import { fieldsOf, requireKnownFields } from '../../../model/known-fields.ts';
import { throwIfAborted, WorldsError } from '../../../model/worlds-error.ts';
import { countTerms } from './count-terms.ts';
import { languageTerms } from './language-terms.ts';
import { learnInWorker } from './learn-in-worker.ts';
import { type CountedTexts, type LearnOptions, type LearntTerms, learnTerms } from './learn-terms.ts';
import { modelFromParts } from './lsa-model.ts';
import { LsaTrainedEmbedder } from './lsa-trained-embedder.ts';
import type { TermAnalyzerOf } from './term-analyzer.ts';
import { truncatedSvd } from './truncated-svd.ts';

const OPTIONS = fieldsOf<LsaEmbedderOptions>({
  dimensions: true,
  minTexts: true,
  maxTexts: true,
  maxTerms: true,
  analyzerOf: true,
  worker: true,
  onProgress: true,
});

/** Options of {@link lsaEmbedder}. */
export interface LsaEmbedderOptions {
  /** Components per vector; 128 by default. */
  readonly dimensions?: number | undefined;
  /**
   * Minimum number of texts for training; 2,000 by default. With far fewer, the model is mostly
   * noise.
   */
  readonly minTexts?: number | undefined;
  /** Maximum number of texts for training, sampled evenly; 100,000 by default. */
  readonly maxTexts?: number | undefined;
  /**
   * Maximum number of terms, those in the most texts; 32,768 by default: 16 MB with 128 dimensions.
   */
  readonly maxTerms?: number | undefined;
  /** Converts texts to terms; by default as in the core's text index. */
  readonly analyzerOf?: TermAnalyzerOf | undefined;
  /**
   * Whether to train in a worker thread; true by default. Without threads, trains in this one, in
   * slices.
   */
  readonly worker?: boolean | undefined;
  /** Called with the share that is done, 0 to 1, during each training. */
  readonly onProgress?: ((share: number) => void) | undefined;
}

/** Sufficient: further iterations change rankings only by chance. */
const ITERATIONS = 8;
const SEED = 1;
/** Approximate share of the total work taken by counting. */
const COUNTING_SHARE = 0.3;

/**
 * Creates an embedder that needs neither a network nor a pretrained model: latent semantic analysis
 * of the namespace's own texts. It finds texts whose words occur in similar texts, even if they
 * share none with the query. It knows the words of these texts only; a model trained on the
 * language at large knows more.
 *
 * Throws INVALID_ARGUMENT for invalid options.
 */
export function lsaEmbedder(options: LsaEmbedderOptions = {}): TrainableEmbedder {
  requireKnownFields(options, OPTIONS, 'lsaEmbedder');
  const { dimensions = 128, minTexts = 2000, maxTexts = 100_000, maxTerms = 32_768, worker = true } = options;
  const { analyzerOf = languageTerms } = options;
  for (const [name, value, least] of [
    ['dimensions', dimensions, 1],
    ['minTexts', minTexts, 2],
    ['maxTexts', maxTexts, 2],
    ['maxTerms', maxTerms, 1],
  ] as const)
    if (!Number.isInteger(value) || value < least)
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `The LSA embedder's ${name} is ${value}; pass an integer of at least ${least}.`,
      );
  return {
    id: `lsa-${dimensions}`,
    dimensions,
    minTexts,
    async train(texts, { signal, onProgress: toCaller } = {}) {
      const onProgress = (share: number) => {
        options.onProgress?.(share);
        toCaller?.(share);
      };
      // Checked here, because work that fits in one slice never checks the signal.
      throwIfAborted(signal);
      if (texts.length < 2)
        throw new WorldsError('INVALID_ARGUMENT', `The LSA embedder cannot learn from ${texts.length} text(s).`);
      const slicer = new Slicer(signal);
      const { counted, names, languages } = await countTerms(texts, {
        analyzerOf,
        maxTexts,
        slicer,
        onProgress: (share) => onProgress(share * COUNTING_SHARE),
      });
      const learnt = await learn(counted, { rank: dimensions, iterations: ITERATIONS, seed: SEED, maxTerms }, worker, {
        slicer,
        signal,
        onProgress: (share) => onProgress(COUNTING_SHARE + share * (1 - COUNTING_SHARE)),
      });
      onProgress(1);
      const terms = Array.from(learnt.kept, (number) => names[number]);
      const { weights, vectors } = learnt;
      return new LsaTrainedEmbedder(
        { dimensions, texts: texts.length, languages, terms, weights, vectors },
        analyzerOf,
      );
    },
    restore(parts) {
      const model = modelFromParts(parts);
      if (model.dimensions !== dimensions)
        throw new WorldsError(
          'CORRUPT',
          `The stored model has ${model.dimensions} dimensions, but the LSA embedder is set to ${dimensions}; train a new one.`,
        );
      return new LsaTrainedEmbedder(model, analyzerOf);
    },
  };
}

async function learn(
  counted: CountedTexts,
  options: LearnOptions,
  worker: boolean,
  work: { slicer: Slicer; signal: AbortSignal | undefined; onProgress: (share: number) => void },
): Promise<LearntTerms> {
  const elsewhere = worker && (await learnInWorker(counted, options, work));
  if (elsewhere) return elsewhere;
  const steps = learnTerms(counted, options, truncatedSvd);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (!work.slicer.due) continue;
    work.onProgress(step.value);
    await work.slicer.pause();
  }
}
