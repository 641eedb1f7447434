/** Answers a batch: the n-th answer belongs to the n-th question. */
type AnswerAll<Q, A> = (questions: readonly Q[]) => Promise<readonly A[]>;

/** Concurrent reads; later questions wait for the next batch. */
const MAX_RUNNING = 2;
/** Size of a batch, so that none takes long. */
const MAX_QUESTIONS = 200;

interface Waiting<Q, A> {
  readonly question: Q;
  readonly resolve: (answer: A) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches concurrent questions into one read. A read never answers a question that came after it had begun, so an
 * answer is never older than its question.
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
