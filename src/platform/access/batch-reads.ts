/** Answers many questions in one go: the n-th answer is to the n-th question. */
type AnswerAll<Q, A> = (questions: readonly Q[]) => Promise<readonly A[]>;

/** So many reads at once; what comes meanwhile waits for the next one. */
const MAX_RUNNING = 2;
/** A flood is answered in parts: none of them takes long. */
const MAX_QUESTIONS = 200;

interface Waiting<Q, A> {
  readonly question: Q;
  readonly resolve: (answer: A) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One read for all who ask at about the same time. A read never answers somebody who asked after it had begun, so
 * what is answered is never older than the question.
 */
export function batchReads<Q, A>(
  answerAll: AnswerAll<Q, A>,
  soon: (start: () => void) => void = setImmediate,
): (question: Q) => Promise<A> {
  let waiting: Waiting<Q, A>[] = [];
  let running = 0;

  function start(): void {
    if (waiting.length === 0 || running >= MAX_RUNNING) return;
    const asked = waiting.slice(0, MAX_QUESTIONS);
    waiting = waiting.slice(MAX_QUESTIONS);
    running++;
    answerAll(asked.map(({ question }) => question))
      .then(
        (answers) => asked.forEach(({ resolve }, index) => resolve(answers[index] as A)),
        (error: unknown) => asked.forEach(({ reject }) => reject(error)),
      )
      .finally(() => {
        running--;
        start();
      });
    start();
  }

  return (question) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) soon(start);
      waiting.push({ question, resolve, reject });
    });
}
