import { childWork } from './child-run.ts';
import { type FirstAnswerWork, measureFirstAnswers } from './first-answers/measure-first-answers.ts';

process.stdout.write(JSON.stringify(await measureFirstAnswers(childWork<FirstAnswerWork>())));
