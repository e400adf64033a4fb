import type {
  EmbedderModel,
  TrainableEmbedder,
  TrainedEmbedder,
  TrainingTexts,
  TrainOptions,
} from '../../src/contracts/embedder.ts';
import { BagOfWordsEmbedder } from './bag-of-words-embedder.ts';

/**
 * A TrainableEmbedder that learns nothing, and remembers of what: each model is a
 * BagOfWordsEmbedder with a number.
 */
export class LearningEmbedder implements TrainableEmbedder {
  readonly id = 'learner';
  readonly dimensions = 1021;
  readonly minTexts: number;
  readonly lessons: string[][] = [];
  readonly models: BagOfWordsEmbedder[] = [];
  /** Called in the middle of learning; may wait, or throw. */
  before: (options: TrainOptions) => Promise<void> = async () => undefined;

  constructor(minTexts: number) {
    this.minTexts = minTexts;
  }

  async train(texts: TrainingTexts, options: TrainOptions = {}): Promise<TrainedEmbedder> {
    const lesson = Array.from({ length: texts.length }, (_, at) => texts.at(at).text);
    this.lessons.push(lesson);
    await this.before(options);
    const model = new BagOfWordsEmbedder();
    this.models.push(model);
    return Object.assign(model, { id: `learner-${this.models.length}`, model: {} });
  }

  restore(_: EmbedderModel): TrainedEmbedder {
    throw new Error('It has nothing to restore.');
  }
}
